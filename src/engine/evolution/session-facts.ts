import { type HumanRules, voiceOf } from "../proactive/human-message.ts";
import { type CallInput, readInput } from "./call-input.ts";
import type { DayRow, DaySession } from "./day-session.ts";
import { type FailureKind, failureKind, hostOf } from "./failure-kind.ts";
import { type SessionSignals, signalsOf } from "./find-signals.ts";
import { type TaskCategory, taskCategory } from "./task-category.ts";
import { readResult } from "./tool-result.ts";

/** What the plugin's hooks told of a session; undefined for a session they did not see. */
export interface SessionTelemetry {
  /** by the id of the tool call */
  calls: ReadonlyMap<string, { durationMs?: number; at?: Date }>;
  /** model calls that failed, recovered ones included */
  apiErrors: number;
  /** a turn ended neither completed nor interrupted: its budget was used up */
  budgetExhausted: boolean;
  /** commands a person did not allow */
  denied: number;
}

export interface ToolCall {
  /** of the call, or of the row that answered it */
  id: string;
  tool: string;
  input: CallInput;
  /** what came back, and how long it was in the store */
  result: string;
  resultLength: number;
  /** the tool said the file is what it was */
  unchanged: boolean;
  failure?: { kind: FailureKind; message: string; host?: string };
  at: Date;
  durationMs?: number;
  /** which user message it was for */
  turn: number;
  /** row of the assistant that asked for it: calls of one row go out together */
  asked: string;
}

export type Outcome = "completed" | "interrupted" | "failed";

/** All the figures of one session. */
export interface SessionFacts {
  id: string;
  source: string;
  chatType?: "dm" | "group";
  chatId?: string;
  model?: string;
  startedAt: Date;
  outcome: Outcome;
  category: TaskCategory;
  iterations: number;
  turns: number;
  calls: readonly ToolCall[];
  unanswered: number;
  signals: SessionSignals;
  /** user rows that got no answer at all */
  failedTurns: readonly string[];
  apiErrors: number;
  budgetExhausted: boolean;
  denied: number;
  undone: number;
  tokens: number;
  /** which of it the hooks saw */
  telemetry: boolean;
  /** what a person said, first the wish that began the session */
  said: readonly { id: string; at: Date; text: string }[];
}

/** Works out the figures of one session. Pure; one walk over its rows. */
export function sessionFacts(day: DaySession, telemetry?: SessionTelemetry, rules: HumanRules = {}): SessionFacts {
  const { session } = day;
  const visible = day.rows.filter((row) => !row.observed);
  const { calls, unanswered } = pairCalls(visible, telemetry);
  const users = visible.filter((row) => row.role === "user");
  const said = users.filter((row) => voiceOf({ ...row, session }, rules).voice === "person");
  const iterations = day.apiCalls ?? visible.filter((row) => row.role === "assistant").length;
  return {
    id: session.lineage,
    source: session.source,
    ...(session.chatType && { chatType: session.chatType }),
    ...(session.chatId && { chatId: session.chatId }),
    ...(day.model && { model: day.model }),
    startedAt: session.startedAt,
    outcome: outcomeOf(visible.at(-1)),
    category: taskCategory(session.source, calls, said[0]?.text ?? ""),
    iterations,
    turns: users.length,
    calls,
    unanswered,
    signals: signalsOf(visible, new Set(said.map((row) => row.id))),
    failedTurns: unansweredTurns(visible),
    apiErrors: telemetry?.apiErrors ?? 0,
    budgetExhausted: telemetry?.budgetExhausted ?? false,
    denied: telemetry?.denied ?? 0,
    undone: day.rewinds,
    tokens: day.inputTokens + day.outputTokens,
    telemetry: telemetry !== undefined,
    said: said.map(({ id, at, text }) => ({ id, at, text })),
  };
}

/** Told by the last visible row, because nothing else says how a session ended. */
function outcomeOf(last: DayRow | undefined): Outcome {
  if (last?.role === "assistant" && last.finishReason === "stop") return "completed";
  return last?.role === "user" ? "failed" : "interrupted";
}

function unansweredTurns(rows: readonly DayRow[]): string[] {
  return rows.filter((row, i) => row.role === "user" && (rows[i + 1]?.role ?? "user") === "user").map((row) => row.id);
}

type Pending = { id?: string; name: string; arguments: string; turn: number; asked: string };

/** Results find their calls by id; where old stores have none, in the order they were asked for. */
function pairCalls(
  rows: readonly DayRow[],
  telemetry: SessionTelemetry | undefined,
): { calls: ToolCall[]; unanswered: number } {
  const calls: ToolCall[] = [];
  const pending: Pending[] = [];
  let turn = 0;
  for (const row of rows) {
    if (row.role === "user") turn++;
    for (const call of row.role === "assistant" ? (row.toolCalls ?? []) : []) {
      pending.push({ ...call, turn, asked: row.id });
    }
    if (row.role !== "tool") continue;
    const at = whichCall(pending, row);
    const [call] = at < 0 ? [] : pending.splice(at, 1);
    if (!call) continue;
    const id = call.id ?? row.toolCallId ?? row.id;
    const result = readResult(row.text);
    const told = telemetry?.calls.get(id);
    const host = result.failed ? hostOf(call.arguments, result.message) : undefined;
    calls.push({
      id,
      tool: call.name,
      input: readInput(call.arguments),
      result: row.text,
      resultLength: row.wholeLength,
      unchanged: result.unchanged,
      ...(result.failed && {
        failure: { kind: failureKind(result), message: result.message, ...(host !== undefined && { host }) },
      }),
      at: told?.at ?? row.at,
      ...(told?.durationMs !== undefined && { durationMs: told.durationMs }),
      turn: call.turn,
      asked: call.asked,
    });
  }
  return { calls, unanswered: pending.length };
}

function whichCall(pending: readonly Pending[], { toolCallId, toolName }: DayRow): number {
  if (toolCallId !== undefined) {
    const byId = pending.findIndex((call) => call.id === toolCallId);
    if (byId >= 0) return byId;
    if (pending.some((call) => call.id !== undefined)) return -1;
  }
  const byName = pending.findIndex((call) => call.name === toolName);
  return byName >= 0 || toolName !== undefined ? byName : pending.length - 1;
}
