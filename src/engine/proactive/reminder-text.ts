import type { Texts } from "../../text/pick.ts";
import type { TrackingItem } from "../tracking/item.ts";
import { isOverdue } from "./critical-moments.ts";
import { isNamedTime } from "./disturb-rules.ts";
import { dueWords } from "./due-words.ts";

/** The longest text of a message; the card's rows carry the rest. In code points. */
export const TEXT_CHARS = 600;

/** A reminder said later than this after its time says so. */
const LATE_MINUTES = 10;

/** What a sentence about an item needs. */
export type SayableItem = Pick<
  TrackingItem,
  | "id"
  | "title"
  | "kind"
  | "status"
  | "momentum"
  | "dueAt"
  | "dueGrain"
  | "snoozedUntil"
  | "exact"
  | "lastRemindedAt"
  | "ignoredCount"
  | "claimedDoneAt"
>;

export interface SayLook {
  now: Date;
  zone: string;
  texts: Texts["engine"];
}

/**
 * The text of a message without a model: one sentence about the most pressing matter, how many there are when there are
 * several (the rows below name them), and what was kept back.
 */
export function writeReminder(items: readonly SayableItem[], folded: number, look: SayLook): string {
  const [first] = items;
  if (!first) return "";
  const { say } = look.texts;
  const named = items.every((item) => isNamedTime(item, look.now) && item.kind === "reminder");
  const text =
    items.length === 1
      ? sayMatter(first, look)
      : named
        ? say[items.some((item) => isLate(item, look.now)) ? "lateReminders" : "reminders"](
            items.length,
            say.quoted(first.title),
          )
        : say.several(items.length + folded, sayMatter(first, look));
  return folded > 0 ? `${text}\n${say.folded(folded)}` : text;
}

/** One sentence about one matter. What only the agent claims is asked, never stated. */
export function sayMatter(item: SayableItem, look: SayLook): string {
  const { say, due: dueTexts } = look.texts;
  if (isNamedTime(item, look.now)) {
    if (item.kind !== "reminder") return say.snoozed(say.quoted(item.title));
    return item.snoozedUntil && isLate(item, look.now)
      ? say.lateReminder(item.title, dueWords(item.snoozedUntil, "minute", look.now, look.zone, dueTexts))
      : say.reminder(item.title);
  }
  const title = say.quoted(item.title);
  if (item.claimedDoneAt) return say.claimedDone(title);
  if (item.dueAt) {
    const due = dueWords(item.dueAt, item.dueGrain, look.now, look.zone, dueTexts);
    if (isOverdue(item, look.now, look.zone)) return say.overdue(title, due);
    if (item.momentum !== "waiting" && item.momentum !== "stalled") {
      return isAppointment(item) ? say.atTime(title, due) : say.dueSoon(title, due);
    }
  }
  if (item.momentum === "waiting") return say.waiting(title);
  return item.momentum === "stalled" ? say.stalled(title) : say.open(title);
}

function isLate({ snoozedUntil }: SayableItem, now: Date): boolean {
  return snoozedUntil !== null && now.getTime() - snoozedUntil.getTime() > LATE_MINUTES * 60_000;
}

/** An hour to be somewhere, rather than one by which something must be done. */
export function isAppointment(item: Pick<TrackingItem, "dueGrain" | "kind">): boolean {
  return (
    (item.dueGrain === "minute" || item.dueGrain === "hour") && item.kind !== "deadline" && item.kind !== "promise"
  );
}
