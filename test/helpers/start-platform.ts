import { randomBytes } from "node:crypto";
import { DEMO_CHATS, DEMO_PEOPLE } from "../../src/playground/demo-people.ts";
import type { PageMessage } from "../../src/playground/page-api.ts";
import { DEMO_APP, type Platform, type PlatformOptions, startPlatform } from "../../src/playground/platform.ts";

/** A clock that stands until it is moved. */
export type ManualClock = { now: () => Date; set: (now: Date | string) => void; advance: (ms: number) => void };

export type TestPlatform = Platform & {
  clock: ManualClock;
  people: typeof DEMO_PEOPLE;
  chats: typeof DEMO_CHATS;
  /** Options of the real SDK's `Client` and `WSClient`. */
  /** The first message of a chat that fits, there already or within `timeoutMs` (default 5000). */
  waitForMessage: (chatId: string, fits: (message: PageMessage) => boolean, timeoutMs?: number) => Promise<PageMessage>;
  sdk: { appId: string; appSecret: string; domain: string };
};

/**
 * The stand-in platform with a clock of its own. Moving the clock also makes the platform do what is due then
 * (redelivery). Close it in `afterEach`.
 */
export async function startTestPlatform(
  options: Partial<PlatformOptions> & { start?: string } = {},
): Promise<TestPlatform> {
  const { start, ...rest } = options;
  let now = new Date(start ?? "2026-03-02T01:00:00Z");
  // An app id of its own: the SDK keeps tokens per app id for the whole process, over all its clients.
  const app = { ...DEMO_APP, appId: `cli_${randomBytes(8).toString("hex")}` };
  const platform = await startPlatform({ now: () => now, app, ...rest });
  const set = (to: Date | string): void => {
    now = new Date(to);
    platform.clockMoved();
  };
  return {
    ...platform,
    clock: { now: () => now, set, advance: (ms) => set(new Date(now.getTime() + ms)) },
    waitForMessage: async (chatId, fits, timeoutMs) => {
      const wanted = (message: PageMessage): boolean => message.chatId === chatId && fits(message);
      const there = platform.messages(chatId).find(wanted);
      if (there) return there;
      const event = await platform.until((each) => "message" in each && wanted(each.message), timeoutMs);
      if (!("message" in event)) throw new Error("no message");
      return event.message;
    },
    people: DEMO_PEOPLE,
    chats: DEMO_CHATS,
    sdk: { appId: platform.app.appId, appSecret: platform.app.appSecret, domain: platform.url },
  };
}
