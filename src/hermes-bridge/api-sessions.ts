import { z } from "zod";
import type { HistorySession } from "../engine/ports.ts";
import { ApiAway, type HermesApi } from "./hermes-api.ts";
import { ownPlace, secondsToDate } from "./session-lookup.ts";
import { chatTypeOf } from "./sessions-json.ts";

const text = z.string().nullish().catch(undefined);
const number = z.number().nullish().catch(undefined);

const sessionSchema = z.looseObject({
  id: z.string(),
  source: text,
  user_id: text,
  title: text,
  parent_session_id: text,
  started_at: number,
  ended_at: number,
  end_reason: text,
  message_count: number,
  rewind_count: number,
  last_active: number,
  _lineage_root_id: text,
  chat_id: text,
  chat_type: text,
  profile_name: text,
  model: text,
  api_call_count: number,
  input_tokens: number,
  output_tokens: number,
});
type SessionJson = z.infer<typeof sessionSchema>;

const listSchema = z.looseObject({ data: z.array(sessionSchema), has_more: z.boolean().catch(false) });

/** A session of the list: as the history tells it, and what shows that something in it changed. */
export interface ListedSession {
  session: HistorySession;
  /** ms; undefined for what is no time */
  lastActive: number | undefined;
  /** another one = something was written, undone or rewritten */
  stamp: string;
  parentId?: string;
  model?: string;
  apiCalls?: number;
  inputTokens: number;
  outputTokens: number;
  rewinds: number;
}

const PAGE = 200;
/** Sessions looked at, newest activity first; a list this long takes five questions. */
export const MOST_SESSIONS = 1_000;

/** The sessions Hermes lists: one for each chain of compressions, without those of subagents. @throws ApiAway */
export async function listSessions(api: HermesApi): Promise<ListedSession[]> {
  const sessions: ListedSession[] = [];
  for (let offset = 0; offset < MOST_SESSIONS; offset += PAGE) {
    const answer = await api.call("GET", `/api/sessions?limit=${PAGE}&offset=${offset}`);
    const read = listSchema.safeParse(answer.body);
    if (answer.status !== 200 || !read.success) throw new ApiAway(`http_${answer.status}`, false);
    sessions.push(...read.data.data.map(asListed));
    if (!read.data.has_more) break;
  }
  return sessions;
}

/** One session by its id; undefined when Hermes does not know it. @throws ApiAway */
export async function readSession(api: HermesApi, id: string): Promise<HistorySession | undefined> {
  const answer = await api.call("GET", `/api/sessions/${encodeURIComponent(id)}`);
  if (answer.status === 404) return undefined;
  const read = z.looseObject({ session: sessionSchema }).safeParse(answer.body);
  if (answer.status !== 200 || !read.success) throw new ApiAway(`http_${answer.status}`, false);
  return asListed(read.data.session).session;
}

function asListed(json: SessionJson): ListedSession {
  const { id, source, user_id, title, end_reason, chat_id, chat_type, profile_name } = json;
  const lineage = json._lineage_root_id || id;
  const kind = chatTypeOf(chat_type ?? null);
  const endedAt = secondsToDate(json.ended_at ?? null);
  return {
    session: {
      id,
      lineage,
      source: source || "unknown",
      startedAt: secondsToDate(json.started_at ?? null) ?? new Date(0),
      ...(endedAt && { endedAt }),
      ...(title && { title }),
      ...(end_reason && { endReason: end_reason }),
      ...(profile_name && { profile: profile_name }),
      ...ownPlace(lineage, source ?? ""),
      ...(user_id && { userId: user_id }),
      ...(chat_id && { chatId: chat_id }),
      ...(kind && { chatType: kind }),
    },
    lastActive: secondsToDate(json.last_active ?? null)?.getTime(),
    stamp: JSON.stringify([id, json.last_active, json.message_count, json.rewind_count, json.ended_at]),
    // The parent of a chain's newest session is the chain's own; any other was branched off.
    inputTokens: json.input_tokens ?? 0,
    outputTokens: json.output_tokens ?? 0,
    rewinds: json.rewind_count ?? 0,
    ...(json.model && { model: json.model }),
    ...(typeof json.api_call_count === "number" && { apiCalls: json.api_call_count }),
    ...(json.parent_session_id && lineage === id && { parentId: json.parent_session_id }),
  };
}
