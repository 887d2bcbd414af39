import { touchCards } from "../card-posts.ts";
import { goalTurnRuns, holdSession, letSessionGo, sessionsBeside } from "../chat/session.ts";
import { inTransaction, type Tx } from "../db.ts";
import { isDue, isFree, leaseFrom } from "../lease.ts";
import type { Scope } from "../scope.ts";
import { continuation } from "./continuation.ts";
import { criteriaOf, goalById } from "./find-goal.ts";
import { type Goal, type GoalTurn, goalSchema, goalTurnSchema } from "./goal.ts";
import { judgeOf } from "./judge-turn.ts";
import { TOTAL_TURNS } from "./limits.ts";

/** How long a claim of a goal holds; renewed while it is worked on. */
export const GOAL_LEASE_MS = 60_000;
/** A failed turn's pause is no longer than this. */
const LONGEST_PAUSE_MS = 60 * 60_000;

/** What a goal holds its session as. */
export function goalHolder(goalId: string): string {
  return `goal:${goalId}`;
}

/**
 * Goals there is something to do for: active, nobody's, and not waiting after a failure; and those, whatever has become of
 * them, whose turn was left running by a process that is gone.
 */
export async function goalsInLine(scope: Scope): Promise<Goal[]> {
  const now = scope.clock.now();
  const agentId = scope.agent.id;
  const open = await scope.db.goalTurn.findMany({ where: { agentId, status: "running" }, select: { goalId: true } });
  const left = new Set(open.map(({ goalId }) => goalId));
  const rows = await scope.db.goal.findMany({
    where: { agentId, OR: [{ status: "active" }, { id: { in: [...left] } }] },
    orderBy: { updatedAt: "asc" },
  });
  return rows
    .map((row) => goalSchema.parse(row))
    .filter((goal) => isFree(goal, now, GOAL_LEASE_MS))
    .filter((goal) => left.has(goal.id) || isDue(goal.nextTryAt, now, LONGEST_PAUSE_MS));
}

/** The goal is ours for a minute. @returns undefined when it is somebody else's, or no longer in this state */
export async function claimGoal(scope: Scope, goal: Goal): Promise<Goal | undefined> {
  const leaseUntil = leaseFrom(scope.clock.now(), GOAL_LEASE_MS);
  const { count } = await scope.db.goal.updateMany({
    where: {
      id: goal.id,
      agentId: scope.agent.id,
      status: goal.status,
      epoch: goal.epoch,
      leaseUntil: goal.leaseUntil,
    },
    data: { leaseUntil },
  });
  return count === 0 ? undefined : { ...goal, leaseUntil };
}

/** Goes on holding a goal (whatever has become of it since), and its session while its turn runs there. */
export async function holdGoal(scope: Scope, goal: Goal): Promise<Goal | undefined> {
  const leaseUntil = leaseFrom(scope.clock.now(), GOAL_LEASE_MS);
  return inTransaction(scope.db, async (tx) => {
    const { count } = await tx.goal.updateMany({
      where: { id: goal.id, agentId: scope.agent.id, leaseUntil: goal.leaseUntil },
      data: { leaseUntil },
    });
    if (count === 0) return undefined;
    // While the judge thinks, the session is the people's.
    const runs = await tx.goalTurn.count({
      where: { agentId: scope.agent.id, goalId: goal.id, status: "running", endedAt: null },
    });
    if (runs > 0) await holdSession(tx, scope, goal.sessionId, goalHolder(goal.id));
    return { ...goal, leaseUntil };
  });
}

/** The goal is free for the next. */
export async function letGoalGo(scope: Scope, goal: Goal): Promise<void> {
  await inTransaction(scope.db, async (tx) => {
    const { count } = await tx.goal.updateMany({
      where: { id: goal.id, agentId: scope.agent.id, leaseUntil: goal.leaseUntil },
      data: { leaseUntil: null },
    });
    // It is another process' by now, and so is the session.
    if (count > 0) await letSessionGo(tx, scope, goal.sessionId, goalHolder(goal.id));
  });
}

export interface BegunTurn {
  turn: GoalTurn;
  goal: Goal;
  /** Hermes' name for the session, when it has begun */
  hermesSessionId: string | undefined;
  /** what keeps sessions apart at the other end */
  place: string;
}

/**
 * The next turn of a claimed goal begins, unless a person's message waits (people first), something else runs in the
 * session, or budget and cap are used up. The row is written before Hermes is asked for anything: after a crash it is
 * found, and never begun a second time.
 */
export async function beginTurn(scope: Scope, claimed: Goal): Promise<BegunTurn | undefined> {
  const judged = judgeOf(scope) !== undefined;
  return inTransaction(scope.db, async (tx) => {
    const inside = { ...scope, db: tx };
    const agentId = scope.agent.id;
    const now = scope.clock.now();
    const goal = await goalById(inside, claimed.id);
    if (goal.status !== "active" || goal.epoch !== claimed.epoch) return undefined;
    if (goal.turnsUsed >= goal.budget || goal.turnsTotal >= TOTAL_TURNS) return undefined;
    const beside = await sessionsBeside(tx, scope, goal.sessionId);
    const waiting = await tx.turn.count({
      where: { agentId, sessionId: { in: beside }, status: { in: ["waiting", "running"] }, steeredInto: null },
    });
    if (waiting > 0 || (await goalTurnRuns(tx, scope, beside))) return undefined;
    const open = await tx.goalTurn.count({ where: { agentId, goalId: goal.id, status: "running" } });
    if (open > 0) return undefined;
    if (!(await holdSession(tx, scope, goal.sessionId, goalHolder(goal.id)))) return undefined;
    const session = await tx.chatSession.findFirst({ where: { id: goal.sessionId, agentId } });
    if (session === null) return undefined;
    const criteria = await criteriaOf(tx, inside, goal.id);
    const number = await nextTurnNumber(tx, scope, goal.id);
    const kind = goal.checkState === "asked" ? "check" : "goal";
    const purpose = kind === "check" ? "check" : number === 1 ? "first" : "continue";
    const row = await tx.goalTurn.create({
      data: {
        id: scope.ids.id("goalturn"),
        agentId,
        goalId: goal.id,
        number,
        epoch: goal.epoch,
        kind,
        status: "running",
        sent: continuation(goal, criteria, purpose, judged),
        tools: [],
        hermesSessionId: session.hermesSessionId,
        startedAt: now,
      },
    });
    await tx.goal.updateMany({
      where: { id: goal.id, agentId },
      data: { turnsTotal: { increment: 1 }, revision: { increment: 1 }, updatedAt: now },
    });
    await touchCards(tx, scope, { kind: "goal", id: goal.id });
    return {
      turn: goalTurnSchema.parse(row),
      goal: { ...goal, turnsTotal: goal.turnsTotal + 1, leaseUntil: claimed.leaseUntil },
      hermesSessionId: session.hermesSessionId ?? undefined,
      place: session.place,
    };
  });
}

/** The number of a goal's next turn; turns of people's that are looked at have one too. */
export async function nextTurnNumber(tx: Tx, scope: Scope, goalId: string): Promise<number> {
  const last = await tx.goalTurn.findFirst({
    where: { agentId: scope.agent.id, goalId },
    orderBy: { number: "desc" },
    select: { number: true },
  });
  return (last?.number ?? 0) + 1;
}

/** Hermes could not be reached and nothing was begun: the turn never was, and is tried again later. */
export async function takeTurnBack(scope: Scope, goal: Goal, turn: GoalTurn, pauseMs: number): Promise<void> {
  await inTransaction(scope.db, async (tx) => {
    await tx.goalTurn.deleteMany({ where: { id: turn.id, agentId: scope.agent.id, status: "running" } });
    await tx.goal.updateMany({
      where: { id: goal.id, agentId: scope.agent.id, epoch: turn.epoch, status: "active" },
      data: {
        turnsTotal: { decrement: 1 },
        nextTryAt: leaseFrom(scope.clock.now(), pauseMs),
        revision: { increment: 1 },
      },
    });
    await touchCards(tx, scope, { kind: "goal", id: goal.id });
  });
}
