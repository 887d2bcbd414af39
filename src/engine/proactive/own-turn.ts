import type { Tx } from "../db.ts";
import { EngineError } from "../errors.ts";
import type { Scope } from "../scope.ts";

export type OwnTurnOutcome = "decided" | "no_decision" | "failed" | "stopped" | "lost" | "completed";

/** What a turn of Herald's own is for, written before it begins: a crash leaves a row that says whose session it was. */
export async function beginOwnTurn(
  scope: Scope,
  turn: {
    turnId: string;
    purpose: "editorial" | "goal";
    way: "turns" | "cron";
    runId?: string;
    /** its tools answer until then */
    openUntil?: Date;
  },
): Promise<void> {
  await scope.db.ownTurn.create({
    data: {
      turnId: turn.turnId,
      agentId: scope.agent.id,
      purpose: turn.purpose,
      way: turn.way,
      runId: turn.runId ?? null,
      startedAt: scope.clock.now(),
      openUntil: turn.openUntil ?? null,
    },
    select: { turnId: true },
  });
}

/** Which session of Hermes it runs in, as soon as that is known: nothing said there is conversation. */
export async function noteOwnSession(scope: Scope, turnId: string, sessionId: string | undefined): Promise<void> {
  if (sessionId === undefined) return;
  await scope.db.ownTurn.updateMany({ where: { turnId, agentId: scope.agent.id }, data: { sessionId } });
}

/**
 * The turn is over, or waited for no longer: from here on its tools refuse. What was decided stays decided.
 * @returns false when it had been decided
 */
export async function endOwnTurn(
  scope: Scope,
  turnId: string,
  outcome: OwnTurnOutcome,
  why?: string,
): Promise<boolean> {
  const where = { turnId, agentId: scope.agent.id };
  const endedAt = scope.clock.now();
  const { count } = await scope.db.ownTurn.updateMany({
    where: { ...where, outcome: null },
    data: { outcome, endedAt, why: why?.slice(0, 300) ?? null },
  });
  if (count === 0) await scope.db.ownTurn.updateMany({ where: { ...where, endedAt: null }, data: { endedAt } });
  return count === 1;
}

/**
 * The run that the editorial turn of this key or session may decide. A key that was given must be the right one, whatever the
 * session: what stands in a chat cannot reach a run.
 * @throws EngineError not_found · wrong_state (late, or decided already)
 */
export async function findEditorialTurn(
  scope: Scope,
  { key, sessionId }: { key?: string | undefined; sessionId?: string | undefined },
): Promise<{ turnId: string; runId: string }> {
  const where =
    key !== undefined ? { turnId: key } : sessionId !== undefined ? { sessionId, outcome: null } : { turnId: "" };
  const turn = await scope.db.ownTurn.findFirst({
    where: { ...where, agentId: scope.agent.id, purpose: "editorial" },
    orderBy: { startedAt: "desc" },
  });
  if (!turn || turn.runId === null) throw new EngineError("not_found", { what: "editorial_turn" });
  const isAnothers = sessionId !== undefined && turn.sessionId !== null && turn.sessionId !== sessionId;
  if (isAnothers) throw new EngineError("not_found", { what: "editorial_turn" });
  const late = turn.openUntil !== null && turn.openUntil <= scope.clock.now();
  if (turn.outcome !== null || late) {
    const state = turn.outcome === "decided" ? "decided" : "late";
    throw new EngineError("wrong_state", { what: "editorial_turn", state, possible: [] });
  }
  return { turnId: turn.turnId, runId: turn.runId };
}

/** In the transaction of the decision: of two calls at once, and of one that comes too late, only the right one goes on. */
export async function claimDecision(tx: Tx, scope: Scope, turnId: string): Promise<void> {
  const { count } = await tx.ownTurn.updateMany({
    where: { turnId, agentId: scope.agent.id, outcome: null, openUntil: { gt: scope.clock.now() } },
    data: { outcome: "decided" },
  });
  if (count !== 1) throw new EngineError("wrong_state", { what: "editorial_turn", state: "late", possible: [] });
}

/** True while an editorial turn may still decide this run, though this process does not hold it (Hermes' cron was woken). */
export async function isHandedOver(scope: Scope): Promise<boolean> {
  const open = await scope.db.ownTurn.count({
    where: {
      agentId: scope.agent.id,
      purpose: "editorial",
      way: "cron",
      outcome: null,
      endedAt: null,
      openUntil: { gt: scope.clock.now() },
    },
  });
  return open > 0;
}

/** Runs handed over that nobody decided in time: their tools refuse from here on. */
export async function closeHandedOver(scope: Scope): Promise<void> {
  const now = scope.clock.now();
  await scope.db.ownTurn.updateMany({
    where: { agentId: scope.agent.id, way: "cron", outcome: null, openUntil: { lte: now } },
    data: { outcome: "no_decision", endedAt: now, why: "late" },
  });
}
