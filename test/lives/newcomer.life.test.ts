import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { PageMessage } from "../../src/playground/page-api.ts";
import { projectRoot } from "../../src/project-root.ts";
import { cardOf, findControl } from "../helpers/app-under-test.ts";
import { freePort } from "../helpers/free-port.ts";
import { createStateDb } from "../helpers/hermes-home.ts";
import { startTestPlatform, type TestPlatform } from "../helpers/start-platform.ts";
import { until } from "../helpers/until.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

/** What a stranger does on an own machine, with nothing but the commands: each in a process of its own, in an own folder. */
let folder: string;
let platform: TestPlatform;
let port: number;
let server: ChildProcess | undefined;
let log = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "herald-newcomer-"));
  platform = await startTestPlatform({ now: () => new Date() });
  port = await freePort();
  // Nothing to remind of: every message of the bot is an answer.
  mkdirSync(join(folder, "hermes"));
  createStateDb(join(folder, "hermes", "state.db")).close();
});
afterAll(async () => {
  await stop();
  await platform.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

const environment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: folder,
  LANG: "zh_CN.UTF-8",
  HERALD_PORT: String(port),
});
const program = join(projectRoot, "bin", "herald.mjs");

function herald(args: string[], env: Record<string, string> = {}): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, ...args],
      { cwd: folder, env: { ...environment(), ...env } },
      (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === "number" ? error.code : 0, said: stdout + stderr }),
    );
  });
}

async function start(): Promise<void> {
  log = "";
  const child = spawn(process.execPath, [program, "start"], { cwd: folder, env: environment() });
  server = child;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      log += chunk.toString("utf8");
    });
  }
  await platform.whenConnected(60_000);
}

async function stop(): Promise<void> {
  const child = server;
  server = undefined;
  if (child === undefined) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}

/** Writes to the bot and waits for its next message. */
async function say(person: "owner" | "member", text: string): Promise<PageMessage> {
  const chatId = platform.chats[person];
  const known = new Set(platform.messages(chatId).map(({ messageId }) => messageId));
  platform.deliverMessage({ chatId, userId: platform.people[person].openId, text });
  let answer: PageMessage | undefined;
  await until(() => {
    answer = platform.messages(chatId).find((each) => each.fromBot && !known.has(each.messageId));
    return answer !== undefined;
  }).catch((error: unknown) => {
    throw new Error(`${text}: ${String(error)}\n${log}`);
  });
  if (answer === undefined) throw new Error(`no answer to ${text}`);
  return answer;
}
const words = (message: PageMessage): string => JSON.stringify(message.content);

test("a stranger sets Herald up, uses it, lets somebody in and out, loses the data and has it back", async () => {
  const secret = { FEISHU_APP_SECRET: platform.app.appSecret };
  const flags = ["--app-id", platform.app.appId, "--domain", platform.url, "--hermes-home", join(folder, "hermes")];
  const refused = await herald(["setup", "--yes", ...flags], { FEISHU_APP_SECRET: "wrong-secret-00" });
  expect(refused.code).toBe(1);
  expect(existsSync(join(folder, ".env"))).toBe(false);

  const set = await herald(["setup", "--yes", ...flags, "--zone", "Asia/Shanghai"], secret);
  expect(set.code, set.said).toBe(0);
  expect(set.said).toContain("pairWith");
  expect(statSync(join(folder, ".env")).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, ".env"), "utf8")).toContain(platform.app.appId);
  expect(existsSync(join(folder, "hermes", "plugins", "herald", "plugin.yaml"))).toBe(true);
  await start();
  expect(words(await say("owner", "你好"))).toContain("配对码");
  await until(() => /pairWith":"([^"]+)"/.test(log));
  const code = /pairWith":"([^"]+)"/.exec(log)?.[1] ?? "";
  await say("owner", code);
  expect(words(await say("owner", "/whoami"))).toContain("所有者");

  expect(words(await say("owner", "/set dailyMessages 7"))).toContain("5 → 7");
  const { member } = platform.people;
  await say("member", "你好");
  expect(words(await say("owner", `/grant ${member.openId} member`))).toContain("成员");
  expect(words(await say("member", "/whoami"))).toContain("成员");
  expect(words(await say("owner", `/revoke ${member.openId}`))).toContain("不能再用");
  expect(words(await say("owner", "/remind 明天下午3点 给新来的人写说明"))).toContain("给新来的人写说明");

  // In chat, in a process of its own: every check, and a file to keep.
  expect(words(await say("owner", "/doctor"))).toMatch(/飞书凭据.*可以登录/);
  const made = words(await say("owner", "/backup"));
  expect(statSync(/(\/\S+?\.backup)/.exec(made)?.[1] ?? "").mode & 0o777).toBe(0o600);
  const file = join(folder, "kept.backup");
  expect((await herald(["backup", file])).code).toBe(0);
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metrics).toContain('herald_matters_open{agent="main"}');

  await stop();
  for (const end of ["", "-wal", "-shm"]) rmSync(join(folder, "data", `herald.db${end}`), { force: true });
  expect((await herald(["doctor"])).said).toContain("没有可查的");
  const restored = await herald(["restore", file, "--yes"]);
  expect(restored.code, restored.said).toBe(0);

  await start();
  expect(words(await say("owner", "/whoami"))).toContain("所有者");
  expect(words(await say("owner", "/set dailyMessages"))).toContain("7");
  const list = await say("owner", "/items");
  expect(words(list)).toContain("给新来的人写说明");
  const control = findControl(cardOf(list), "item.done");
  const answer = await platform.tap({
    messageId: list.messageId,
    userId: platform.people.owner.openId,
    tag: control?.tag ?? "button",
    value: control?.value,
  });
  expect(JSON.stringify(answer)).toMatch(/success/);
  const report = JSON.parse((await herald(["doctor", "--json"])).said) as {
    ok: boolean;
    findings: { check: string; state: string }[];
  };
  expect(report.findings.filter(({ state }) => state === "fail")).toEqual([]);
  expect(report.ok).toBe(true);
});
