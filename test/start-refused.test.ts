import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { takePort } from "./helpers/free-port.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "herald-start-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the real program and waits for its end. */
function start(env: Record<string, string>, args: string[] = ["start"]): Promise<{ code: number | null; err: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["bin/herald.mjs", ...args], {
      env: { PATH: process.env.PATH ?? "", HERMES_HOME: join(folder, "none"), HERALD_LANGUAGE: "en", ...env },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let err = "";
    child.stderr.on("data", (chunk: Buffer) => {
      err += chunk.toString();
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), 45_000);
    child.on("exit", (code) => {
      clearTimeout(timer);
      resolve({ code, err });
    });
  });
}

describe("a start that cannot be says why in one line, without a trace", () => {
  it("the data folder is a file", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    for (const path of [file, join(file, "below")]) {
      const { code, err } = await start({ HERALD_DATA_DIR: path, HERALD_PORT: "0" });
      expect(err).toMatch(/HERALD_DATA_DIR: cannot write into .* \((?:ENOTDIR|EEXIST)\)/);
      expect(err).not.toMatch(/\n\s+at |"stack"/);
      expect(code).toBe(2);
    }
  });

  it("a file system that can make no folder ends the start, which Node's own recursive mkdir does not", async () => {
    const { code, err } = await start({ HERALD_DATA_DIR: "/proc/nowhere/at/all", HERALD_PORT: "0" });
    expect(err).toMatch(/HERALD_DATA_DIR/);
    expect(code).toBe(2);
  });

  it("the port is taken", async () => {
    const { port, server } = await takePort();
    const taken = await start({ HERALD_DATA_DIR: folder, HERALD_PORT: String(port) });
    const next = await start({ HERALD_DATA_DIR: folder, HERALD_PORT: String(port - 1) });
    server.close();
    for (const { code, err } of [taken, next]) {
      expect(err).toMatch(new RegExp(`HERALD_PORT: port ${port} on 127.0.0.1 is in use`));
      expect(err).not.toMatch(/\n\s+at |"stack"/);
      expect(code).toBe(1);
    }
  });

  it("no database answers, and its password is not told", async () => {
    const env = { HERALD_DATA_DIR: folder, DATABASE_URL: "postgresql://herald:pass-word-1@127.0.0.1:9/herald" };
    for (const args of [["start"], ["tick", "--dry"]]) {
      const { code, err } = await start({ ...env, HERALD_PORT: "0" }, args);
      expect(err).toMatch(/DATABASE_URL: cannot reach the database at 127.0.0.1:9\/herald/);
      expect(err).not.toMatch(/pass-word-1|\n\s+at /);
      expect(code).toBe(1);
    }
  });
});
