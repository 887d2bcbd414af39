import { execFile } from "node:child_process";
import { join } from "node:path";
import type { ServerTools } from "./bot/server-tools.ts";
import { type Config, processEnvironment } from "./config.ts";
import { projectRoot } from "./project-root.ts";

/** A backup of a large database takes its time; a question in chat does not wait longer. */
const WITHIN_MS = 120_000;
const MOST_BYTES = 256 * 1024;

/** `herald doctor` and `herald backup` as processes of their own: a synchronous copy must not hold up taps. */
export function runHerald({ agentId }: Pick<Config, "agentId">): ServerTools {
  return {
    run: (tool, language) =>
      new Promise((resolve) => {
        const about = tool === "doctor" && agentId !== undefined ? ["--agent", agentId] : [];
        execFile(
          process.execPath,
          [join(projectRoot, "bin", "herald.mjs"), tool, ...about],
          { env: { ...processEnvironment(), HERALD_LANGUAGE: language }, timeout: WITHIN_MS, maxBuffer: MOST_BYTES },
          (error, stdout, stderr) => {
            const said = stdout.trim() === "" ? stderr : stdout;
            resolve({ ok: error === null, text: said.trim() });
          },
        );
      }),
  };
}
