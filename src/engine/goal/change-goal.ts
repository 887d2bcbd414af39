import { type AuditVerb, recordAudit } from "../audit.ts";
import { touchCards } from "../card-posts.ts";
import { inTransaction, type Tx } from "../db.ts";
import { EngineError } from "../errors.ts";
import { statusesBefore } from "../lifecycle.ts";
import type { PersonActor, Scope } from "../scope.ts";
import { assertMaySteer, goalById } from "./find-goal.ts";
import { type Goal, type GoalEvent, type GoalStatus, goalLifecycle } from "./goal.ts";

export interface ChangeResult {
  outcome: "changed" | "already";
  goal: Goal;
}

/** A person changes what a goal is doing. The conditional update decides races; the same again is told as `already`. */
export async function changeGoal(
  scope: Scope,
  who: PersonActor,
  goalId: string,
  change: {
    event: GoalEvent;
    verb: AuditVerb;
    /** the status in which there is nothing left to do */
    already: GoalStatus;
    data: (goal: Goal, now: Date, tx: Tx) => Record<string, unknown> | Promise<Record<string, unknown>>;
  },
): Promise<ChangeResult> {
  return inTransaction(scope.db, async (tx) => {
    const inside = { ...scope, db: tx };
    const goal = await goalById(inside, goalId);
    assertMaySteer(who, goal);
    if (goal.status === change.already) return { outcome: "already", goal };
    const now = scope.clock.now();
    const data = statusesBefore(goalLifecycle, change.event).includes(goal.status)
      ? await change.data(goal, now, tx)
      : {};
    const { count } = await tx.goal.updateMany({
      where: { id: goalId, agentId: scope.agent.id, status: { in: statusesBefore(goalLifecycle, change.event) } },
      data: { ...data, epoch: { increment: 1 }, revision: { increment: 1 }, updatedAt: now },
    });
    if (count === 0) {
      throw new EngineError("wrong_state", { what: "goal", state: goal.status, possible: ["goal.set"] });
    }
    await auditGoal(tx, inside, who, change.verb, goal, { status: goal.status });
    await touchCards(tx, scope, { kind: "goal", id: goalId });
    return { outcome: "changed", goal: await goalById(inside, goalId) };
  });
}

/** The record of a change to a goal. */
export async function auditGoal(
  tx: Tx,
  scope: Scope,
  who: PersonActor,
  what: AuditVerb,
  goal: Pick<Goal, "id">,
  before: Readonly<Record<string, unknown>>,
  after?: Readonly<Record<string, unknown>>,
): Promise<void> {
  await recordAudit(tx, scope, {
    who,
    what,
    subject: { kind: "goal", id: goal.id },
    before,
    ...(after !== undefined && { after }),
  });
}
