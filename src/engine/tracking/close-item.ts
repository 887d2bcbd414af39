import { inTransaction } from "../db.ts";
import type { Evidence } from "../evidence.ts";
import { statusesBefore } from "../lifecycle.ts";
import { assertMay, personBehind } from "../people/person.ts";
import type { Actor, Scope } from "../scope.ts";
import { changeItem, type ItemPatch } from "./change-item.ts";
import { closedBefore, type DecidedBefore, recordDecision } from "./decision.ts";
import { itemLifecycle, type TrackingItem } from "./item.ts";

export type CloseResult =
  | { outcome: "closed"; item: TrackingItem; decisionId: string; undoUntil: Date }
  /** Closed before, by whom and when: nothing changed. */
  | DecidedBefore;

/**
 * A matter is done or given up, by a person's tap or word (also through the agent), never by a worker or job. Of several
 * who close it at once one takes effect; the others are told who did it.
 * @throws EngineError forbidden · not_found
 */
export async function closeItem(
  scope: Scope,
  who: Actor,
  input: { itemId: string; why: "done" | "dropped"; evidence?: readonly Evidence[] },
): Promise<CloseResult> {
  assertMay(who, "item.decide");
  return inTransaction(scope.db, async (tx) => {
    const patch: ItemPatch = {
      status: "closed",
      closedAt: scope.clock.now(),
      closedBy: personBehind(who)?.openId ?? null,
      closedWhy: input.why,
      closedEvidence: input.evidence ? [...input.evidence] : null,
      ignoredCount: 0,
    };
    const result = await changeItem<"closed">(tx, scope, who, input.itemId, (item) =>
      statusesBefore(itemLifecycle, "close").includes(item.status) ? { write: patch } : { stop: "closed" },
    );
    if (!result.changed) return closedBefore(tx, scope, result.item);
    const decided = await recordDecision(tx, scope, who, {
      ...result,
      verb: input.why === "done" ? "done" : "drop",
      patch,
    });
    return { outcome: "closed", item: result.after, ...decided };
  });
}
