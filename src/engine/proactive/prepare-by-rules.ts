import { DateTime } from "luxon";
import type { Texts } from "../../text/pick.ts";
import type { TrackingItem } from "../tracking/item.ts";
import { endOfGrain, isOverdue, lastHeard, QUIET_HOURS } from "./critical-moments.ts";
import { isNamedTime, isSpentReminder } from "./disturb-rules.ts";
import { dateWords } from "./due-words.ts";
import type { PreparedMatter } from "./found-matter.ts";
import { isAppointment, sayMatter } from "./reminder-text.ts";

const HOUR_MS = 3_600_000;
/** What was said within this time the person still has in mind. */
const FRESH_HOURS = 1;
const FRESH_THE_DAY_BEFORE_HOURS = 3;
const SHORTLY_BEFORE_HOURS = 3;
const CLAIM_SETTLES_HOURS = 2;
/** At the first look of all a date so near is worth a word, and so is anything open that is not quite fresh. */
const FIRST_LOOK_DUE_DAYS = 7;
const FIRST_LOOK_DAYS = 14;
/** A date longer past than this is no longer brought up for its date. */
const OVERDUE_DAYS = 14;

/** What the rules look at besides the items. */
export interface PrepareFacts {
  now: Date;
  zone: string;
  texts: Texts["engine"];
  /** Items whose last reminder did not arrive. */
  rolledBack: ReadonlySet<string>;
  /** Nothing has ever been judged: what the person left open before Herald came is told at once, not when its day comes. */
  firstLook: boolean;
}

/** Worker 2 without a model: the items whose time has come and those left over, each with its reason and a draft. */
export function prepareByRules(items: readonly TrackingItem[], facts: PrepareFacts): PreparedMatter[] {
  const prepared: PreparedMatter[] = [];
  for (const item of items) {
    const whyNow = whyNowOf(item, facts);
    if (whyNow === undefined) continue;
    prepared.push({
      goalId: item.id,
      kind: item.kind,
      title: item.title,
      whyNow,
      draft: sayMatter(item, facts),
      evidence: item.evidence,
    });
  }
  return prepared;
}

/**
 * The reason to mention the item now, in the person's words; undefined when it can wait. It stays on the card for days, so
 * dates are named in full, and how long ago something was is left to the card, which counts it anew.
 */
export function whyNowOf(item: TrackingItem, facts: PrepareFacts): string | undefined {
  const { now, zone, texts, firstLook } = facts;
  if (item.snoozedUntil && item.snoozedUntil > now) return undefined;
  if (isNamedTime(item, now)) return item.kind === "reminder" ? texts.why.personSet : texts.why.snoozeOver;
  if (isSpentReminder(item)) return undefined;
  if (facts.rolledBack.has(item.id)) return texts.why.notDelivered;
  if (item.claimedDoneAt) {
    return hoursSince(item.claimedDoneAt, now) >= CLAIM_SETTLES_HOURS ? texts.why.claimed : undefined;
  }
  if (item.dueAt) {
    const why = dateReason(item, item.dueAt, facts);
    if (isOverdue(item, now, zone)) return hoursSince(item.dueAt, now) <= OVERDUE_DAYS * 24 ? why : undefined;
    if (isDueSoon(item, item.dueAt, facts)) return why;
    if (firstLook && isNotFresh(item, now) && hoursSince(now, item.dueAt) <= FIRST_LOOK_DUE_DAYS * 24) {
      return why;
    }
    if (item.momentum === "on_track" || item.momentum === "time_sensitive") return undefined;
  }
  const heard = lastHeard(item);
  const quietEnough = hoursSince(heard, now) >= QUIET_HOURS[item.momentum];
  const firstSeen = firstLook && isNotFresh(item, now) && hoursSince(heard, now) <= FIRST_LOOK_DAYS * 24;
  if (!quietEnough && !firstSeen) return undefined;
  const since = dateWords(heard, "day", now, zone, texts.due);
  if (item.momentum === "waiting") return texts.why.waiting(since);
  return item.momentum === "stalled" ? texts.why.stalled(since) : texts.why.quiet(since);
}

/** The reason that is nothing but the item's date. */
export function dateReason(
  item: Pick<TrackingItem, "dueAt" | "dueGrain" | "kind">,
  dueAt: Date,
  { now, zone, texts }: Pick<PrepareFacts, "now" | "zone" | "texts">,
): string {
  const due = dateWords(dueAt, item.dueGrain, now, zone, texts.due);
  if (isOverdue(item, now, zone)) return texts.why.overdue(due);
  return isAppointment(item) ? texts.why.atTime(due) : texts.why.due(due);
}

/** Shortly before a clock time always; on the day, and from the day before, unless the person has only just spoken of it. */
function isDueSoon(item: TrackingItem, dueAt: Date, { now, zone }: PrepareFacts): boolean {
  const due = DateTime.fromJSDate(dueAt, { zone });
  const clock = item.dueGrain === "minute" || item.dueGrain === "hour";
  if (clock && (dueAt.getTime() - now.getTime()) / HOUR_MS <= SHORTLY_BEFORE_HOURS) return true;
  // A week or a month is due on its last day.
  const day =
    clock || item.dueGrain === "day" || item.dueGrain === null
      ? due
      : endOfGrain(due, item.dueGrain).minus({ minutes: 1 });
  const days = Math.round(day.startOf("day").diff(DateTime.fromJSDate(now, { zone }).startOf("day"), "days").days);
  const quiet = hoursSince(lastHeard(item), now);
  return (days <= 0 && quiet >= FRESH_HOURS) || (days === 1 && quiet >= FRESH_THE_DAY_BEFORE_HOURS);
}

function isNotFresh(item: TrackingItem, now: Date): boolean {
  return hoursSince(lastHeard(item), now) >= FRESH_HOURS;
}

function hoursSince(at: Date, now: Date): number {
  return (now.getTime() - at.getTime()) / HOUR_MS;
}
