import { z } from "zod";
import { ApiAway, type HermesApi } from "./hermes-api.ts";
import { readContentValue } from "./read-content.ts";

/** A row of a session as `GET /api/sessions/{id}/messages` gives it. */
export interface ApiRow {
  /** the row's number in Hermes' store, as text */
  id: string;
  sessionId?: string;
  role: string;
  text: string;
  /** seconds; undefined for what is no time */
  at?: number;
  toolName?: string;
  toolCalls?: unknown;
  /** of a tool's result: the call it answers */
  toolCallId?: string;
  finishReason?: string;
  /** group chatter not addressed to the bot; older versions do not tell */
  observed: boolean;
}

/** The visible rows of the newest session of a chain of compressions, oldest first. */
export interface Transcript {
  /** that session's id */
  sessionId: string;
  rows: readonly ApiRow[];
}

const rowSchema = z
  .looseObject({
    id: z.union([z.number(), z.string()]).transform(String),
    session_id: z.string().nullish().catch(undefined),
    role: z.string().catch("unknown"),
    content: z.unknown().optional(),
    timestamp: z.number().nullish().catch(undefined),
    tool_name: z.string().nullish().catch(undefined),
    tool_calls: z.unknown().optional(),
    tool_call_id: z.string().nullish().catch(undefined),
    finish_reason: z.string().nullish().catch(undefined),
    observed: z.union([z.number(), z.boolean()]).nullish().catch(undefined),
  })
  .transform(
    (row): ApiRow => ({
      id: row.id,
      role: row.role,
      text: readContentValue(row.content),
      observed: row.observed === 1 || row.observed === true,
      ...(row.session_id && { sessionId: row.session_id }),
      ...(typeof row.timestamp === "number" && { at: row.timestamp }),
      ...(row.tool_name && { toolName: row.tool_name }),
      ...(row.tool_calls !== null && row.tool_calls !== undefined && { toolCalls: row.tool_calls }),
      ...(row.tool_call_id && { toolCallId: row.tool_call_id }),
      ...(row.finish_reason && { finishReason: row.finish_reason }),
    }),
  );

const transcriptSchema = z.looseObject({ session_id: z.string().optional(), data: z.array(rowSchema) });

/** Undefined for a session Hermes does not know. @throws ApiAway when it does not answer, or not with a transcript */
export async function readTranscript(api: HermesApi, sessionId: string): Promise<Transcript | undefined> {
  const answer = await api.call("GET", `/api/sessions/${encodeURIComponent(sessionId)}/messages`);
  if (answer.status === 404) return undefined;
  const read = transcriptSchema.safeParse(answer.body);
  if (answer.status !== 200 || !read.success) throw new ApiAway(`http_${answer.status}`, false);
  return { sessionId: read.data.session_id ?? sessionId, rows: read.data.data };
}

/** Whether a row of the agent's ends its turn: those that call tools are followed by more. */
function isReply(row: ApiRow): boolean {
  const calls = Array.isArray(row.toolCalls) ? row.toolCalls.length : row.toolCalls ? 1 : 0;
  return row.role === "assistant" && row.text.trim() !== "" && calls === 0 && row.finishReason !== "tool_calls";
}

/**
 * What the transcript says about one turn: its words stand there with a reply, without one, or not at all. The newest row
 * with these words counts.
 * @param after only rows that did not stand there before the turn
 */
export function replyTo(
  rows: readonly ApiRow[],
  text: string,
  after: ReadonlySet<string> = new Set(),
): { state: "absent" | "unanswered" } | { state: "answered"; text: string } {
  const wanted = text.trim();
  // What is attached stands on lines of its own below the words.
  const isIt = (said: string): boolean => said === wanted || said.startsWith(`${wanted}\n`);
  const asked = rows.findLastIndex((row) => row.role === "user" && !after.has(row.id) && isIt(row.text.trim()));
  if (asked < 0) return { state: "absent" };
  const next = rows.findIndex((row, index) => index > asked && row.role === "user");
  const turn = rows.slice(asked + 1, next < 0 ? undefined : next);
  const reply = turn.findLast(isReply);
  return reply ? { state: "answered", text: reply.text } : { state: "unanswered" };
}

/** Words at the end of the transcript that nobody has answered: their turn failed, was stopped, or still runs. */
export function unanswered(rows: readonly ApiRow[]): ApiRow[] {
  const reply = rows.findLastIndex(isReply);
  return rows.slice(reply + 1).filter((row) => row.role === "user");
}
