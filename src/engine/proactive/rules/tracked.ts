import type { ExtractInput, TrackedMatter } from "./extract-input.ts";
import type { Matter } from "./matter.ts";
import { likeness, termsOf } from "./terms.ts";

const HOUR = 3_600_000;
/** Reminded of within this time: not again yet. */
const COOL_DOWN = 24 * HOUR;
/** A date this near is worth a word. */
const NEAR = 36 * HOUR;
const SAME = 0.6;

/** A tracked item as a matter, so that words can end or move it like any other. */
export function asMatter(item: TrackedMatter): Matter {
  return {
    title: item.title,
    summary: "",
    kind: item.momentum === "waiting" ? "waiting" : item.dueAt ? "deadline" : "follow_up",
    time: undefined,
    evidence: [],
    sessionId: "",
    at: new Date(0),
    terms: termsOf(item.title),
    why: item.momentum === "waiting" ? "waiting" : item.momentum === "stalled" ? "put_off" : "open",
    occasion: false,
    leans: false,
    thin: false,
    goalId: item.goalId,
    ...(item.dueAt ? { wasDue: item.dueAt } : {}),
  };
}

/** The tracked item a matter belongs to: by a message both rest on, or by what it is about. */
export function trackedFor(matter: Matter, tracking: readonly TrackedMatter[]): TrackedMatter | undefined {
  const sharing = tracking.find((item) => item.evidence?.some((id) => matter.evidence.includes(id)));
  if (sharing) return sharing;
  const ranked = tracking
    .map((item) => ({
      item,
      score: Math.max(
        likeness(termsOf(item.title), termsOf(matter.title)),
        likeness(termsOf(item.title), matter.terms),
      ),
    }))
    .sort((a, b) => b.score - a.score);
  return ranked[0] && ranked[0].score >= SAME ? ranked[0].item : undefined;
}

/** May this item be spoken of now? Not when it is closed, asleep, or was spoken of a moment ago. */
export function isSilent(item: TrackedMatter, input: ExtractInput): boolean {
  if (item.status === "closed") return true;
  if (item.snoozedUntil && item.snoozedUntil > input.now) return true;
  const last = lastReminder(item, input);
  return last !== undefined && input.now.getTime() - last.getTime() < COOL_DOWN;
}

/** When the item was last spoken of, by its own record or by what was sent. */
function lastReminder(item: TrackedMatter, input: ExtractInput): Date | undefined {
  const times = input.sent.filter((s) => s.goalIds?.includes(item.goalId)).map((s) => s.at);
  if (item.lastRemindedAt) times.push(item.lastRemindedAt);
  return times.reduce<Date | undefined>((latest, at) => (latest === undefined || at > latest ? at : latest), undefined);
}

/** A tracked item whose own time has come: due soon or over, or just awake again. */
export function hasItsTime(item: TrackedMatter, input: ExtractInput): boolean {
  const now = input.now.getTime();
  if (item.dueAt && item.dueAt.getTime() - now <= NEAR) return true;
  return item.snoozedUntil !== null && item.snoozedUntil !== undefined && now - item.snoozedUntil.getTime() < 48 * HOUR;
}

/** Was this already said in a reminder after its last word? */
export function wasJustSaid(matter: Matter, input: ExtractInput): boolean {
  return input.sent.some(
    (s) =>
      s.at > matter.at &&
      input.now.getTime() - s.at.getTime() < COOL_DOWN &&
      likeness(termsOf(matter.title), termsOf(s.text)) >= SAME,
  );
}
