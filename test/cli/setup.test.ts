import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { defaultHttpInstance } from "@larksuiteoapi/node-sdk";
import { parse } from "dotenv";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Register } from "../../src/cli/setup/register-by-qr.ts";
import { type SetupOptions, setup } from "../../src/cli/setup/setup.ts";
import { openTerminal, SetupStopped } from "../../src/cli/setup/terminal.ts";
import { startTestPlatform, type TestPlatform } from "../helpers/start-platform.ts";
import { until } from "../helpers/until.ts";

let folder: string;
let platform: TestPlatform;
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "herald-setup-"));
  platform = await startTestPlatform({ now: () => new Date() });
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await platform.close();
  rmSync(folder, { recursive: true, force: true });
});

const env = (): Record<string, string> => parse(readFileSync(join(folder, ".env"), "utf8"));

interface Run {
  /** everything the person at the terminal has seen */
  shown(): string;
  /** waits for words on the terminal that were not there at the last call, then types a line */
  on(words: string, line: string): Promise<void>;
  leave(): void;
  ended: Promise<0 | 1 | "stopped" | Error>;
}

function run(
  more: { options?: SetupOptions; register?: Register; interactive?: boolean; env?: Record<string, string> } = {},
): Run {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = "";
  let seen = 0;
  output.on("data", (chunk: Buffer) => {
    shown += chunk.toString("utf8");
  });
  const terminal = openTerminal({ input, output, interactive: more.interactive ?? true });
  const ended = setup({
    terminal,
    options: more.options ?? {},
    place: { env: more.env ?? {}, cwd: folder, home: folder, hostZone: "Asia/Shanghai" },
    now: () => new Date(),
    waitMs: 15_000,
    ...(more.register && { register: more.register }),
  })
    .catch((error: unknown) => (error instanceof SetupStopped ? ("stopped" as const) : (error as Error)))
    .finally(() => terminal.close());
  return {
    shown: () => shown,
    ended,
    leave: () => input.end(),
    async on(words, line) {
      await until(() => shown.indexOf(words, seen) >= 0);
      seen = shown.indexOf(words, seen) + words.length;
      input.write(`${line}\n`);
    },
  };
}

async function typeApp(at: Run): Promise<void> {
  await at.on("Language", "");
  await at.on("连接飞书", "2");
  await at.on("这个应用在哪里", platform.url);
  await at.on("App ID", platform.app.appId);
  await at.on("App Secret", platform.app.appSecret);
}

async function tapButton(): Promise<void> {
  const { owner } = platform.people;
  const card = await platform.waitForMessage(
    platform.chats.owner,
    (message) => message.content.kind === "card",
    20_000,
  );
  const sent = JSON.stringify(card);
  const secret = /"setup":"([0-9a-f]{32})"/.exec(sent)?.[1];
  const answer = await platform.tap({
    messageId: card.messageId,
    userId: owner.openId,
    tag: "button",
    value: { setup: secret },
  });
  expect(JSON.stringify(answer)).toContain("收到");
}

describe("herald setup", () => {
  test("takes App ID and secret, asks again for what is wrong, pairs by the code, sees the tap, and writes .env last", async () => {
    writeFileSync(join(folder, ".env"), "# mine\nLLM_MODEL=m\nLLM_BASE_URL=http://127.0.0.1:9/v1\n", { mode: 0o644 });
    const at = run();
    await at.on("Language", "klingon");
    await at.on("需要 zh 或 en", "zh");
    await at.on("连接飞书", "7");
    await at.on("需要 1、2 或 3", "2");
    await at.on("这个应用在哪里", platform.url);
    await at.on("App ID", "not an id");
    await at.on("例如 cli_", platform.app.appId);
    await at.on("App Secret", "wrong-secret-0000");
    await at.on("请重新填写", platform.url);
    await at.on("App ID", "");
    await at.on("App Secret", platform.app.appSecret);
    await at.on("所有者的 open_id", "");
    await until(() => /发给它：(\S+ \S+)/.test(at.shown()));
    expect(existsSync(join(folder, ".env.bak"))).toBe(false);
    expect(readFileSync(join(folder, ".env"), "utf8")).not.toContain("FEISHU");
    const code = /发给它：(\S+ \S+)/.exec(at.shown())?.[1] ?? "";
    platform.deliverMessage({ chatId: platform.chats.owner, userId: platform.people.owner.openId, text: code });
    await at.on("Hermes 的目录", "/nowhere");
    await at.on("需要一个存在的目录", "-");
    await at.on("时区", "Mars/Base");
    await at.on("需要时区的名字", "");
    await at.on("写入", "y");
    await at.on("测试卡片吗", "");
    await tapButton();
    expect(await at.ended).toBe(0);
    expect(env()).toMatchObject({
      FEISHU_APP_ID: platform.app.appId,
      FEISHU_APP_SECRET: platform.app.appSecret,
      HERALD_OWNER_OPEN_ID: platform.people.owner.openId,
      HERALD_TIME_ZONE: "Asia/Shanghai",
      LLM_MODEL: "m",
    });
    expect(readFileSync(join(folder, ".env"), "utf8")).toMatch(/^# mine\n/);
    expect(statSync(join(folder, ".env")).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.startsWith(".env.bak."))).toHaveLength(1);
    expect(at.shown()).toMatch(/收到了点按，用了 \d+ 毫秒/);
    expect(at.shown()).not.toContain(platform.app.appSecret);
  }, 60_000);

  test("left at any question, changes nothing", async () => {
    mkdirSync(join(folder, "hermes"));
    for (const [last, words] of [
      [1, "连接飞书"],
      [2, "写入"],
    ] as const) {
      const at = run({ env: { HERMES_HOME: join(folder, "hermes") } });
      await at.on("Language", "");
      if (last === 2) {
        await at.on("连接飞书", "3");
        await at.on("Hermes 的目录", "");
        await at.on("装进 Hermes", "");
        await at.on("时区", "");
      }
      await until(() => at.shown().includes(words));
      at.leave();
      expect(await at.ended).toBe("stopped");
      expect(readdirSync(folder)).toEqual(["hermes"]);
      expect(readdirSync(join(folder, "hermes"))).toEqual([]);
    }
  });

  test("names the forgotten second tab with its place, and looks again when it is mended", async () => {
    await platform.close();
    const app = { ...platform.app, callbacks: [] as string[] };
    platform = await startTestPlatform({ now: () => new Date(), app });
    const at = run();
    await typeApp(at);
    await until(() => at.shown().includes("card.action.trigger"));
    expect(at.shown()).toContain(`/app/${app.appId}/event?tab=callback`);
    app.callbacks.push("card.action.trigger");
    await at.on("改好以后按回车", "");
    await until(() => at.shown().includes("所有者的 open_id"));
    at.leave();
    expect(await at.ended).toBe("stopped");
  });

  test("finds Hermes with its API server and key, warns of Hermes' own adapter on the same app, and installs the plugin", async () => {
    const hermes = join(folder, "hermes");
    mkdirSync(hermes);
    writeFileSync(
      join(hermes, ".env"),
      `FEISHU_APP_ID=${platform.app.appId}\nAPI_SERVER_ENABLED=true\nAPI_SERVER_KEY=hermes-key-123\nAPI_SERVER_PORT=9\n`,
    );
    const at = run({ env: { HERMES_HOME: hermes }, options: { test: false } });
    await typeApp(at);
    await at.on("仍然用这个应用吗", "y");
    await at.on("所有者的 open_id", platform.people.owner.openId);
    await at.on("Hermes 的目录", "");
    await at.on("装进 Hermes", "");
    await at.on("时区", "");
    await at.on("写入", "");
    expect(await at.ended).toBe(1);
    expect(at.shown()).toContain(join(hermes, ".env"));
    expect(env()).toMatchObject({ HERMES_API_URL: "http://127.0.0.1:9", HERMES_API_KEY: "hermes-key-123" });
    expect(existsSync(join(hermes, "plugins", "herald", "plugin.yaml"))).toBe(true);
    expect(at.shown()).not.toContain("hermes-key-123");
  }, 30_000);

  test("without a terminal takes flags and variables, and says in one line what is wrong", async () => {
    const options = { appId: platform.app.appId, domain: platform.url, owner: platform.people.owner.openId };
    const given = { FEISHU_APP_SECRET: platform.app.appSecret };
    const at = run({ interactive: false, options, env: given });
    expect(await at.ended).toBe(0);
    expect(env()).toMatchObject({
      FEISHU_APP_ID: platform.app.appId,
      // It was given for this one command: the next start would lack it.
      FEISHU_APP_SECRET: platform.app.appSecret,
      HERALD_OWNER_OPEN_ID: options.owner,
    });
    rmSync(join(folder, ".env"));
    const wrong = { FEISHU_APP_SECRET: "wrong-secret-0000" };
    expect(await run({ interactive: false, options, env: wrong }).ended).toMatchObject({ exitCode: 1 });
    const zone = { ...options, zone: "Mars/Base" };
    expect(await run({ interactive: false, options: zone, env: given }).ended).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining("Asia/Shanghai"),
    });
    expect(existsSync(join(folder, ".env"))).toBe(false);
  }, 30_000);
});

describe("an app made by scanning", () => {
  test("is made through the official SDK with its permissions, events and callback, and owned by whoever scanned", async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on("end", () => {
        asked.push(body);
        response.setHeader("content-type", "application/json");
        const polls = asked.filter((each) => each.includes("action=poll")).length;
        if (body.includes("action=begin")) {
          response.end(
            JSON.stringify({
              device_code: "d",
              verification_uri_complete: "https://open.feishu.cn/x?user_code=U",
              interval: 0.01,
              expires_in: 600,
            }),
          );
        } else if (polls < 2) {
          response.statusCode = 400;
          response.end(JSON.stringify({ error: "authorization_pending" }));
        } else {
          response.end(
            JSON.stringify({
              client_id: platform.app.appId,
              client_secret: platform.app.appSecret,
              user_info: { open_id: platform.people.owner.openId, tenant_brand: "feishu" },
            }),
          );
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    const { port } = server.address() as AddressInfo;
    // The SDK speaks https to a fixed host: the stand-in gets the request by way of its HTTP instance.
    const id = defaultHttpInstance.interceptors.request.use((config) => {
      config.url = String(config.url).replace("https://accounts.feishu.cn", `http://127.0.0.1:${port}`);
      return config;
    });
    closing.push(() => defaultHttpInstance.interceptors.request.eject(id));

    const at = run({ options: { scan: true, domain: platform.url } });
    await at.on("Language", "");
    await until(() => at.shown().includes("应用建好了"));
    expect(at.shown()).toContain("▀");
    expect(at.shown()).toMatch(/https:\/\/open\.feishu\.cn\/x\?user_code=U\S*addons=/);
    await at.on("Hermes 的目录", "");
    expect(at.shown()).toContain(`扫码的人就是所有者：${platform.people.owner.openId}`);
    await until(() => at.shown().includes("时区"));
    at.leave();
    expect(await at.ended).toBe("stopped");
    expect(at.shown()).toContain(`已经建好了应用 ${platform.app.appId}`);
    expect(at.shown()).not.toContain(platform.app.appSecret);
    expect(existsSync(join(folder, ".env"))).toBe(false);
  }, 60_000);

  test("that nobody agreed to leaves the other ways open", async () => {
    const register: Register = () => Promise.reject({ code: "access_denied", description: "no" });
    const at = run({ register });
    await at.on("Language", "");
    await at.on("连接飞书", "1");
    await at.on("没有同意", "3");
    await at.on("Hermes 的目录", "");
    at.leave();
    expect(await at.ended).toBe("stopped");
  });
});
