import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { projectRoot } from "../../src/project-root.ts";

/** Bundles a TypeScript entry as a released program would be (packages outside) and returns the file to run. */
export async function bundleEntry(entry: string): Promise<string> {
  const folder = join(projectRoot, "dist", `bench-${basename(entry, ".ts")}-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  await build({
    absWorkingDir: projectRoot,
    entryPoints: [{ in: join(projectRoot, entry), out: "main" }],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
  });
  return join(folder, "main.mjs");
}

/** A program in its own process that answers questions over IPC, one at a time. */
export class Child {
  readonly process: ChildProcess;
  #heard: ((answer: unknown) => void) | undefined;
  #died: Error | undefined;
  #fail: ((error: Error) => void) | undefined;

  constructor(file: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.process = spawn(process.execPath, [...process.execArgv, file, ...args], {
      cwd: projectRoot,
      env: { ...process.env, ...env },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.process.on("message", (message) => this.#heard?.(message));
    this.process.on("exit", (code) => {
      this.#died = new Error(`${args[0] ?? file} ended early (${code})`);
      this.#fail?.(this.#died);
    });
  }

  /** The next thing the child says; with a question, its answer. @throws Error when it ends instead */
  ask(question?: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#died) {
        reject(this.#died);
        return;
      }
      this.#heard = resolve;
      this.#fail = reject;
      if (question) this.process.send(question);
    });
  }

  async end(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.#fail = undefined;
    const gone = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.kill("SIGKILL");
    await gone;
  }
}
