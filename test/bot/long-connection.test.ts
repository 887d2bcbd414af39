import { afterEach, expect, test, vi } from "vitest";
import { CONNECTION_WATCH, type LongConnection, startLongConnection } from "../../src/bot/long-connection.ts";
import { startTestPlatform, type TestPlatform } from "../helpers/start-platform.ts";
import { testLog } from "../helpers/test-log.ts";
import { until } from "../helpers/until.ts";

/** Whole apps on a busy machine. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let platform: TestPlatform;
let connection: LongConnection;
afterEach(async () => {
  await connection.stop();
  await platform.close();
});

async function connect(
  timing: Partial<typeof CONNECTION_WATCH>,
  clientConfig: { PingInterval?: number } = {},
): Promise<{ log: ReturnType<typeof testLog>; received: unknown[] }> {
  platform = await startTestPlatform({ clientConfig: { ReconnectNonce: 0, ReconnectInterval: 1, ...clientConfig } });
  const log = testLog();
  const received: unknown[] = [];
  connection = startLongConnection(
    { appId: platform.sdk.appId, appSecret: platform.sdk.appSecret, baseUrl: platform.url },
    async (raw) => {
      received.push(raw);
      return {};
    },
    log,
    { ...CONNECTION_WATCH, ...timing },
  );
  await until(() => connection.health().state === "connected" && platform.connections() === 1);
  return { log, received };
}

/** After whatever happened an event arrives, and once. */
async function hears(received: unknown[]): Promise<void> {
  await until(() => connection.health().state === "connected" && platform.connections() === 1);
  platform.deliverMessage({ chatId: platform.chats.owner, userId: platform.people.owner.openId, text: "hello" });
  await until(() => received.length > 0);
  expect(received).toHaveLength(1);
}

test("a link that is open but answers no ping is given up and built anew", async () => {
  const { log, received } = await connect({ pongTimeoutS: 1 }, { PingInterval: 1 });
  platform.fault({ kind: "ignore_pings", on: true });
  await until(() => log.of("feishu.connection.lost").length > 0);
  platform.fault({ kind: "clear" });
  await hears(received);
});

test("a clock that jumped while the machine slept means a fresh connection", async () => {
  const { log, received } = await connect({ everyMs: 50, sleptMs: 1_500 });
  // The process stands still, as in sleep.
  const end = Date.now() + 2_500;
  while (Date.now() < end);
  await until(() => log.of("feishu.connection.renewed").some((line) => line.facts.why === "slept"));
  await hears(received);
});

test("a link over which nothing at all comes in is not trusted for ever", async () => {
  const { log } = await connect({ everyMs: 100, silentMs: 1_500, sleptMs: 60_000 });
  await until(() => log.of("feishu.connection.renewed").some((line) => line.facts.why === "silent"));
});

test("events that came while the connection was down arrive once it is up again", async () => {
  const { received } = await connect({});
  // Down long enough to be seen: the SDK is back within milliseconds otherwise.
  platform.fault({ kind: "refuse_connections", on: true });
  platform.fault({ kind: "kill_sockets" });
  await until(() => platform.connections() === 0);
  platform.deliverMessage({ chatId: platform.chats.owner, userId: platform.people.owner.openId, text: "meanwhile" });
  platform.fault({ kind: "refuse_connections", on: false });
  await until(() => received.length > 0);
  expect(received).toHaveLength(1);
});
