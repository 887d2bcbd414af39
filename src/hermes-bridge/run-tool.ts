import { inTransaction } from "../engine/db.ts";
import type { Scope } from "../engine/scope.ts";
import type { AgentTool, ToolResult } from "./agent-tool.ts";
import type { Caller } from "./who-speaks.ts";

/** Where a call comes in: which session of Hermes', if any, and on whose words it acts. */
export interface ToolDoor {
  sessionId?: string | undefined;
  /** @throws ToolRefused when nobody's words stand behind the call */
  speaker(): Promise<Caller>;
}

/**
 * Runs a tool of the table, whichever door the call came through.
 * @throws EngineError · ToolRefused
 */
export async function runTool(
  scope: Scope,
  tool: AgentTool,
  door: ToolDoor,
  args: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  if (tool.calledBy === "editor") return tool.call(scope, { sessionId: door.sessionId }, args);
  // Hermes' store is read before the transaction: on SQLite every other write would wait for it.
  const caller = await door.speaker();
  return inTransaction(scope.db, (tx) => tool.call({ ...scope, db: tx }, caller, args));
}
