import { inTransaction } from "../db.ts";
import { EngineError } from "../errors.ts";
import { fullMinute } from "../full-minute.ts";
import { statusesBefore } from "../lifecycle.ts";
import { assertMay } from "../people/person.ts";
import type { Actor, Scope } from "../scope.ts";
import { readSettings, type Settings } from "../settings.ts";
import { changeItem, type ItemPatch } from "./change-item.ts";
import { closedBefore, type DecidedBefore, type Decision, lastDecision, nameOf, recordDecision } from "./decision.ts";
import { itemLifecycle, type TrackingItem } from "./item.ts";
import { type SnoozeChoice, snoozeUntil } from "./snooze-until.ts";

export type SnoozeResult =
  | { outcome: "snoozed"; item: TrackingItem; until: Date; decisionId: string; undoUntil: Date }
  /** Closed, or snoozed by someone else meanwhile (`how`): nothing changed. */
  | DecidedBefore;

export const SNOOZE_LIMIT_DAYS = 366;
/** Two taps on the same choice, from two phones or after a lost answer, differ by no more. */
const SAME_CHOICE_MS = 60_000;

/**
 * Nothing is said about the matter before an absolute instant. `choice` is one of the buttons and respects the quiet
 * hours; `at` is a time the person named, kept to the minute (seconds are rounded up), quiet hours or not.
 * @param input.zone IANA name of the person's own zone, on whose wall a choice is read; the agent's unless given
 * @param input.seenRevision the item's revision on the card that was tapped: when someone has decided since, they are
 * named and nothing changes
 * @throws EngineError forbidden · not_found · invalid_input (past, or over 366 days away)
 */
export async function snoozeItem(
  scope: Scope,
  who: Actor,
  input: { itemId: string; seenRevision?: number } & ({ choice: SnoozeChoice; zone?: string } | { at: Date }),
): Promise<SnoozeResult> {
  assertMay(who, "item.decide");
  return inTransaction(scope.db, async (tx) => {
    const now = scope.clock.now();
    const until = fullMinute(instantOf(input, now, await readSettings({ ...scope, db: tx })));
    const patch: ItemPatch = { snoozedUntil: until, exact: "at" in input, ignoredCount: 0 };
    const result = await changeItem<Decision | "closed">(tx, scope, who, input.itemId, async (item) => {
      if (!statusesBefore(itemLifecycle, "snooze").includes(item.status)) return { stop: "closed" };
      const last = item.snoozedUntil === null ? undefined : await lastDecision(tx, scope, item.id, "snooze");
      return last && isRepeat(last, item, until, input.seenRevision) ? { stop: last } : { write: patch };
    });
    if (!result.changed) {
      if (result.stop === "closed") return closedBefore(tx, scope, result.item);
      return {
        outcome: "already",
        item: result.item,
        by: await nameOf(tx, scope, result.stop.byOpenId),
        at: result.stop.at,
        how: "snoozed",
        ...(result.item.snoozedUntil && { until: result.item.snoozedUntil }),
      };
    }
    const decided = await recordDecision(tx, scope, who, { ...result, verb: "snooze", patch, until });
    return { outcome: "snoozed", item: result.after, until, ...decided };
  });
}

/** Somebody snoozed it after the card that was tapped had been drawn, or the very same was chosen before. */
function isRepeat(last: Decision, item: TrackingItem, until: Date, seenRevision: number | undefined): boolean {
  if (seenRevision !== undefined && last.revision > seenRevision) return true;
  return item.snoozedUntil !== null && Math.abs(item.snoozedUntil.getTime() - until.getTime()) <= SAME_CHOICE_MS;
}

function instantOf(input: { choice: SnoozeChoice; zone?: string } | { at: Date }, now: Date, settings: Settings): Date {
  if ("choice" in input) return snoozeUntil(input.choice, now, input.zone ?? settings.zone, settings);
  const latest = now.getTime() + SNOOZE_LIMIT_DAYS * 86_400_000;
  if (!(input.at.getTime() > now.getTime() && input.at.getTime() <= latest)) {
    const given = Number.isNaN(input.at.getTime()) ? undefined : input.at.toISOString();
    throw new EngineError("invalid_input", {
      path: "until",
      expected: "time.future",
      ...(given !== undefined && { given }),
      example: "18:00",
    });
  }
  return input.at;
}
