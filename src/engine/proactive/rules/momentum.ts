import type { TimeMention } from "../../natural-time.ts";
import type { Grain, MatterKind, Momentum } from "../../tracking/item.ts";

/** A date within a day and a half makes a matter time-sensitive. */
export const NEAR_MS = 36 * 3_600_000;

/** waiting: someone else moves first; stalled: begun and left; time_sensitive: due within a day and a half; else on_track. */
export function momentumOf(kind: MatterKind, stalled: boolean, dueAt: Date | null, now: Date): Momentum {
  if (kind === "waiting") return "waiting";
  if (dueAt && dueAt.getTime() - now.getTime() <= NEAR_MS) return "time_sensitive";
  return stalled ? "stalled" : "on_track";
}

/** The due date of a time as the product keeps it: clock times to the minute, parts of a day by their day. */
export function dueOf(time: TimeMention | undefined): { dueAt: Date | null; dueGrain: Grain | null } {
  if (!time) return { dueAt: null, dueGrain: null };
  if (time.grain === "quarter" || time.grain === "year") return { dueAt: time.start, dueGrain: "month" };
  if (time.within && time.grain === "hour") return { dueAt: time.start, dueGrain: "day" };
  // "this week", said in it: by its last day.
  if ((time.grain === "week" || time.grain === "month") && /^(?:得|要|在)?(?:这|本|this)/i.test(time.matched.trim()))
    return { dueAt: new Date(time.until.getTime() - 24 * 3_600_000), dueGrain: time.grain };
  return { dueAt: time.start, dueGrain: time.grain };
}
