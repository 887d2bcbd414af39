import { setTimeout as sleep } from "node:timers/promises";
import * as sdk from "@larksuiteoapi/node-sdk";
import type { Log } from "../engine/ports.ts";

const HANDSHAKE_TIMEOUT_MS = 15_000;

export interface ConnectionWatch {
  /** Seconds without a pong after which the socket counts as dead. The SDK's watchdog is off by default. */
  pongTimeoutS: number;
  /** How often our own watch looks. */
  everyMs: number;
  /** A watch that comes this much late means the machine slept: the socket is not to be trusted. */
  sleptMs: number;
  /** The SDK pings every 2 minutes at most; silence beyond this is a half-dead link. */
  silentMs: number;
  /** A connection that does not come up is torn down and begun anew after this. */
  notUpMs: number;
}

export const CONNECTION_WATCH: ConnectionWatch = {
  pongTimeoutS: 10,
  everyMs: 15_000,
  sleptMs: 60_000,
  silentMs: 5 * 60_000,
  notUpMs: 3 * 60_000,
};

export interface LongConnectionSettings {
  appId: string;
  appSecret: string;
  baseUrl: string;
}

export interface ConnectionHealth {
  state: "connecting" | "connected" | "reconnecting" | "failed" | "stopped";
  /** when a frame or pong last came in (process time, ms of performance.now) */
  lastInboundMs: number | undefined;
  reconnects: number;
}

export interface LongConnection {
  /** Resolves when the connection is up for the first time. */
  readonly firstUp: Promise<void>;
  health(): ConnectionHealth;
  /** Stops receiving. Answers of taps in hand are still sent by the SDK while the socket stands. */
  stop(): Promise<void>;
}

/** Events this bot handles; everything else the console may have subscribed is acknowledged and left. */
export const EVENTS = [
  "im.message.receive_v1",
  "im.message.recalled_v1",
  "im.message.message_read_v1",
  "im.message.reaction.created_v1",
  "im.message.reaction.deleted_v1",
  "im.chat.access_event.bot_p2p_chat_entered_v1",
  "im.chat.member.bot.added_v1",
  "im.chat.member.bot.deleted_v1",
  "application.bot.menu_v6",
] as const;

/**
 * Receives events and taps over the platform's long connection (one per app: several would share the events at random).
 * `receive` must have stored the event before it resolves: that is the acknowledgement. What it resolves to answers a
 * tap; it must be an object and come within 3 s.
 */
export function startLongConnection(
  settings: LongConnectionSettings,
  receive: (raw: unknown) => Promise<object>,
  log: Log,
  timing: ConnectionWatch = CONNECTION_WATCH,
): LongConnection {
  let lastInboundMs: number | undefined;
  let lastUpMs = performance.now();
  let reconnects = 0;
  let state: ConnectionHealth["state"] = "connecting";
  let isUp = (): void => {};
  const firstUp = new Promise<void>((resolve) => {
    isUp = resolve;
  });
  let client = open();
  let lastWatchMs = performance.now();
  let stopped = false;

  function dispatcher(): sdk.EventDispatcher {
    const handle = async (raw: unknown): Promise<object> => {
      lastInboundMs = performance.now();
      return receive(raw);
    };
    const handlers: Record<string, (raw: unknown) => Promise<object>> = { "card.action.trigger": handle };
    for (const name of EVENTS) handlers[name] = handle;
    return new sdk.EventDispatcher({ logger: silent, loggerLevel: sdk.LoggerLevel.error }).register(handlers);
  }

  function open(): sdk.WSClient {
    const fresh = new sdk.WSClient({
      appId: settings.appId,
      appSecret: settings.appSecret,
      domain: settings.baseUrl,
      logger: watchLogger(),
      // The SDK tells of pongs and of frames it ignores in its log only; nothing of it is written anywhere.
      loggerLevel: sdk.LoggerLevel.trace,
      wsConfig: { pingTimeout: timing.pongTimeoutS },
      handshakeTimeoutMs: HANDSHAKE_TIMEOUT_MS,
      onReady: () => up("connected"),
      onReconnected: () => {
        reconnects++;
        up("reconnected");
      },
      onReconnecting: () => {
        state = "reconnecting";
        log.warn("feishu.connection.lost");
      },
      onError: (error) => {
        state = "failed";
        log.warn("feishu.connection.failed", { error: error.message.slice(0, 200) });
      },
    });
    void fresh.start({ eventDispatcher: dispatcher() }).catch((error: unknown) => {
      state = "failed";
      log.incident("feishu.connection.start", error);
    });
    return fresh;
  }

  function up(how: string): void {
    state = "connected";
    lastInboundMs = lastUpMs = performance.now();
    isUp();
    log.info(`feishu.connection.${how}`);
  }

  function watchLogger(): typeof silent {
    const see = (...parts: unknown[]): void => {
      const line = parts.flat().join(" ");
      if (line.includes("receive pong")) lastInboundMs = performance.now();
      // Frames of type card are dropped by the SDK without an answer: the callback subscription is not effective.
      else if (line.includes("receive message") && line.includes("message_type: card"))
        log.warn("feishu.callback.card_frame", { fix: "save and publish the callback subscription again" });
      else if (line.includes("failed to merge") || line.includes("failed to handle"))
        log.warn("feishu.connection.frame");
    };
    return { error: see, warn: see, info: () => {}, debug: see, trace: see };
  }

  function watch(): void {
    const nowMs = performance.now();
    const lateMs = nowMs - lastWatchMs - timing.everyMs;
    lastWatchMs = nowMs;
    if (state === "connected") lastUpMs = nowMs;
    const silentMs = nowMs - (lastInboundMs ?? nowMs);
    const why =
      lateMs > timing.sleptMs
        ? "slept"
        : state === "connected" && silentMs > timing.silentMs
          ? "silent"
          : state !== "connected" && nowMs - lastUpMs > timing.notUpMs
            ? "not_up"
            : undefined;
    if (why === undefined) return;
    log.warn("feishu.connection.renewed", { why });
    client.close({ force: true });
    state = "reconnecting";
    reconnects++;
    lastUpMs = nowMs;
    client = open();
  }

  const timer = setInterval(watch, timing.everyMs);
  timer.unref();

  return {
    firstUp,
    health: () => ({ state, lastInboundMs, reconnects }),
    async stop(): Promise<void> {
      if (stopped) return;
      stopped = true;
      clearInterval(timer);
      state = "stopped";
      // An answer that was handed over a moment ago is written to the socket first.
      await sleep(20);
      client.close({ force: true });
    },
  };
}

const silent = {
  error: (..._parts: unknown[]): void => {},
  warn: (..._parts: unknown[]): void => {},
  info: (..._parts: unknown[]): void => {},
  debug: (..._parts: unknown[]): void => {},
  trace: (..._parts: unknown[]): void => {},
};
