import { DateTime } from "luxon";
import { readTimes, type TimeMention } from "../natural-time.ts";

/** Why an argument is no time: for the line a person is answered with. */
export type WhenProblem = "empty" | "no_time" | "more_than_a_time" | "past";

export type When =
  | { ok: true; at: Date; mention: TimeMention }
  /** `rest`: the words that were not understood (with `more_than_a_time`). */
  | { ok: false; problem: WhenProblem; rest?: string };

/** Signs and small words around a time that carry nothing: "at", "吧", "再提醒我". */
const CARRIES_NOTHING =
  /^(?:[\s,.;:!?，。；：！？、~]|再|吧|啊|哦|时候?|提醒我?|叫我|到|until|till|to|on|at|please|the|me|remind)*$/i;

/** A day without a clock time is meant at this hour. */
const DAY_HOUR = 9;

/**
 * Reads a command's argument that must be a time and nothing else: 明天下午3点, 周五, in 2h, 30分钟, tonight.
 * A bare day is `dayHour`:00 of that day; today, once that is over, this evening or an hour from now. Never in the past.
 */
export function parseWhen(text: string, now: Date, zone: string, dayHour = DAY_HOUR): When {
  if (text.trim() === "") return { ok: false, problem: "empty" };
  const mentions = readTimes(text, now, zone);
  const mention = mentions.find((m) => !m.past);
  if (!mention) return { ok: false, problem: mentions.length > 0 ? "past" : "no_time" };
  const rest = text.slice(0, mention.index) + text.slice(mention.index + mention.matched.length);
  if (!CARRIES_NOTHING.test(rest.normalize("NFKC")))
    return { ok: false, problem: "more_than_a_time", rest: rest.trim() };
  const at = instantOf(mention, now, zone, dayHour);
  return at > now ? { ok: true, at, mention } : { ok: false, problem: "past" };
}

/** The instant to act at: clock times as they are, days and longer at the usual hour. */
export function instantOf(mention: TimeMention, now: Date, zone: string, dayHour = DAY_HOUR): Date {
  if (mention.grain === "minute" || mention.grain === "hour") return mention.start;
  const day = DateTime.fromJSDate(mention.start, { zone }).startOf("day");
  const usual = day.set({ hour: dayHour });
  const here = DateTime.fromJSDate(now, { zone });
  if (usual > here) return usual.toJSDate();
  const evening = day.set({ hour: 18 });
  if (day.hasSame(here, "day")) return (evening > here ? evening : here.plus({ hours: 1 })).toJSDate();
  return mention.start;
}
