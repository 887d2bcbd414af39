import { inTransaction } from "../db.ts";
import type { TurnResult } from "../ports.ts";
import type { Scope } from "../scope.ts";
import { beginTurn, GOAL_LEASE_MS, holdGoal, letGoalGo } from "./begin-turn.ts";
import { criteriaOf, goalById } from "./find-goal.ts";
import { followGoalTurn } from "./follow-goal-turn.ts";
import { type Goal, type GoalTurn, goalTurnSchema, type ToolUse } from "./goal.ts";
import { judgeTurn } from "./judge-turn.ts";
import type { TurnOutcome } from "./next-step.ts";
import { noteChatTurns } from "./note-chat-turns.ts";
import { readCheck } from "./read-check.ts";
import { saysTheSame } from "./reply-likeness.ts";
import { runGoalTurn } from "./run-goal-turn.ts";
import { keepReply, type Said, settleTurn } from "./settle-turn.ts";

/** Two renewals may fail before anybody else takes the goal. */
const HOLD_AGAIN_MS = GOAL_LEASE_MS / 3;
const NOTHING_SAID: Said = { verdict: "none", reason: undefined, evidence: undefined, by: undefined, criteria: [] };

/**
 * One step of a claimed goal: what was left running is cleared up; else a person's turn that went ahead is judged; else the
 * next turn runs and is judged. Ends with the goal let go.
 * @returns true when there may be more to do at once
 */
export async function workOnGoal(
  scope: Scope,
  claimed: Goal,
  leaving: AbortSignal,
  poke: (job: string) => void,
): Promise<boolean> {
  const holding = hold(scope, claimed);
  try {
    const left = await runningTurn(scope, claimed);
    if (left !== undefined) return await finishLeft(scope, claimed, left, leaving);
    const person = await noteChatTurns(scope, claimed);
    if (person !== undefined) return await judgeAndSettle(scope, claimed, person);
    const begun = await beginTurn(scope, claimed);
    if (begun === undefined) return false;
    poke("sync-cards");
    const ended = await runGoalTurn(scope, begun, leaving, poke);
    if (ended === undefined) return false;
    return await conclude(scope, claimed, begun.turn, ended.result, ended.tools);
  } finally {
    await letGoalGo(scope, await holding.done());
  }
}

async function runningTurn(scope: Scope, goal: Goal): Promise<GoalTurn | undefined> {
  const row = await scope.db.goalTurn.findFirst({
    where: { agentId: scope.agent.id, goalId: goal.id, status: "running" },
    orderBy: { number: "asc" },
  });
  return row === null ? undefined : goalTurnSchema.parse(row);
}

/** A turn whose process died: never begun again. What it said is judged; what nobody can tell is marked. */
async function finishLeft(scope: Scope, goal: Goal, turn: GoalTurn, leaving: AbortSignal): Promise<boolean> {
  // Its end was stored, and the judge was not asked yet.
  if (turn.endedAt !== null) return judgeAndSettle(scope, goal, turn);
  const result = await followGoalTurn(scope, goal, turn, leaving);
  return result === undefined ? false : conclude(scope, goal, turn, result, turn.tools);
}

async function conclude(
  scope: Scope,
  goal: Goal,
  turn: GoalTurn,
  result: TurnResult,
  tools: readonly ToolUse[],
): Promise<boolean> {
  if (result.outcome === "completed") {
    return judgeAndSettle(scope, goal, await keepReply(scope, goal, turn, result, tools));
  }
  // Stored together: after a crash in between, a failed turn would be taken for one that had nothing to say.
  return inTransaction(scope.db, async (tx) => {
    const inside = { ...scope, db: tx };
    const kept = await keepReply(inside, goal, turn, result, tools);
    const why = result.outcome === "failed" ? (kept.why ?? "failed") : undefined;
    const outcome: TurnOutcome =
      why !== undefined ? { is: "failed", why } : { is: result.outcome === "stopped" ? "stopped" : "lost" };
    return goesOn(await settleTurn(inside, kept, outcome, { ...NOTHING_SAID, reason: why }));
  });
}

async function judgeAndSettle(scope: Scope, goal: Goal, turn: GoalTurn): Promise<boolean> {
  const settle = async (outcome: TurnOutcome, said: Said): Promise<boolean> =>
    goesOn(await settleTurn(scope, turn, outcome, said));
  const { status, epoch } = await goalById(scope, goal.id);
  // Paused, dropped or begun anew meanwhile: nobody needs a verdict on it.
  if (turn.tail.trim() === "" || status !== "active" || epoch !== turn.epoch) {
    return settle({ is: "empty" }, NOTHING_SAID);
  }
  const criteria = await criteriaOf(scope.db, scope, goal.id);
  const same = saysTheSame(await digestBefore(scope, turn), turn.digest ?? "0:");
  if (turn.kind === "check") {
    const check = readCheck(turn.tail, turn.tools);
    const passed = check === "passed";
    const reason = lastLines(turn.tail);
    const verdict = passed ? "done" : "continue";
    return settle(
      { is: "judged", verdict, reason, evidence: passed ? "checked" : "claimed", same: false, check },
      { verdict, reason, evidence: passed ? "checked" : undefined, by: "check", criteria: [] },
    );
  }
  const judgement = await judgeTurn(scope, goal, criteria, { reply: turn.tail, tools: turn.tools });
  if (!judgement.judged) return settle({ is: "unjudged", because: judgement.because, same }, NOTHING_SAID);
  const { verdict, reason, evidence, criteria: ticks } = judgement.verdict;
  return settle(
    { is: "judged", verdict, reason, evidence, same },
    { verdict, reason, evidence, by: judgement.by, criteria: ticks },
  );
}

function goesOn(step: { go: string } | undefined): boolean {
  return step === undefined || step.go === "continue" || step.go === "check";
}

async function digestBefore(scope: Scope, turn: GoalTurn): Promise<string | null> {
  const before = await scope.db.goalTurn.findFirst({
    where: {
      agentId: scope.agent.id,
      goalId: turn.goalId,
      number: { lt: turn.number },
      status: "judged",
      kind: { not: "person" },
    },
    orderBy: { number: "desc" },
    select: { digest: true },
  });
  return before?.digest ?? null;
}

function lastLines(text: string): string {
  return text.trim().split("\n").slice(-2).join(" ").slice(-300);
}

/** Renews the lease while the goal is in hand. `done` resolves when no renewal is under way any more. */
function hold(scope: Scope, claimed: Goal): { done: () => Promise<Goal> } {
  let held = claimed;
  let renewing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    renewing = renewing.then(async () => {
      try {
        held = (await holdGoal(scope, held)) ?? held;
      } catch (error) {
        scope.log.warn("goal.not_held", { goal: claimed.id, error: String(error) });
      }
    });
  }, HOLD_AGAIN_MS);
  return {
    async done() {
      clearInterval(timer);
      await renewing;
      return held;
    },
  };
}
