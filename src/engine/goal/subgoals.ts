import { touchCards } from "../card-posts.ts";
import { inTransaction, type Tx } from "../db.ts";
import { EngineError } from "../errors.ts";
import type { PersonActor, Scope } from "../scope.ts";
import { auditGoal } from "./change-goal.ts";
import { assertMaySteer, criteriaOf, goalById } from "./find-goal.ts";
import type { Goal, GoalCriterion } from "./goal.ts";
import { CHECK_CHARS, CRITERION_CHARS, MOST_CRITERIA } from "./limits.ts";

/**
 * One more condition, without starting anew: the next continuation and every later verdict include it.
 * @throws EngineError forbidden · not_found · invalid_input · limit_reached · wrong_state
 */
export function addCriterion(scope: Scope, who: PersonActor, goalId: string, given: string): Promise<GoalCriterion> {
  return steer(scope, who, goalId, async (tx, inside, goal) => {
    const text = given.trim();
    if (text === "" || text.length > CRITERION_CHARS) {
      throw new EngineError("invalid_input", { path: "subgoal", expected: "criterion", example: "/subgoal 补上测试" });
    }
    if ((await criteriaOf(tx, inside, goalId)).length >= MOST_CRITERIA) {
      throw new EngineError("limit_reached", { limit: "goal.criteria", most: MOST_CRITERIA });
    }
    const last = await tx.goalCriterion.findFirst({
      where: { goalId },
      orderBy: { number: "desc" },
      select: { number: true },
    });
    const number = (last?.number ?? 0) + 1;
    await tx.goalCriterion.create({
      data: { goalId, number, agentId: scope.agent.id, text, addedBy: who.openId, addedAt: scope.clock.now() },
    });
    await auditGoal(tx, inside, who, "goal.criterion", goal, {}, { added: text });
    const added = (await criteriaOf(tx, inside, goalId)).find((each) => each.number === number);
    if (added === undefined) throw new Error(`criterion ${number} of ${goalId} is gone`);
    return added;
  });
}

/**
 * Takes one condition back, by its number.
 * @throws EngineError forbidden · not_found · wrong_state
 */
export function removeCriterion(
  scope: Scope,
  who: PersonActor,
  goalId: string,
  number: number,
): Promise<GoalCriterion> {
  return steer(scope, who, goalId, async (tx, inside, goal) => {
    const all = await criteriaOf(tx, inside, goalId);
    const found = all.find((each) => each.number === number);
    if (found === undefined) {
      throw new EngineError("not_found", {
        what: "criterion",
        given: String(number),
        near: all.slice(0, 3).map((each) => String(each.number)),
      });
    }
    await remove(tx, inside, goalId, { number });
    await auditGoal(tx, inside, who, "goal.criterion", goal, { removed: found.text });
    return found;
  });
}

/** Takes all conditions back. @returns how many there were */
export function clearCriteria(scope: Scope, who: PersonActor, goalId: string): Promise<number> {
  return steer(scope, who, goalId, async (tx, inside, goal) => {
    const all = await criteriaOf(tx, inside, goalId);
    await remove(tx, inside, goalId, {});
    if (all.length > 0) await auditGoal(tx, inside, who, "goal.criterion", goal, { removed: all.length });
    return all.length;
  });
}

/**
 * What must be run, by Hermes and with a tool, before "done" counts; `undefined` asks for nothing any more.
 * @throws EngineError forbidden · not_found · wrong_state
 */
export function setCheck(scope: Scope, who: PersonActor, goalId: string, check: string | undefined): Promise<void> {
  return steer(scope, who, goalId, async (tx, inside, goal) => {
    const text = check?.trim() || null;
    if (text !== null && text.length > CHECK_CHARS) {
      throw new EngineError("invalid_input", { path: "check", expected: "check", example: "/goal check npm test" });
    }
    await tx.goal.updateMany({
      where: { id: goalId, agentId: scope.agent.id },
      data: { check: text, checkState: null },
    });
    await auditGoal(tx, inside, who, "goal.check", goal, { check: goal.check }, { check: text });
  });
}

async function remove(tx: Tx, scope: Scope, goalId: string, which: { number?: number }): Promise<void> {
  await tx.goalCriterion.updateMany({
    where: { goalId, agentId: scope.agent.id, removedAt: null, ...which },
    data: { removedAt: scope.clock.now() },
  });
}

function steer<T>(
  scope: Scope,
  who: PersonActor,
  goalId: string,
  act: (tx: Tx, inside: Scope, goal: Goal) => Promise<T>,
): Promise<T> {
  return inTransaction(scope.db, async (tx) => {
    const inside = { ...scope, db: tx };
    const goal = await goalById(inside, goalId);
    assertMaySteer(who, goal);
    if (goal.status === "done" || goal.status === "cleared") {
      throw new EngineError("wrong_state", { what: "goal", state: goal.status, possible: ["goal.set"] });
    }
    const result = await act(tx, inside, goal);
    await tx.goal.updateMany({
      where: { id: goalId, agentId: scope.agent.id },
      data: { revision: { increment: 1 }, updatedAt: scope.clock.now() },
    });
    await touchCards(tx, scope, { kind: "goal", id: goalId });
    return result;
  });
}
