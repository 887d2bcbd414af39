import { recordAudit } from "../audit.ts";
import { touchCards } from "../card-posts.ts";
import { inTransaction } from "../db.ts";
import { EngineError } from "../errors.ts";
import { assertMay } from "../people/person.ts";
import type { PersonActor, Scope } from "../scope.ts";
import { type Turn, turnSchema } from "./turn.ts";

export type StopResult =
  /** It waited, and will not be begun. */
  | { outcome: "taken_back"; turn: Turn }
  /** It runs; Hermes is asked to end it. */
  | { outcome: "asked"; turn: Turn }
  | { outcome: "already"; turn: Turn }
  /** The way in cannot end a running turn. */
  | { outcome: "impossible"; turn: Turn };

/**
 * A person ends a turn: their own, or anybody's for an admin. One that waits is taken back at once; for one that runs
 * the wish is stored, and the process that runs it asks Hermes. Repeating it is harmless.
 * @throws EngineError forbidden · not_found
 */
export async function stopTurn(scope: Scope, who: PersonActor, input: { turnId: string }): Promise<StopResult> {
  assertMay(who, "chat");
  return inTransaction(scope.db, async (tx) => {
    const row = await tx.turn.findFirst({ where: { id: input.turnId, agentId: scope.agent.id } });
    if (row === null) throw new EngineError("not_found", { what: "turn" });
    const turn = turnSchema.parse(row);
    if (turn.senderOpenId !== who.openId) assertMay(who, "turn.of_others");
    const now = scope.clock.now();
    const asked = { stopAskedAt: now, stopAskedBy: who.openId };
    const { count: waiting } = await tx.turn.updateMany({
      where: { id: turn.id, status: "waiting" },
      data: { ...asked, status: "stopped", endedAt: now },
    });
    if (waiting === 0) {
      if (turn.status !== "running" || turn.stopAskedAt !== null) return { outcome: "already", turn };
      if (!scope.turns.abilities().stop) return { outcome: "impossible", turn };
      const { count } = await tx.turn.updateMany({
        where: { id: turn.id, status: "running", stopAskedAt: null },
        data: asked,
      });
      if (count === 0) return { outcome: "already", turn };
    }
    await recordAudit(tx, scope, {
      who,
      what: "turn.stop",
      subject: { kind: "turn", id: turn.id },
      before: { status: turn.status },
      after: { status: waiting > 0 ? "stopped" : "stopping" },
    });
    // A running turn's card is in the hands of whoever streams it.
    if (waiting > 0) await touchCards(tx, scope, { kind: "turn", id: turn.id });
    return { outcome: waiting > 0 ? "taken_back" : "asked", turn };
  });
}
