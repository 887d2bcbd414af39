import { recordAudit } from "../audit.ts";
import { touchCards } from "../card-posts.ts";
import { inTransaction } from "../db.ts";
import { statusesBefore } from "../lifecycle.ts";
import { assertMay } from "../people/person.ts";
import type { Actor, Scope } from "../scope.ts";
import { changeItem, fieldsOf, type ItemPatch } from "./change-item.ts";
import { itemLifecycle, type TrackingItem } from "./item.ts";

const OPEN: ItemPatch = {
  status: "active",
  closedAt: null,
  closedBy: null,
  closedWhy: null,
  closedEvidence: null,
  claimedDoneAt: null,
  claimedDoneEvidence: null,
  snoozedUntil: null,
  exact: false,
  ignoredCount: 0,
};

/**
 * A closed matter is open again, by a person's word. Repeating it changes nothing.
 * @throws EngineError forbidden · not_found
 */
export async function reopenItem(
  scope: Scope,
  who: Actor,
  input: { itemId: string },
): Promise<{ outcome: "reopened" | "already_open"; item: TrackingItem }> {
  assertMay(who, "item.decide");
  return inTransaction(scope.db, async (tx) => {
    const result = await changeItem<"open">(tx, scope, who, input.itemId, (item) =>
      statusesBefore(itemLifecycle, "reopen").includes(item.status) ? { write: OPEN } : { stop: "open" },
    );
    if (!result.changed) return { outcome: "already_open", item: result.item };
    await recordAudit(tx, scope, {
      who,
      what: "item.reopen",
      subject: { kind: "item", id: input.itemId },
      before: fieldsOf(result.before, OPEN),
      after: OPEN,
    });
    await touchCards(tx, scope, { kind: "item", id: input.itemId });
    return { outcome: "reopened", item: result.after };
  });
}
