import { DateTime } from "luxon";
import { type ActiveWindow, isActive, nextOpening } from "../active-window.ts";
import type { ItemStatus, MatterKind, Momentum } from "../tracking/item.ts";
import type { DecisionReason } from "./run.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Timely: due within this time, or overdue. The same day and a half as the momentum `time_sensitive`. */
export const TIMELY_HOURS = 36;
/** However near a date comes, the same matter is not said twice within this time. */
const LEAST_COOL_DOWN_HOURS = 2;
/** So long before its date a matter may be said once more, however often it was ignored before. */
const LAST_WORD_HOURS = 2;
/** Below this weight ("fewer of these" said twice) only timely matters of the kind are said. */
const SCARCE_WEIGHT = 0.3;
/** A time further ahead of the clock than this is not a clock set back but a wrong row, and holds nothing back. */
const CLOCK_STEP_HOURS = 26;

export interface DisturbSettings extends ActiveWindow {
  dailyMessages: number;
  minimumGapMinutes: number;
  coolDownHours: number;
  /** After so many reminders in a row without any reaction the matter is left alone. */
  stopAfterIgnored: number;
  mattersPerCard: number;
  idleMinutes: number;
}

/** What the rules need to know of an item. */
export interface MatterState {
  id: string;
  status: ItemStatus;
  kind: MatterKind;
  momentum: Momentum;
  dueAt: Date | null;
  snoozedUntil: Date | null;
  exact: boolean;
  lastRemindedAt: Date | null;
  /** reminders since the person last reacted */
  ignoredCount: number;
}

/** The state of the world the rules look at; the same for all candidates of a run. */
export interface DisturbFacts {
  now: Date;
  zone: string;
  settings: DisturbSettings;
  /** Until when reminders are paused; false when they are not. */
  paused: Date | false;
  /** When messages went out or are on their way, without those at a time the person named. */
  spokenAt: readonly Date[];
  /** Weight by kind of matter; a kind without an entry has 1. */
  weights: Readonly<Partial<Record<MatterKind, number>>>;
  /** Items in a message on its way, or said already in the window that is being judged again. */
  alreadySaid: ReadonlySet<string>;
  /** Items that a person's words have settled since they were last looked at. */
  settled: ReadonlySet<string>;
  /** The newest words of a person in any chat. */
  lastHumanAt: Date | null;
  /** A person asked for this look: rules about the hour and the number do not apply, rules about the matter do. */
  asked: boolean;
}

export type Verdict = { allow: true; timely: boolean } | { allow: false; reason: DecisionReason; until?: Date };

/** Held back by the hour or the number and not by the matter itself: to be judged again when that has passed. */
export const passingReasons = [
  "quiet_hours",
  "person_is_talking",
  "daily_limit",
  "minimum_gap",
  "paused",
] as const satisfies readonly DecisionReason[];

/**
 * May this matter be said now? First the rules about the matter itself, then those about the moment. A candidate that
 * has no item yet (`state` undefined) is only held to the latter.
 */
export function judgeMatter(state: MatterState | undefined, kind: MatterKind, facts: DisturbFacts): Verdict {
  const matter = state ? judgeState(state, facts) : judgeKind(kind, false, facts);
  if (!matter.allow) return matter;
  if (state && isNamedTime(state, facts.now)) {
    return state.exact ? matter : (judgeHour(facts) ?? judgeGap(facts) ?? matter);
  }
  return judgeMoment(facts) ?? matter;
}

/** True when the instant the person chose for this matter has come and it has not been said since. */
export function isNamedTime(state: MatterState, now: Date): boolean {
  if (!state.snoozedUntil || state.snoozedUntil > now) return false;
  return !state.lastRemindedAt || state.lastRemindedAt < state.snoozedUntil;
}

/**
 * True of a reminder a person set once it has been said at its time: what was asked for is done. Unanswered it stays on the
 * list; said again of its own accord it would be a nag.
 */
export function isSpentReminder(state: Pick<MatterState, "kind" | "snoozedUntil" | "lastRemindedAt">): boolean {
  if (state.kind !== "reminder" || !state.snoozedUntil || !state.lastRemindedAt) return false;
  return state.lastRemindedAt >= state.snoozedUntil;
}

/** Due within a day and a half, or overdue for no longer than that. */
export function isTimely(state: Pick<MatterState, "dueAt">, now: Date): boolean {
  return state.dueAt !== null && Math.abs(state.dueAt.getTime() - now.getTime()) <= TIMELY_HOURS * HOUR_MS;
}

/**
 * When this matter may be said again after its last reminder: the cool-down, doubled for each reminder that went
 * without a reaction after the first. A date that comes nearer shortens it to half of the time that was left then, and it
 * always ends shortly before the date, so that an appointment is named on its day and not only when it is over.
 */
export function coolDownEnds(state: MatterState, settings: DisturbSettings, weight: number): Date | undefined {
  if (!state.lastRemindedAt) return undefined;
  const left = state.dueAt
    ? (state.dueAt.getTime() - state.lastRemindedAt.getTime()) / HOUR_MS
    : Number.POSITIVE_INFINITY;
  const base =
    left > 0 ? Math.min(settings.coolDownHours, Math.max(LEAST_COOL_DOWN_HOURS, left / 2)) : settings.coolDownHours;
  const grown = (base * 2 ** Math.max(0, state.ignoredCount - 1)) / Math.max(weight, 0.01);
  const lastWord = weight >= 1 && left - LAST_WORD_HOURS >= LEAST_COOL_DOWN_HOURS ? left - LAST_WORD_HOURS : grown;
  return new Date(state.lastRemindedAt.getTime() + Math.min(grown, lastWord) * HOUR_MS);
}

function judgeState(state: MatterState, facts: DisturbFacts): Verdict {
  const { now, settings } = facts;
  if (state.status === "closed") return { allow: false, reason: "closed" };
  if (facts.settled.has(state.id)) return { allow: false, reason: "already_done" };
  if (state.snoozedUntil && state.snoozedUntil > now) {
    return { allow: false, reason: "snoozed", until: state.snoozedUntil };
  }
  if (facts.alreadySaid.has(state.id)) return { allow: false, reason: "recently_reminded" };
  const timely = isTimely(state, now);
  if (isNamedTime(state, now)) return { allow: true, timely: true };
  if (isSpentReminder(state)) return { allow: false, reason: "said_when_asked" };
  if (state.ignoredCount >= settings.stopAfterIgnored) return { allow: false, reason: "ignored_too_often" };
  const weight = facts.weights[state.kind] ?? 1;
  const until = coolDownEnds(state, settings, weight);
  if (until && until > now && !isFarAhead(state.lastRemindedAt, now)) {
    return { allow: false, reason: "recently_reminded", until };
  }
  return judgeKind(state.kind, timely, facts);
}

function judgeKind(kind: MatterKind, timely: boolean, facts: DisturbFacts): Verdict {
  if (!timely && (facts.weights[kind] ?? 1) < SCARCE_WEIGHT) return { allow: false, reason: "fewer_of_these" };
  return { allow: true, timely };
}

/** The rules of the hour that hold even for a time the person chose from the fixed ones: the pause and the quiet hours. */
function judgeHour(facts: DisturbFacts): Verdict | undefined {
  const { now, zone, settings, paused } = facts;
  if (facts.asked) return undefined;
  if (paused && paused > now) return { allow: false, reason: "paused", until: paused };
  if (!isActive(now, zone, settings)) {
    return { allow: false, reason: "quiet_hours", until: nextOpening(now, zone, settings) };
  }
  return undefined;
}

function judgeMoment(facts: DisturbFacts): Verdict | undefined {
  const hour = judgeHour(facts);
  if (hour || facts.asked) return hour;
  const { now, zone, settings } = facts;
  const idleFrom = talkingUntil(facts.lastHumanAt, now, settings.idleMinutes);
  if (idleFrom) return { allow: false, reason: "person_is_talking", until: idleFrom };
  const spoken = facts.spokenAt.filter((at) => !isFarAhead(at, now));
  const today = DateTime.fromJSDate(now, { zone }).startOf("day");
  if (spoken.filter((at) => at >= today.toJSDate()).length >= settings.dailyMessages) {
    return { allow: false, reason: "daily_limit", until: today.plus({ days: 1 }).toJSDate() };
  }
  return judgeGap(facts);
}

/** Only a time the person named to the minute comes sooner after another message. */
function judgeGap({ now, settings, spokenAt, asked }: DisturbFacts): Verdict | undefined {
  const until = asked ? undefined : gapEnds(spokenAt, now, settings.minimumGapMinutes);
  return until && { allow: false, reason: "minimum_gap", until };
}

/** When the gap after the messages that went out has passed; undefined when it has. */
export function gapEnds(spokenAt: readonly Date[], now: Date, minimumGapMinutes: number): Date | undefined {
  const spoken = spokenAt.filter((at) => !isFarAhead(at, now));
  if (spoken.length === 0) return undefined;
  const ends = Math.max(...spoken.map((at) => at.getTime())) + minimumGapMinutes * MINUTE_MS;
  return ends > now.getTime() ? new Date(ends) : undefined;
}

/** Until when the person counts as being in the middle of a chat; undefined when not. A message of the future says nothing. */
export function talkingUntil(lastHumanAt: Date | null, now: Date, idleMinutes: number): Date | undefined {
  if (!lastHumanAt || lastHumanAt > now) return undefined;
  const until = new Date(lastHumanAt.getTime() + idleMinutes * MINUTE_MS);
  return until > now ? until : undefined;
}

function isFarAhead(at: Date | null, now: Date): boolean {
  return at !== null && at.getTime() - now.getTime() > CLOCK_STEP_HOURS * HOUR_MS;
}
