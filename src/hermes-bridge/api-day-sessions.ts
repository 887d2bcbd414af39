import type { DayRow, DaySession } from "../engine/evolution/day-session.ts";
import { isCompressionNote } from "../engine/proactive/human-message.ts";
import { listSessions, readSession } from "./api-sessions.ts";
import { type ApiRow, readTranscript } from "./api-transcript.ts";
import type { HermesApi } from "./hermes-api.ts";
import { readIdentifiedCalls } from "./read-content.ts";
import { secondsToDate } from "./session-lookup.ts";

/** As the reader of the store itself cuts results of tools. */
const MOST_CHARS = 64 * 1024;

/**
 * Sessions that began between two instants, as far as the API server shows them: of a chain of compressions the rows of its
 * newest session, and counts of that one alone.
 * @throws ApiAway
 */
export async function* apiDaySessions(
  api: HermesApi,
  from: Date,
  to: Date,
  leaveOutSources: readonly string[],
): AsyncGenerator<DaySession, void> {
  const begun: { at: Date; make: () => Promise<DaySession> }[] = [];
  for (const listed of await listSessions(api)) {
    const { session, lastActive } = listed;
    if (leaveOutSources.includes(session.source) || (lastActive !== undefined && lastActive < from.getTime())) continue;
    const isChain = session.lineage !== session.id;
    const first = isChain ? ((await readSession(api, session.lineage)) ?? session) : session;
    const at = first.startedAt;
    if (at < from || at >= to) continue;
    const { model, apiCalls, inputTokens, outputTokens, rewinds } = listed;
    begun.push({
      at,
      make: async () => ({
        session: { ...session, ...first, lineage: session.lineage },
        parts: isChain ? [session.lineage, session.id] : [session.id],
        rows: ((await readTranscript(api, session.id))?.rows ?? [])
          .filter((row) => !isCompressionNote(row.text))
          .map(dayRow),
        inputTokens,
        outputTokens,
        rewinds,
        ...(model !== undefined && { model }),
        ...(apiCalls !== undefined && { apiCalls }),
      }),
    });
  }
  for (const { make } of begun.sort((a, b) => a.at.getTime() - b.at.getTime())) yield await make();
}

function dayRow(row: ApiRow): DayRow {
  const calls = row.toolCalls === undefined ? undefined : readIdentifiedCalls(JSON.stringify(row.toolCalls));
  return {
    id: row.id,
    role: row.role,
    text: row.role === "tool" ? row.text.slice(0, MOST_CHARS) : row.text,
    wholeLength: Buffer.byteLength(row.text),
    at: secondsToDate(row.at ?? null) ?? new Date(0),
    observed: row.observed,
    ...(row.toolName && { toolName: row.toolName }),
    ...(row.toolCallId && { toolCallId: row.toolCallId }),
    ...(calls && { toolCalls: calls }),
    ...(row.finishReason && { finishReason: row.finishReason }),
  };
}
