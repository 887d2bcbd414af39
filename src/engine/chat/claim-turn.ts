import { touchCards } from "../card-posts.ts";
import { inTransaction, type Tx } from "../db.ts";
import { isFree, leaseFrom } from "../lease.ts";
import { statusesBefore } from "../lifecycle.ts";
import type { Scope } from "../scope.ts";
import { wantTurnCard } from "./queue-turn.ts";
import { goalTurnRuns, holdSession, letSessionGo, sessionsBeside } from "./session.ts";
import { type Turn, turnLifecycle, turnSchema } from "./turn.ts";

/** How long a claim of a turn holds; renewed while it runs. */
export const TURN_LEASE_MS = 60_000;

const PAGE = 100;

/** What a turn holds its session as. */
export function holder(turnId: string): string {
  return `turn:${turnId}`;
}

/** Turns that wait, oldest first, at most one per session: the one whose place it is. */
export async function turnsInLine(scope: Scope): Promise<Turn[]> {
  const first = new Map<string, Turn>();
  for (let after = 0; ; ) {
    const rows = await scope.db.turn.findMany({
      where: { agentId: scope.agent.id, status: "waiting", seq: { gt: after } },
      orderBy: { seq: "asc" },
      take: PAGE,
    });
    for (const row of rows) if (!first.has(row.sessionId)) first.set(row.sessionId, turnSchema.parse(row));
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return [...first.values()];
    after = last.seq;
  }
}

/**
 * The turn begins, when nothing else runs in its place: one conditional update of the place's row decides between
 * replicas, and a turn that was left running is cleared up before another one begins.
 */
export async function claimTurn(scope: Scope, turn: Turn): Promise<Turn | undefined> {
  return inTransaction(scope.db, async (tx) => {
    if (!(await holdSession(tx, scope, turn.sessionId, holder(turn.id)))) return undefined;
    const now = scope.clock.now();
    const beside = await sessionsBeside(tx, scope, turn.sessionId);
    const running = await tx.turn.count({
      where: { agentId: scope.agent.id, sessionId: { in: beside }, status: "running", steeredInto: null },
    });
    const isBusy = running > 0 || (await goalTurnRuns(tx, scope, beside));
    const leaseUntil = leaseFrom(now, TURN_LEASE_MS);
    const { count } = isBusy
      ? { count: 0 }
      : await tx.turn.updateMany({
          where: {
            id: turn.id,
            agentId: scope.agent.id,
            status: { in: statusesBefore(turnLifecycle, "claim") },
          },
          data: { status: "running", leaseUntil, startedAt: now },
        });
    if (count === 0) {
      await letSessionGo(tx, scope, turn.sessionId, holder(turn.id));
      return undefined;
    }
    await wantTurnCard(tx, scope, turn);
    await touchCards(tx, scope, { kind: "turn", id: turn.id });
    await tellThoseBehind(tx, scope, turn);
    return { ...turn, status: "running", leaseUntil, startedAt: now };
  });
}

/** Cards of turns that wait behind this one say a smaller number now. */
async function tellThoseBehind(tx: Tx, scope: Scope, turn: Turn): Promise<void> {
  const behind = await tx.turn.findMany({
    where: { agentId: scope.agent.id, sessionId: turn.sessionId, status: "waiting" },
    select: { id: true },
  });
  for (const { id } of behind) await touchCards(tx, scope, { kind: "turn", id });
}

/** Turns whose process is gone: running, and held by nobody. */
export async function leftRunning(scope: Scope): Promise<Turn[]> {
  const now = scope.clock.now();
  const rows = await scope.db.turn.findMany({
    where: { agentId: scope.agent.id, status: "running" },
    orderBy: { seq: "asc" },
  });
  return rows.filter((row) => isFree(row, now, TURN_LEASE_MS)).map((row) => turnSchema.parse(row));
}

/** Takes a running turn over, or goes on holding it. @returns undefined when it is somebody else's, or has ended */
export async function holdTurn(scope: Scope, turn: Turn): Promise<Turn | undefined> {
  const leaseUntil = leaseFrom(scope.clock.now(), TURN_LEASE_MS);
  return inTransaction(scope.db, async (tx) => {
    const { count } = await tx.turn.updateMany({
      where: { id: turn.id, agentId: scope.agent.id, status: "running", leaseUntil: turn.leaseUntil },
      data: { leaseUntil },
    });
    if (count === 0) return undefined;
    if (turn.steeredInto === null) await holdSession(tx, scope, turn.sessionId, holder(turn.id));
    return { ...turn, leaseUntil };
  });
}

/** This process goes: whoever comes next need not wait for the lease to run out. */
export async function leaveTurn(scope: Scope, turn: Turn): Promise<void> {
  await scope.db.turn.updateMany({
    where: { id: turn.id, agentId: scope.agent.id, status: "running", leaseUntil: turn.leaseUntil },
    data: { leaseUntil: null },
  });
}
