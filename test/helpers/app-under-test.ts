import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, type AppParts, startApp } from "../../src/app.ts";
import type { Config } from "../../src/config.ts";
import { readConfig } from "../../src/config.ts";
import { writeSampleHome } from "../../src/hermes-bridge/sample-home.ts";
import type { CardJson, PageMessage, TapAnswer } from "../../src/playground/page-api.ts";
import type { ProcessClock } from "../../src/process-clock.ts";
import { startTestPlatform, type TestPlatform } from "./start-platform.ts";
import { type TestLog, testLog } from "./test-log.ts";

export interface AppUnderTest {
  app: App;
  platform: TestPlatform;
  log: TestLog;
  config: Config;
  hermesHome: string;
  dataDir: string;
  /** moves the clock of app and platform and runs what is due */
  at(to: Date | string): Promise<void>;
  /** a person writes to the bot; resolves when everything it caused has settled */
  say(
    person: keyof TestPlatform["people"],
    text: string,
    more?: { chatId?: string; replyTo?: string; mentionBot?: boolean },
  ): Promise<void>;
  /** presses the button whose action (and choice) is meant, as a client would */
  press(
    message: PageMessage,
    action: string,
    more?: { person?: keyof TestPlatform["people"]; option?: string },
  ): Promise<TapAnswer>;
  /** messages of the bot in the owner's direct chat, oldest first */
  botMessages(chatId?: string): PageMessage[];
  /** everything that runs has ended */
  settle(): Promise<void>;
  /** stops the app and starts it anew on the same data, as after a restart */
  restart(parts?: Partial<AppParts>): Promise<void>;
  close(): Promise<void>;
}

/** A Monday, 10:00 in Shanghai. */
export const MONDAY_10 = "2026-11-30T02:00:00Z";

/**
 * The whole app on a database of its own, against the stand-in of Feishu's cloud, through the real SDK. Time moves only
 * when the test says so; jobs run only when poked, asked for, or when the clock is moved.
 */
export async function startAppUnderTest(
  options: {
    start?: string;
    parts?: Partial<AppParts>;
    config?: Partial<Config>;
    emptyHome?: boolean;
    /** events are pushed to this port of ours instead of coming over the long connection */
    webhook?: { port: number; encryptKey: string };
  } = {},
): Promise<AppUnderTest> {
  const dataDir = mkdtempSync(join(tmpdir(), "herald-test-"));
  const { webhook } = options;
  let wireMs = (): number => Date.parse(options.start ?? MONDAY_10);
  const platform = await startTestPlatform({
    start: options.start ?? MONDAY_10,
    memoryFile: join(dataDir, "p.json"),
    ...(webhook && {
      // Pushes are signed with this clock, and checked against the app's.
      wireNow: () => wireMs(),
      webhook: { url: `http://127.0.0.1:${webhook.port}/feishu/webhook`, encryptKey: webhook.encryptKey },
    }),
  });
  wireMs = () => platform.clock.now().getTime();
  const hermesHome = join(dataDir, "hermes");
  if (!options.emptyHome) writeSampleHome(hermesHome, { now: platform.clock.now(), zone: "Asia/Shanghai" });
  const { config: base } = readConfig({
    env: {
      HERALD_PORT: "0",
      HERALD_DATA_DIR: dataDir,
      HERALD_TIME_ZONE: "Asia/Shanghai",
      HERMES_HOME: hermesHome,
      LOG_LEVEL: "silent",
    },
    cwd: dataDir,
    home: dataDir,
    hostZone: "Asia/Shanghai",
  });
  const config = { ...base, ...(webhook && { port: webhook.port }), ...options.config };
  const log = testLog();
  const clock: ProcessClock = { now: () => platform.clock.now(), set: (to) => platform.clock.set(to) };
  const start = (parts: Partial<AppParts> = {}): Promise<App> =>
    startApp(config, {
      clock,
      log,
      hermesHome,
      feishu: {
        appId: platform.sdk.appId,
        appSecret: platform.sdk.appSecret,
        baseUrl: platform.url,
        ...(webhook
          ? {
              transport: "webhook",
              encryptKey: webhook.encryptKey,
              verificationToken: platform.app.verificationToken,
            }
          : { transport: "websocket" }),
      },
      ownerOpenId: platform.people.owner.openId,
      wake: () => () => {},
      ...options.parts,
      ...parts,
    });
  const test: AppUnderTest = {
    app: await start(),
    platform,
    log,
    config,
    hermesHome,
    dataDir,
    async at(to) {
      await test.app.jump(new Date(to));
      await test.settle();
    },
    async say(person, text, more = {}) {
      const { openId } = platform.people[person];
      const said = platform.deliverMessage({
        chatId: more.chatId ?? platform.chats[person],
        userId: openId,
        text,
        ...(more.replyTo === undefined ? {} : { replyTo: more.replyTo }),
        ...(more.mentionBot === undefined ? {} : { mentionBot: more.mentionBot }),
      });
      await said.acknowledged;
      await test.settle();
    },
    async press(message, action, more = {}) {
      const found = findControl(cardOf(message), action);
      if (found === undefined)
        throw new Error(`no control for ${action} on ${JSON.stringify(cardOf(message)).slice(0, 2000)}`);
      const option = more.option ?? found.option;
      const answer = await platform.tap({
        messageId: message.messageId,
        userId: platform.people[more.person ?? "owner"].openId,
        tag: found.tag,
        value: found.value,
        ...(option === undefined ? {} : { option }),
      });
      await test.settle();
      return answer;
    },
    botMessages: (chatId = platform.chats.owner) => platform.messages(chatId).filter((message) => message.fromBot),
    async settle() {
      // Sweeps woken by an answer start a moment after it.
      await new Promise((resolve) => setTimeout(resolve, 300));
      await test.app.scheduler.idle();
    },
    async restart(parts) {
      await test.app.release();
      test.app = await start(parts);
      await waitFor(() => test.app.connection().ok);
    },
    async close() {
      await test.app.release();
      await platform.close();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
  await waitFor(() => test.app.connection().ok);
  await test.settle();
  return test;
}

/** The card a message shows. @throws Error when it is no card */
export function cardOf(message: PageMessage): CardJson {
  if (message.content.kind !== "card") throw new Error(`expected a card, got ${JSON.stringify(message.content)}`);
  return message.content.card;
}

/** The first control whose value, or one of whose choices, carries the action; for a choice also the option to send. */
export function findControl(
  node: unknown,
  action: string,
): { tag: string; value: unknown; option?: string } | undefined {
  if (Array.isArray(node)) {
    for (const each of node) {
      const found = findControl(each, action);
      if (found) return found;
    }
    return undefined;
  }
  if (typeof node !== "object" || node === null) return undefined;
  const { tag, behaviors, disabled } = node as {
    tag?: string;
    behaviors?: { type: string; value?: unknown }[];
    disabled?: boolean;
  };
  for (const behavior of behaviors ?? []) {
    if (behavior.type !== "callback" || disabled) continue;
    const value = behavior.value as { action?: string; choices?: Record<string, { action: string; payload: unknown }> };
    if (value.action === action) return { tag: tag ?? "", value };
    for (const [option, choice] of Object.entries(value.choices ?? {})) {
      if (choice.action === action || `${choice.action}:${(choice.payload as { until?: string }).until}` === action)
        return { tag: tag ?? "", value, option };
    }
  }
  for (const each of Object.values(node)) {
    const found = findControl(each, action);
    if (found) return found;
  }
  return undefined;
}

async function waitFor(ready: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !ready(); i++) await new Promise((resolve) => setTimeout(resolve, 10));
  if (!ready()) throw new Error("waited 5 s in vain");
}
