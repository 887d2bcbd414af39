import { inTransaction } from "../db.ts";
import { assertMay } from "../people/person.ts";
import type { Actor, Scope } from "../scope.ts";
import { takeTurns } from "../take-turns.ts";
import { changeItem } from "./change-item.ts";
import { type DecidedBefore, type Decision, lastDecision, nameOf, recordDecision } from "./decision.ts";
import type { MatterKind, TrackingItem } from "./item.ts";

/** A kind's weight when nobody has said anything about it. */
export const NORMAL_WEIGHT = 1;
/** Weights do not fall below: about seven times "fewer". */
export const LEAST_WEIGHT = 1 / 128;

export type FewerResult =
  | {
      outcome: "fewer";
      item: TrackingItem;
      kind: MatterKind;
      weight: number;
      decisionId: string;
      undoUntil: Date;
    }
  | DecidedBefore;

/**
 * "Fewer of these": matters of this item's kind weigh half as much from now on. Said once per item; saying it about
 * another one halves again. Works on closed items too.
 * @throws EngineError forbidden · not_found
 */
export async function fewerOfThese(scope: Scope, who: Actor, input: { itemId: string }): Promise<FewerResult> {
  assertMay(who, "item.decide");
  return inTransaction(scope.db, async (tx) => {
    const patch = { ignoredCount: 0 };
    const result = await changeItem<Decision>(tx, scope, who, input.itemId, async (item) => {
      const said = await lastDecision(tx, scope, item.id, "fewer");
      return said ? { stop: said } : { write: patch };
    });
    if (!result.changed) {
      return {
        outcome: "already",
        item: result.item,
        by: await nameOf(tx, scope, result.stop.byOpenId),
        at: result.stop.at,
        how: "fewer",
      };
    }
    // Two matters of a kind at once halve it twice, and each remembers what the other left.
    await takeTurns(tx, scope, "halve-kind");
    const { kind } = result.after;
    const where = { agentId_kind: { agentId: scope.agent.id, kind } };
    const now = scope.clock.now();
    const by = who.kind === "person" ? who.openId : who.kind;
    const known = await tx.kindPriority.findUnique({ where });
    const weight = Math.max((known?.weight ?? NORMAL_WEIGHT) / 2, LEAST_WEIGHT);
    await tx.kindPriority.upsert({
      where,
      update: { weight, updatedAt: now, updatedBy: by },
      create: { agentId: scope.agent.id, kind, weight, updatedAt: now, updatedBy: by },
    });
    const kindWeight = { kind, before: known?.weight ?? null, after: weight };
    const decided = await recordDecision(tx, scope, who, { ...result, verb: "fewer", patch, kindWeight });
    return { outcome: "fewer", item: result.after, kind, weight, ...decided };
  });
}
