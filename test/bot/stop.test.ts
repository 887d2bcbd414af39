import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundle } from "../../bin/run.mjs";
import { openDb } from "../../src/engine/db.ts";
import { until } from "../helpers/until.ts";

test("SIGTERM ends the server with 0, and nothing is left half done", async () => {
  const folder = mkdtempSync(join(tmpdir(), "herald-stop-"));
  const entry = await bundle("src/cli/herald.ts");
  const child = spawn(process.execPath, [entry, "start"], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      HERALD_DATA_DIR: folder,
      HERALD_PORT: "0",
      HERALD_LANGUAGE: "en",
      HERALD_TIME_ZONE: "Asia/Shanghai",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  try {
    await until(async () => {
      // A start that failed is not waited for: it says why.
      if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode} before it ran:\n${output}`);
      const url = /Herald is running: (\S+)/.exec(output)?.[1];
      if (url === undefined) return false;
      const response = await fetch(`${url}/healthz`).catch(() => undefined);
      return response?.ok === true;
    });
    // In the midst of its first look and first message.
    child.kill("SIGTERM");
    expect(await ended, output).toBe(0);
    expect(output).not.toContain("stopped_late");
    expect(output).not.toContain("release.failed");
    const { db, close } = await openDb(join(folder, "herald.db"));
    try {
      expect(await db.jobRun.count({ where: { outcome: null } })).toBe(0);
      expect(await db.inboxEvent.count({ where: { leaseUntil: { not: null } } })).toBe(0);
      expect(await db.cardPost.count({ where: { leaseUntil: { not: null } } })).toBe(0);
    } finally {
      await close();
    }
  } finally {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}, 90_000);
