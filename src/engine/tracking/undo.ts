import { recordAudit } from "../audit.ts";
import { touchCards } from "../card-posts.ts";
import { inTransaction, readRows, runStatement, type Tx } from "../db.ts";
import { EngineError } from "../errors.ts";
import { assertMay, personBehind } from "../people/person.ts";
import type { Actor, Scope } from "../scope.ts";
import { columns, sql } from "../sql.ts";
import { changeItem, fieldsOf, type ItemPatch } from "./change-item.ts";
import { type Decision, type DecisionVerb, decisionSchema, lastDecision, nameOf } from "./decision.ts";
import type { TrackingItem } from "./item.ts";

export type UndoResult =
  | { outcome: "undone"; item: TrackingItem; verb: DecisionVerb }
  /** Taken back before, by whom and when. */
  | { outcome: "already"; item: TrackingItem; by: { openId: string; name?: string }; at: Date }
  /** The time for it is over. */
  | { outcome: "too_late"; item: TrackingItem; until: Date }
  /** Something else has changed since: taking back would undo that as well. */
  | { outcome: "changed"; item: TrackingItem };

/**
 * Takes back a decision while it may be taken back and nothing else has changed the item: exactly the columns it replaced
 * return. With `itemId`, the item's last decision.
 * @throws EngineError forbidden · not_found
 */
export async function undo(
  scope: Scope,
  who: Actor,
  input: { decisionId: string } | { itemId: string },
): Promise<UndoResult> {
  assertMay(who, "item.decide");
  return inTransaction(scope.db, async (tx) => {
    const { itemId, id } = await find(tx, scope, input);
    const now = scope.clock.now();
    let decision: Decision | undefined;
    const result = await changeItem<UndoResult["outcome"]>(tx, scope, who, itemId, async (item) => {
      // Read again on every attempt: another undo may have been in between.
      decision = await readDecision(tx, scope, id);
      if (decision.undoneAt !== null) return { stop: "already" };
      if (decision.undoUntil < now) return { stop: "too_late" };
      if (decision.revision !== item.revision || decision.before === null) return { stop: "changed" };
      if (!(await weightStands(tx, scope, decision))) return { stop: "changed" };
      return { write: replaced(decision) };
    });
    if (decision === undefined) throw new Error("an undo without a decision");
    if (!result.changed) return explain(tx, scope, decision, result.item, result.stop);
    await runStatement(
      tx,
      sql`UPDATE "ItemDecision" SET "undoneAt" = ${now}, "undoneBy" = ${personBehind(who)?.openId ?? null}
        WHERE "id" = ${id} AND "agentId" = ${scope.agent.id} AND "undoneAt" IS NULL`,
    );
    await restoreWeight(tx, scope, decision, now);
    const columns = replaced(decision);
    await recordAudit(tx, scope, {
      who,
      what: "item.undo",
      subject: { kind: "item", id: itemId },
      before: { verb: decision.verb, ...fieldsOf(result.before, columns) },
      after: columns,
    });
    await touchCards(tx, scope, { kind: "item", id: itemId });
    return { outcome: "undone", item: result.after, verb: decision.verb };
  });
}

/** The columns the decision replaced, with what stood there. */
function replaced(decision: Decision): ItemPatch {
  const { kindWeight: _, ...columns } = decision.before ?? {};
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

async function find(
  tx: Tx,
  scope: Scope,
  input: { decisionId: string } | { itemId: string },
): Promise<{ id: string; itemId: string }> {
  if ("decisionId" in input) return readDecision(tx, scope, input.decisionId);
  const last = await lastDecision(tx, scope, input.itemId);
  if (!last) throw new EngineError("not_found", { what: "decision", given: input.itemId });
  return last;
}

async function readDecision(tx: Tx, scope: Scope, id: string): Promise<Decision> {
  const [row] = await readRows(
    tx,
    sql`SELECT ${columns(decisionSchema)} FROM "ItemDecision" WHERE "id" = ${id} AND "agentId" = ${scope.agent.id}`,
  );
  if (row === undefined) throw new EngineError("not_found", { what: "decision", given: id });
  return decisionSchema.parse(row);
}

async function explain(
  tx: Tx,
  scope: Scope,
  decision: Decision,
  item: TrackingItem,
  outcome: UndoResult["outcome"],
): Promise<UndoResult> {
  switch (outcome) {
    case "already":
      return {
        outcome,
        item,
        by: await nameOf(tx, scope, decision.undoneBy ?? ""),
        at: decision.undoneAt ?? decision.at,
      };
    case "too_late":
      return { outcome, item, until: decision.undoUntil };
    case "changed":
      return { outcome, item };
    case "undone":
      return { outcome, item, verb: decision.verb };
  }
}

/** For "fewer of these": nobody has said more about the kind since. */
async function weightStands(tx: Tx, scope: Scope, decision: Decision): Promise<boolean> {
  const said = decision.before?.kindWeight;
  if (!said) return true;
  const row = await tx.kindPriority.findUnique({
    where: { agentId_kind: { agentId: scope.agent.id, kind: said.kind } },
  });
  return row?.weight === said.after;
}

async function restoreWeight(tx: Tx, scope: Scope, decision: Decision, now: Date): Promise<void> {
  const said = decision.before?.kindWeight;
  if (!said) return;
  const where = { agentId: scope.agent.id, kind: said.kind };
  if (said.before === null) await tx.kindPriority.deleteMany({ where });
  else await tx.kindPriority.updateMany({ where, data: { weight: said.before, updatedAt: now } });
}
