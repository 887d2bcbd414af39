import type { FeishuConfig } from "../../config.ts";
import { askFeishu } from "./ask-feishu.ts";
import { type Finding, fail, leftOut, ok, warn } from "./finding.ts";

/** Without these a part of Herald does not work. Each with the one that also covers it, where there is one. */
export const NEEDED_SCOPES: readonly (readonly string[])[] = [
  ["im:message:send_as_bot", "im:message"],
  ["im:message.p2p_msg:readonly", "im:message"],
  ["im:message.group_at_msg:readonly", "im:message"],
  ["im:message:update", "im:message"],
];
/** Without these it works with less: streamed replies, files, the way a lost receipt is found again. */
export const USEFUL_SCOPES: readonly (readonly string[])[] = [
  ["cardkit:card:write"],
  ["im:resource"],
  ["im:message:readonly", "im:message"],
  ["im:chat:readonly", "im:chat"],
];
/** Without it every button is dead. */
export const CARD_CALLBACK = "card.action.trigger";
/** Without it the bot hears nothing. */
const MESSAGE_EVENT = "im.message.receive_v1";
const CLOCK_WARN_MS = 60_000;
const CLOCK_FAIL_MS = 5 * 60_000;

/** The platform: reached, let in, a bot at all, its permissions, its callbacks; and this machine's clock against it. */
export async function checkFeishu(feishu: FeishuConfig, now: () => Date): Promise<Finding[]> {
  const answers = await askFeishu(feishu);
  if (!answers.reached) {
    return [leftOut("clock"), fail("feishu", "feishuAway", { host: hostOf(feishu.baseUrl), why: answers.why })];
  }
  const console = consoleOf(feishu);
  const clock = checkClock(answers.platformTime, now());
  if (!answers.token.ok) {
    return [clock, fail("feishu", "feishuRefused", { code: answers.token.code, place: `${console}/baseinfo` })];
  }
  return [
    clock,
    ok("feishu", { app: feishu.appId }),
    answers.bot?.ok === true
      ? ok("bot", { name: answers.bot.name })
      : fail("bot", "noBot", { code: answers.bot?.code ?? 0, place: `${console}/bot` }),
    checkScopes(answers.scopes, console),
    checkEvents(answers.events, console),
    checkCallbacks(answers.callbacks, console),
  ];
}

function checkClock(platformTime: Date | undefined, now: Date): Finding {
  if (platformTime === undefined) return leftOut("clock");
  const off = now.getTime() - platformTime.getTime();
  const seconds = Math.round(Math.abs(off) / 1000);
  if (Math.abs(off) >= CLOCK_FAIL_MS) return fail("clock", "clockOff", { seconds });
  return Math.abs(off) >= CLOCK_WARN_MS ? warn("clock", "clockOff", { seconds }) : ok("clock", { seconds });
}

function checkScopes(granted: readonly string[] | undefined, console: string): Finding {
  if (granted === undefined) return leftOut("scopes");
  const missing = (wanted: readonly (readonly string[])[]): string[] =>
    wanted.filter((any) => !any.some((name) => granted.includes(name))).map(([name = ""]) => name);
  const place = `${console}/auth`;
  const needed = missing(NEEDED_SCOPES);
  if (needed.length > 0) return fail("scopes", "scopesMissing", { names: needed.join(" "), place });
  const useful = missing(USEFUL_SCOPES);
  return useful.length > 0
    ? warn("scopes", "scopesUseful", { names: useful.join(" "), place })
    : ok("scopes", { count: granted.length });
}

function checkEvents(subscribed: readonly string[] | undefined, console: string): Finding {
  if (subscribed === undefined) return leftOut("events");
  return subscribed.includes(MESSAGE_EVENT)
    ? ok("events")
    : fail("events", "noEvent", { place: `${console}/event?tab=event` });
}

function checkCallbacks(subscribed: readonly string[] | undefined, console: string): Finding {
  if (subscribed === undefined) return leftOut("callbacks");
  return subscribed.includes(CARD_CALLBACK)
    ? ok("callbacks")
    : fail("callbacks", "noCallback", { place: `${console}/event?tab=callback` });
}

/** The app's page in the developers' console. */
export function consoleOf({ baseUrl, appId }: Pick<FeishuConfig, "baseUrl" | "appId">): string {
  return `${baseUrl}/app/${appId}`;
}

function hostOf(url: string): string {
  return new URL(url).host;
}
