import type { EventOutbox } from "./event-outbox.ts";
import type { Faults } from "./faults.ts";
import type { LongConnection } from "./long-connection.ts";
import type { PageFeed } from "./page-feed.ts";
import type { PlatformState } from "./platform-state.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { Tokens } from "./tokens.ts";
import type { WebhookTarget } from "./webhook-push.ts";

/** The one app of the stand-in: its id has the form the SDK checks for (`cli_` and 16 hex digits). */
export type DemoApp = {
  appId: string;
  appSecret: string;
  verificationToken: string;
  /** Names of the permissions that were granted; those a bot needs, unless given. */
  scopes?: readonly string[];
  /** Names of the callbacks that are subscribed; taps on cards, unless given. */
  callbacks?: readonly string[];
  /** Names of the events that are subscribed; messages, unless given. */
  events?: readonly string[];
  /** False for an app to which nobody added a bot. */
  bot?: boolean;
};

/** The parts of the running stand-in that its calls work on. */
export type PlatformCore = {
  app: DemoApp;
  state: PlatformState;
  /** The movable clock: ages of messages, redelivery, update tickets, streaming. */
  nowMs: () => number;
  /** The clock on the wall, as the SDK sees it: tokens and call rates. */
  wireMs: () => number;
  rates: RateLimits;
  tokens: Tokens;
  faults: Faults;
  outbox: EventOutbox;
  socket: LongConnection;
  /** Present in webhook mode; then events and taps go there instead of the long connection. */
  webhook: WebhookTarget | undefined;
  feed: PageFeed;
};
