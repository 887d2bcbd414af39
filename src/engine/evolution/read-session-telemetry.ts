import type { Scope } from "../scope.ts";
import type { SessionTelemetry } from "./session-facts.ts";

type Told = { -readonly [Key in keyof SessionTelemetry]: SessionTelemetry[Key] } & {
  calls: Map<string, { durationMs?: number; at?: Date }>;
};

/** What Hermes looks over by itself afterwards is no work of the session. */
const LEFT_OUT = ["review"];

/** What the plugin's hooks told of these sessions; those it did not see are missing. Three reads, whatever their number. */
export async function readSessionTelemetry(
  scope: Scope,
  sessionIds: readonly string[],
): Promise<Map<string, SessionTelemetry>> {
  const sessions = new Map<string, Told>();
  const of = (id: string): Told => {
    const known = sessions.get(id) ?? { calls: new Map(), apiErrors: 0, budgetExhausted: false, denied: 0 };
    sessions.set(id, known);
    return known;
  };
  const where = {
    agentId: scope.agent.id,
    source: "hook",
    sessionId: { in: [...sessionIds] },
    origin: { notIn: LEFT_OUT },
  };
  const turns = await scope.db.turnRecord.findMany({
    where,
    select: { sessionId: true, apiErrors: true, completed: true, interrupted: true, failed: true },
  });
  // Nothing seen of any of them: no need to ask for calls.
  for (const turn of turns) {
    const told = of(turn.sessionId);
    told.apiErrors += turn.apiErrors;
    if (turn.completed === false && turn.interrupted === false && turn.failed !== true) told.budgetExhausted = true;
  }
  const calls = await scope.db.toolInvocation.findMany({
    where,
    select: { sessionId: true, toolCallId: true, durationMs: true, at: true },
  });
  for (const { sessionId, toolCallId, durationMs, at } of calls) {
    const told = of(sessionId);
    if (toolCallId === null || told.calls.has(toolCallId)) continue;
    told.calls.set(toolCallId, { at, ...(durationMs !== null && { durationMs }) });
  }
  const denials = await scope.db.outcomeSignal.findMany({
    where: { ...where, signalType: "approval_denied" },
    select: { sessionId: true },
  });
  for (const { sessionId } of denials) of(sessionId).denied++;
  return sessions;
}
