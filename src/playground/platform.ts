import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { demoState } from "./demo-people.ts";
import { EventOutbox, type PushResult } from "./event-outbox.ts";
import { Faults } from "./faults.ts";
import { type ClientConfig, LongConnection } from "./long-connection.ts";
import { answerOpenApi, type CallRecord } from "./open-api.ts";
import type { FaultRequest, PageEvent, PageMessage, TapRequest } from "./page-api.ts";
import { type PageContext, tap } from "./page-calls.ts";
import { PageFeed } from "./page-feed.ts";
import { PageFiles } from "./page-files.ts";
import { answerPage, isLoopbackHost } from "./page-server.ts";
import { heraldOf } from "./page-stream.ts";
import { viewMessage } from "./page-view.ts";
import { enterChat, moveBot, pressMenu, react, type SaidMessage, say, takeBack } from "./people-actions.ts";
import type { DemoApp, PlatformCore } from "./platform-core.ts";
import { type EventType, emitEvent } from "./platform-events.ts";
import { MemoryKeeper, readMemory } from "./platform-memory.ts";
import { messagesOf, newId, type PlatformState } from "./platform-state.ts";
import type { PlaygroundHost } from "./playground-host.ts";
import { RateLimits } from "./rate-limits.ts";
import type { TapResult } from "./tap.ts";
import { Tokens } from "./tokens.ts";
import { pushToWebhook, type WebhookTarget } from "./webhook-push.ts";

export type { PlaygroundHost } from "./playground-host.ts";

/** Credentials of the playground's one app. */
export const DEMO_APP: DemoApp = {
  appId: "cli_a0b1c2d3e4f50617",
  appSecret: "playground-secret",
  verificationToken: "playground-verification",
};

export type PlatformOptions = {
  /** Address to listen on; 127.0.0.1 unless given. Requests must name a loopback host all the same. */
  host?: string;
  /** 0 (default) takes a free one. */
  port?: number;
  /** The movable clock: age of messages, redelivery of events, update tokens, streaming. */
  now: () => Date;
  /** The clock on the wall, in milliseconds, for tokens and call rates; the SDK sees this one. */
  wireNow?: () => number;
  playground?: PlaygroundHost;
  app?: DemoApp;
  /** Pushes events and taps to this address instead of the long connection. */
  webhook?: { url: string; encryptKey?: string };
  /** Zone the page shows times in. */
  timeZone?: string;
  /** How long a tap waits for the bot's answer: 3000 ms on the platform. */
  tapDeadlineMs?: number;
  /** What clients are told about pings and reconnecting, in seconds. Gentler than the platform's so that demos recover fast. */
  clientConfig?: Partial<ClientConfig>;
  /** Payloads above this many bytes travel in several frames. */
  fragmentBytes?: number;
  /** False lets any number of calls through, for measurements. */
  rateLimits?: boolean;
  /** File that keeps messages and undelivered events over restarts; without it everything is forgotten. */
  memoryFile?: string;
};

const CLIENT_CONFIG: ClientConfig = { ReconnectCount: -1, ReconnectInterval: 3, ReconnectNonce: 1, PingInterval: 30 };
const SWEEP_MS = 250;
const CALLS_KEPT = 2000;
const PUSH_TIMEOUT_MS = 5000;

export type Platform = {
  /** `http://host:port`: the SDK's `domain`, and the page's address. */
  url: string;
  port: number;
  app: DemoApp;
  state: PlatformState;
  /** Calls of the open platform as they were answered, oldest first; the last 2000. */
  calls: CallRecord[];
  /** A person writes. `acknowledged` ends when the bot acknowledged the event for the first time, or failed to. */
  deliverMessage(said: SaidMessage): { messageId: string; acknowledged: Promise<void> };
  /** A person presses something on a card; resolves with what the client shows. */
  tap(request: TapRequest): Promise<TapResult>;
  recall(messageId: string, userId: string): Promise<void>;
  enter(chatId: string, userId: string): Promise<void>;
  menu(userId: string, eventKey: string): Promise<void>;
  react(messageId: string, userId: string, emojiType: string): Promise<void>;
  moveBot(chatId: string, userId: string, inside: boolean): Promise<void>;
  /** Any other event, body and all. @returns its event id */
  emit(type: EventType, event: unknown): Promise<string>;
  /** Pushes a raw payload over the long connection, as `event` or as the legacy `card` frame. @returns the acknowledgement's code */
  pushRaw(payload: unknown, type?: "event" | "card"): Promise<number | undefined>;
  /** Asks the webhook address to prove itself. @returns true when it echoed the challenge within a second */
  challengeWebhook(): Promise<boolean>;
  /** Puts a file into a chat's reach, for messages of people that carry one. @returns its key */
  addFile(kind: "image" | "file", name: string, bytes: Buffer): string;
  fault(fault: FaultRequest): void;
  /** To be called after the clock was moved: what is due is done, and the pages hear of it. */
  clockMoved(): void;
  /** Messages of a chat as a client shows them, oldest first. */
  messages(chatId: string): PageMessage[];
  /** Waits for news (a message, a patch, …). @throws Error after `timeoutMs` (default 5000) */
  until(wanted: (event: PageEvent) => boolean, timeoutMs?: number): Promise<PageEvent>;
  /** Bundles the page ahead of the first visitor, who otherwise waits for it. */
  warmUpPage(): void;
  /** Long connections that are up and listening. */
  connections(): number;
  /** Waits until the bot's long connection is up and listening. @throws Error after `timeoutMs` (default 5000) */
  whenConnected(timeoutMs?: number): Promise<void>;
  /** Events not yet acknowledged, and those given up. */
  events(): { pending: ReturnType<EventOutbox["pending"]>; lost: EventOutbox["lost"] };
  close(): Promise<void>;
};

/**
 * Starts the stand-in of the Feishu open platform: the HTTP calls and the long connection the official SDK talks to,
 * the chat page, and the means to play people and mishaps.
 *
 * Where the platform's documents are silent it takes the stricter reading: an answer to a tap without data is an error,
 * a card entity cannot be patched by its message, a tap without a connection is 200340. Not imitated: scopes (except
 * reading a group's messages), templates, 1.0 cards (taken unlooked at), ephemeral cards and batch messages, mentions
 * and links inside a card's markdown, user and contact calls, app registration.
 * @throws Error when the port is taken
 */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const core = buildCore(options);
  const keeper = keepMemory(core, options.memoryFile);
  const calls: CallRecord[] = [];
  const clockMoved = (): void => {
    core.outbox.sweep();
    core.feed.publish({ type: "clock", now: new Date(core.nowMs()).toISOString() });
  };
  const context: PageContext = {
    core,
    host: options.playground ?? {},
    timeZone: options.timeZone ?? "Asia/Shanghai",
    tapDeadlineMs: options.tapDeadlineMs ?? 3000,
    orderFault: (fault) => orderFault(core, fault),
    clockMoved,
  };
  const files = new PageFiles();
  const server = createServer((request, response) => {
    route(context, files, calls, request, response).catch(() => response.destroy());
  });
  server.on("upgrade", (request, socket, head) => {
    if (isLoopbackHost(request.headers.host)) core.socket.upgrade(request, socket, head);
    else socket.destroy();
  });
  const port = await listen(server, options);
  const sweeper = setInterval(() => core.outbox.sweep(), SWEEP_MS);
  sweeper.unref();

  return {
    url: `http://${options.host === "::1" ? "[::1]" : "127.0.0.1"}:${port}`,
    port,
    app: core.app,
    state: core.state,
    calls,
    deliverMessage: (said) => {
      const { message, heard } = say(core, said);
      return { messageId: message.messageId, acknowledged: heard };
    },
    tap: (request) => tap(context, request),
    recall: (messageId, userId) => takeBack(core, messageId, userId),
    enter: (chatId, userId) => enterChat(core, chatId, userId),
    menu: (userId, eventKey) => pressMenu(core, userId, eventKey),
    react: (messageId, userId, emojiType) => react(core, messageId, userId, emojiType),
    moveBot: (chatId, userId, inside) => moveBot(core, chatId, userId, inside),
    emit: (type, event) => emitEvent(core, type, event),
    pushRaw: async (payload, type) => (await core.socket.push(Buffer.from(JSON.stringify(payload)), type))?.code,
    challengeWebhook: () => challenge(core),
    addFile: (kind, name, bytes) => {
      const key = `${kind === "image" ? "img" : "file"}_v3_${newId("").slice(0, 24)}`;
      core.state.files.set(key, {
        key,
        name,
        mime: kind === "image" ? "image/png" : "application/octet-stream",
        bytes,
      });
      return key;
    },
    fault: (fault) => orderFault(core, fault),
    clockMoved,
    messages: (chatId) => messagesOf(core.state, chatId).map((each) => viewMessage(each, core.state, core.nowMs())),
    until: (wanted, timeoutMs) => until(core.feed, wanted, timeoutMs ?? 5000),
    warmUpPage: () => files.warmUp(),
    connections: () => core.socket.connections,
    whenConnected: async (timeoutMs) => {
      if (core.socket.connections > 0) return;
      await until(core.feed, (event) => event.type === "state" && event.herald.connected, timeoutMs ?? 5000);
    },
    events: () => ({ pending: core.outbox.pending(), lost: [...core.outbox.lost] }),
    close: async () => {
      clearInterval(sweeper);
      core.socket.close();
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
      await keeper?.close();
    },
  };
}

function keepMemory(core: PlatformCore, file: string | undefined): MemoryKeeper | undefined {
  if (file === undefined) return undefined;
  const earlier = readMemory(file);
  if (earlier) {
    const { waiting, ...state } = earlier;
    Object.assign(core.state, state);
    core.outbox.restore(waiting);
  }
  const keeper = new MemoryKeeper(file, () => {
    const { messages, cards, files, sentByUuid, tickets } = core.state;
    return { messages, cards, files, sentByUuid, tickets, waiting: core.outbox.remember() };
  });
  core.feed.listen(() => keeper.changed());
  return keeper;
}

function buildCore(options: PlatformOptions): PlatformCore {
  const app = options.app ?? DEMO_APP;
  const nowMs = (): number => options.now().getTime();
  const wireMs = options.wireNow ?? (() => Date.now());
  const faults = new Faults();
  const feed = new PageFeed(wireMs());
  const socket = new LongConnection({
    faults,
    config: { ...CLIENT_CONFIG, ...options.clientConfig },
    fragmentBytes: options.fragmentBytes ?? 64 * 1024,
    onChange: (change) => {
      feed.publish({ type: "state", herald: heraldOf(core), reload: false });
      if (change === "opened") core.outbox.flush();
    },
  });
  const webhook: WebhookTarget | undefined = options.webhook && {
    ...options.webhook,
    verificationToken: app.verificationToken,
  };
  const core: PlatformCore = {
    app,
    state: demoState(),
    nowMs,
    wireMs,
    rates: new RateLimits(wireMs, options.rateLimits ?? true),
    tokens: new Tokens(wireMs),
    faults,
    outbox: new EventOutbox({ nowMs, faults, push: (body) => pushEvent(core, body) }),
    socket,
    webhook,
    feed,
  };
  return core;
}

async function pushEvent(core: PlatformCore, body: unknown): Promise<PushResult> {
  if (core.webhook) {
    const timestampS = Math.floor(core.wireMs() / 1000);
    const answer = await pushToWebhook(body, core.webhook, { timestampS, timeoutMs: PUSH_TIMEOUT_MS });
    return answer === undefined ? "nobody" : answer.status === 200 ? "acknowledged" : "refused";
  }
  const ack = await core.socket.push(Buffer.from(JSON.stringify(body)));
  return ack === undefined ? "nobody" : ack.code === 200 ? "acknowledged" : "refused";
}

async function challenge(core: PlatformCore): Promise<boolean> {
  if (!core.webhook) return false;
  const word = newId("");
  const body = { challenge: word, token: core.app.verificationToken, type: "url_verification" };
  const timestampS = Math.floor(core.wireMs() / 1000);
  const answer = await pushToWebhook(body, core.webhook, { timestampS, timeoutMs: 1000 });
  if (answer?.status !== 200) return false;
  try {
    return (JSON.parse(answer.text) as { challenge?: unknown }).challenge === word;
  } catch {
    return false;
  }
}

function orderFault(core: PlatformCore, fault: FaultRequest): void {
  if (core.faults.order(fault)) return;
  if (fault.kind === "kill_sockets") core.socket.killAll();
  if (fault.kind === "expire_tokens") core.tokens.expireAll();
}

async function route(
  context: PageContext,
  files: PageFiles,
  calls: CallRecord[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isLoopbackHost(request.headers.host)) {
    response.writeHead(421).end();
    return;
  }
  const path = request.url ?? "/";
  if (path.startsWith("/open-apis/") || path.startsWith("/callback/")) {
    await answerOpenApi(context.core, request, response, (call) => {
      calls.push(call);
      if (calls.length > CALLS_KEPT) calls.splice(0, calls.length - CALLS_KEPT);
    });
  } else await answerPage(context, files, request, response);
}

async function listen(server: Server, options: PlatformOptions): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, options.host ?? "127.0.0.1", resolve);
  });
  return (server.address() as AddressInfo).port;
}

function until(feed: PageFeed, wanted: (event: PageEvent) => boolean, timeoutMs: number): Promise<PageEvent> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      stop();
    };
    const timer = setTimeout(() => {
      end();
      reject(new Error(`nothing of the kind came within ${timeoutMs} ms`));
    }, timeoutMs);
    const stop = feed.listen((event) => {
      if (!wanted(event)) return;
      end();
      resolve(event);
    });
  });
}
