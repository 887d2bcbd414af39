import { touchCards, wantCard } from "../card-posts.ts";
import { voidQuestions } from "../chat/ask-person.ts";
import { letSessionGo } from "../chat/session.ts";
import { cut } from "../clean-text.ts";
import { inTransaction, type Tx } from "../db.ts";
import { jsonColumn } from "../json-column.ts";
import { growingPauseMs, leaseFrom } from "../lease.ts";
import { maskSecrets } from "../mask-secrets.ts";
import type { TurnResult } from "../ports.ts";
import type { Scope } from "../scope.ts";
import { goalHolder } from "./begin-turn.ts";
import { criteriaOf } from "./find-goal.ts";
import { type EvidenceClass, type Goal, type GoalTurn, goalSchema, type ToolUse } from "./goal.ts";
import { goalLine } from "./goal-line.ts";
import { tailOf } from "./judge-prompt.ts";
import { nextStep, type Step, type TurnOutcome } from "./next-step.ts";
import { digestReply } from "./reply-likeness.ts";

const REASON_CHARS = 600;

/** How a turn ended is stored before anything is judged, and the session is free for the people of the chat. */
export async function keepReply(
  scope: Scope,
  goal: Goal,
  turn: GoalTurn,
  result: TurnResult,
  tools: readonly ToolUse[],
): Promise<GoalTurn> {
  const reply = maskSecrets(result.text);
  const kept = {
    tail: tailOf(reply),
    replyChars: reply.trim().length,
    digest: digestReply(reply),
    why: result.why === undefined ? null : cut(maskSecrets(result.why), REASON_CHARS),
    inputTokens: result.inputTokens ?? null,
    outputTokens: result.outputTokens ?? null,
    hermesSessionId: result.sessionId ?? turn.hermesSessionId,
    endedAt: scope.clock.now(),
  };
  await inTransaction(scope.db, async (tx) => {
    const { count } = await tx.goalTurn.updateMany({
      where: { id: turn.id, agentId: scope.agent.id, status: "running", endedAt: null },
      data: { ...kept, tools: jsonColumn(tools as ToolUse[]) },
    });
    // Its end was told already: session and questions are another turn's by now.
    if (count === 0) return;
    await voidQuestions(tx, scope, turn.id, "turn_ended");
    await letSessionGo(tx, scope, goal.sessionId, goalHolder(goal.id), result.sessionId);
    await touchCards(tx, scope, { kind: "goal", id: goal.id });
  });
  return { ...turn, ...kept, tools: [...tools] };
}

/** What the judge said of a turn, as far as its row keeps it. */
export interface Said {
  verdict: "continue" | "done" | "blocked" | "none";
  reason: string | undefined;
  evidence: EvidenceClass | undefined;
  by: string | undefined;
  criteria: readonly { number: number; met: boolean; evidence: EvidenceClass }[];
}

const TURN_STATUS = {
  judged: "judged",
  unjudged: "judged",
  empty: "empty",
  failed: "failed",
  stopped: "stopped",
  lost: "lost",
} as const satisfies Record<TurnOutcome["is"], GoalTurn["status"]>;

/**
 * What follows from a turn, in one transaction that holds only while the goal is what it was when the turn began: a turn that
 * comes home to another epoch or status leaves its reply and changes nothing else.
 * @returns the step that was taken; undefined when the turn came too late
 */
export async function settleTurn(
  scope: Scope,
  turn: GoalTurn,
  outcome: TurnOutcome,
  said: Said,
): Promise<Step | undefined> {
  return inTransaction(scope.db, async (tx) => {
    const agentId = scope.agent.id;
    const now = scope.clock.now();
    const row = await tx.goal.findFirst({ where: { id: turn.goalId, agentId } });
    const goal = row === null ? undefined : goalSchema.parse(row);
    const kept = {
      verdict: said.verdict,
      reason: said.reason === undefined ? null : cut(maskSecrets(said.reason), REASON_CHARS),
      evidence: said.evidence ?? null,
      judgedBy: said.by ?? null,
      endedAt: turn.endedAt ?? now,
    };
    const isLate = goal === undefined || goal.status !== "active" || goal.epoch !== turn.epoch;
    const { count } = await tx.goalTurn.updateMany({
      where: { id: turn.id, agentId, status: "running" },
      data: { ...kept, status: isLate ? "stale" : TURN_STATUS[outcome.is] },
    });
    // Settled by another one already: what it did stands.
    if (count === 0 || goal === undefined) return undefined;
    if (isLate) {
      await touchCards(tx, scope, { kind: "goal", id: goal.id });
      return undefined;
    }
    await tickCriteria(tx, scope, goal.id, said.criteria);
    const step = nextStep(goal, await withLateCriteria(tx, scope, goal.id, outcome), turn.kind !== "person");
    const { count: taken } = await tx.goal.updateMany({
      where: { id: goal.id, agentId, status: "active", epoch: turn.epoch },
      data: { ...changeOf(step, goal, scope), updatedAt: now, revision: { increment: 1 } },
    });
    if (taken === 0) throw new Error(`goal ${goal.id} changed in the middle of its own transaction`);
    await touchCards(tx, scope, { kind: "goal", id: goal.id });
    await push(tx, scope, goal, step);
    return step;
  });
}

function changeOf(step: Step, goal: Goal, scope: Scope): Record<string, unknown> {
  const now = scope.clock.now();
  const reason = step.reason === undefined ? {} : { reason: cut(maskSecrets(step.reason), REASON_CHARS) };
  const ended = { ...step.counters, ...reason, epoch: { increment: 1 } };
  switch (step.go) {
    case "continue":
      return {
        ...step.counters,
        ...reason,
        ...(goal.checkState === "asked" && { checkState: "failed" }),
        nextTryAt:
          step.counters.failedInRow > 0
            ? leaseFrom(now, growingPauseMs(step.counters.failedInRow, scope.random()))
            : null,
      };
    case "check":
      return { ...step.counters, ...reason, checkState: "asked", nextTryAt: null };
    case "done":
      return {
        ...ended,
        status: "done",
        evidence: step.evidence,
        endedAt: now,
        ...(step.evidence === "checked" && { checkState: "passed" }),
      };
    case "blocked":
      return { ...ended, status: "blocked", endedAt: now };
    case "pause":
      return { ...ended, status: "paused", pausedBecause: step.cause };
  }
}

/** A criterion that was added while the judge thought, or the check ran, has not been looked at: it is not met. */
async function withLateCriteria(tx: Tx, scope: Scope, goalId: string, outcome: TurnOutcome): Promise<TurnOutcome> {
  if (outcome.is !== "judged" || outcome.verdict !== "done") return outcome;
  const all = await criteriaOf(tx, scope, goalId);
  return all.some((each) => each.metAt === null) ? { ...outcome, verdict: "continue" } : outcome;
}

async function tickCriteria(tx: Tx, scope: Scope, goalId: string, judged: Said["criteria"]): Promise<void> {
  for (const { number, met, evidence } of judged) {
    await tx.goalCriterion.updateMany({
      where: { goalId, agentId: scope.agent.id, number, removedAt: null, metAt: met ? null : { not: null } },
      data: met ? { metAt: scope.clock.now(), evidence } : { metAt: null, evidence: null },
    });
  }
}

/** An end is said in the chat, as a message of its own: a card that changes in place is easily missed overnight. */
async function push(tx: Tx, scope: Scope, goal: Goal, step: Step): Promise<void> {
  if (step.go === "continue" || step.go === "check") return;
  await wantCard(tx, scope, {
    subject: { kind: "line", id: goal.id },
    view: { text: maskSecrets(goalLine(goal, step)) },
    to: { chatId: goal.chatId },
    language: goal.language,
    idempotencyKey: `goal-${goal.id.slice(-30)}-${goal.epoch}-end`,
  });
}
