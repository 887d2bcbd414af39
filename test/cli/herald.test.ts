import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { bundle } from "../../bin/run.mjs";
import { writeSampleHome } from "../../src/hermes-bridge/sample-home.ts";

/** Every command is a process of its own. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let entry: string;
let folder: string;
beforeAll(async () => {
  entry = await bundle("src/cli/herald.ts");
  folder = mkdtempSync(join(tmpdir(), "herald-cli-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function herald(
  args: readonly string[],
  env: Record<string, string> = {},
): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...args], {
    cwd: folder,
    encoding: "utf8",
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      HERALD_LANGUAGE: "en",
      HERALD_TIME_ZONE: "Asia/Shanghai",
      HERALD_DATA_DIR: join(folder, "data"),
      HERMES_HOME: join(folder, "hermes"),
      ...env,
    },
  });
  return { code: status, out: stdout, err: stderr };
}

const FEISHU = {
  FEISHU_APP_ID: "cli_0123456789abcdef",
  FEISHU_APP_SECRET: "very-secret-app-secret",
  FEISHU_DOMAIN: "http://127.0.0.1:9",
};

test("config lists what is in force and from where, and no secret", () => {
  const { code, out } = herald(["config"], FEISHU);
  expect(code).toBe(0);
  expect(out).toMatch(/FEISHU_APP_ID\s+cli_0123456789abcdef\s+\(env\)/);
  expect(out).toContain("HERALD_TIME_ZONE");
  expect(out).not.toContain(FEISHU.FEISHU_APP_SECRET);
});

test("a wrong value names the variable and what was expected, and nothing starts", () => {
  const { code, err } = herald(["config"], { HERALD_PORT: "many" });
  expect(code).not.toBe(0);
  expect(err).toContain("HERALD_PORT");
});

test("a port that is taken is one line with another to take, in the reader's language", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const taken = (other.address() as AddressInfo).port;
  for (const [language, words] of Object.entries({
    zh: `端口 ${taken} 已被占用`,
    en: `port ${taken} on 127.0.0.1 is in use`,
  })) {
    const env = { HERALD_PORT: String(taken - 1), HERALD_LANGUAGE: language, HERALD_DATA_DIR: join(folder, "taken") };
    const { code, out, err } = herald(["start"], env);
    expect(code).toBe(1);
    expect(err).toContain(words);
    expect(err).toMatch(/HERALD_PORT=\d+/);
    expect(out + err).not.toContain("EADDRINUSE");
  }
  other.close();
});

test("tick --dry says what would be said without an owner as well, and stores nothing", () => {
  writeSampleHome(join(folder, "hermes"), { now: new Date(), zone: "Asia/Shanghai" });
  const { code, out } = herald(["tick", "--dry"]);
  expect(code).toBe(0);
  expect(out.trim()).not.toBe("");
});

test("replay wants credentials, a file, and an event in it; each is said in one line", () => {
  expect(herald(["replay", "event.json"])).toMatchObject({ code: 2, err: expect.stringContaining("FEISHU_APP_ID") });
  expect(herald(["replay", "none.json"], FEISHU)).toMatchObject({ code: 2, err: expect.stringContaining("none.json") });
  writeFileSync(join(folder, "odd.json"), "{}");
  expect(herald(["replay", "odd.json"], FEISHU)).toMatchObject({
    code: 2,
    err: expect.stringContaining("Feishu event"),
  });
});

test("replay hands a recorded tap to the app and prints what would have been answered", () => {
  const event = {
    schema: "2.0",
    header: { event_id: "ev_1", event_type: "card.action.trigger", app_id: FEISHU.FEISHU_APP_ID },
    event: {
      operator: { open_id: "ou_nobody" },
      action: { tag: "button", value: { v: 1, post: "p_1", action: "item.done", payload: {} } },
      context: { open_message_id: "om_1", open_chat_id: "oc_1" },
    },
  };
  writeFileSync(join(folder, "tap.json"), JSON.stringify(event));
  const { code, out } = herald(["replay", "tap.json"], FEISHU);
  expect(code).toBe(0);
  expect(JSON.parse(out.slice(out.indexOf("{\n")))).toMatchObject({
    // A process that has just begun may say that it is still working on it.
    toast: { content: expect.stringMatching(/not have access|Working on it/) },
  });
});

test("an unknown command is named, with the one that was meant", () => {
  expect(herald(["confg"])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^There is no command confg; .*herald config\?/),
  });
  expect(herald(["zzzzzz"]).err).toMatch(/^There is no command zzzzzz\. There are: start, config/);
});

test("input that is no conversation is refused in one line, without a trace", () => {
  for (const input of ["", "garbage", "null", "[]", "{}", '{"now":"x"}']) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [entry, "try", "extract"], {
      input,
      encoding: "utf8",
    });
    expect([status, stdout, stderr.trim().split("\n").length]).toEqual([2, "", 1]);
    expect(stderr).toContain("Expected {");
  }
});
