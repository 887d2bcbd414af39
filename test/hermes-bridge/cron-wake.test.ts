import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hermesCron } from "../../src/cli/hermes-cron.ts";
import type { Config } from "../../src/config.ts";
import { projectRoot } from "../../src/project-root.ts";
import { pythonAtHand } from "../helpers/hermes-home.ts";

let home: string;
const config = { language: "en", hermes: { home: "" } } as unknown as Config;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "herald-test-"));
  writeFileSync(join(home, "config.yaml"), "plugins:\n  enabled: [herald]\n");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const run = (what: string, every?: string) => hermesCron(config, what, { home, every });
const withPlugin = (url = "http://127.0.0.1:9"): void => {
  mkdirSync(join(home, "plugins"), { recursive: true });
  cpSync(join(projectRoot, "src", "hermes-bridge", "plugin", "herald"), join(home, "plugins", "herald"), {
    recursive: true,
  });
  writeFileSync(join(home, "plugins", "herald", "herald.json"), JSON.stringify({ url, token: "t".repeat(32) }));
};

const SCRIPT = (): string => join(home, "scripts", "herald_wake.py");

/** The last line is what Hermes looks at. */
function runScript(): Promise<{ lines: string[] }> {
  return new Promise((resolve) => {
    const child = spawn("python3", [SCRIPT()], { stdio: ["ignore", "pipe", "ignore"] });
    let out = "";
    child.stdout.on("data", (part) => {
      out += part;
    });
    child.on("exit", () => resolve({ lines: out.trim().split("\n") }));
  });
}

test("the plugin comes first, and words that are no command change nothing", async () => {
  expect(await run("install")).toMatchObject({ ok: false, lines: [expect.stringContaining("hermes install")] });
  expect(await run("instal")).toMatchObject({ ok: false, lines: [expect.stringContaining("Expected install")] });
  expect(await run("install", "often")).toMatchObject({ ok: false, lines: [expect.stringContaining("15m")] });
  expect(existsSync(SCRIPT())).toBe(false);
});

test("installed where there is no hermes command, the person is told the one that makes the job; status and uninstall follow", async () => {
  withPlugin();
  const installed = await run("install");
  if (spawnSync("hermes", ["--version"]).error) {
    expect(installed.ok).toBe(false);
    expect(installed.lines.join("\n")).toMatch(
      /hermes cron create 'every 15m' '.+' --name herald-wake --script herald_wake.py --deliver local/,
    );
  }
  expect(existsSync(SCRIPT())).toBe(true);
  expect((await run("status")).lines.join()).toContain("Job: none");
  mkdirSync(join(home, "cron"), { recursive: true });
  const job = {
    id: "abcdefabcdef",
    name: "herald-wake",
    schedule_display: "every 15m",
    enabled: true,
    last_status: "ok",
  };
  writeFileSync(join(home, "cron", "jobs.json"), JSON.stringify({ jobs: [job] }));
  expect(await run("status")).toMatchObject({ ok: true });
  expect((await run("install")).lines.join()).toContain("already");
  writeFileSync(join(home, "cron", "jobs.json"), JSON.stringify({ jobs: [] }));
  expect(await run("uninstall")).toMatchObject({ ok: true });
  expect(existsSync(SCRIPT())).toBe(false);
});

if (pythonAtHand()) {
  test("with Herald down the script wakes nobody; with something to judge it prints what to do above the gate", async () => {
    withPlugin();
    await run("install");
    expect((await runScript()).lines).toEqual(['{"wakeAgent": false}']);
    const answers: object[] = [{ wake: true, text: "Do this.\nThen that." }, { wake: false }];
    const server = createServer((request, response) => {
      request.resume();
      expect(request.headers.authorization).toBe(`Bearer ${"t".repeat(32)}`);
      response.end(JSON.stringify(answers.shift()));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    withPlugin(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect((await runScript()).lines).toEqual(["Do this.", "Then that.", '{"wakeAgent": true}']);
    expect((await runScript()).lines).toEqual(['{"wakeAgent": false}']);
    await new Promise((resolve) => server.close(resolve));
  });
}
