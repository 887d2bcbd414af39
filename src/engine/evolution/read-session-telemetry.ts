import { readRows } from "../db.ts";
import type { Scope } from "../scope.ts";
import { list, sql } from "../sql.ts";
import type { SessionTelemetry } from "./session-facts.ts";

type Told = { -readonly [Key in keyof SessionTelemetry]: SessionTelemetry[Key] } & {
  calls: Map<string, { durationMs?: number; at?: Date }>;
};

type TurnTold = {
  sessionId: string;
  apiErrors: number;
  completed: boolean | null;
  interrupted: boolean | null;
  failed: boolean | null;
};
type CallTold = { sessionId: string; toolCallId: string | null; durationMs: number | null; at: Date };

/** What Hermes looks over by itself afterwards is no work of the session. */
const LEFT_OUT = "review";

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
  if (sessionIds.length === 0) return sessions;
  const hooked = sql`"agentId" = ${scope.agent.id} AND "source" = 'hook' AND "sessionId" IN (${list(sessionIds)})
    AND "origin" <> ${LEFT_OUT}`;
  const turns = await readRows<TurnTold>(
    scope.db,
    sql`SELECT "sessionId", "apiErrors", "completed", "interrupted", "failed" FROM "TurnRecord" WHERE ${hooked}`,
  );
  for (const turn of turns) {
    const told = of(turn.sessionId);
    told.apiErrors += turn.apiErrors;
    if (turn.completed === false && turn.interrupted === false && turn.failed !== true) told.budgetExhausted = true;
  }
  const calls = await readRows<CallTold>(
    scope.db,
    sql`SELECT "sessionId", "toolCallId", "durationMs", "at" FROM "ToolInvocation" WHERE ${hooked}`,
  );
  for (const { sessionId, toolCallId, durationMs, at } of calls) {
    const told = of(sessionId);
    if (toolCallId === null || told.calls.has(toolCallId)) continue;
    told.calls.set(toolCallId, { at, ...(durationMs !== null && { durationMs }) });
  }
  const denials = await readRows<{ sessionId: string }>(
    scope.db,
    sql`SELECT "sessionId" FROM "OutcomeSignal" WHERE ${hooked} AND "signalType" = 'approval_denied'`,
  );
  for (const { sessionId } of denials) of(sessionId).denied++;
  return sessions;
}
