import type { TurnResult } from "../engine/ports.ts";
import { unavailable } from "./api-refusal.ts";
import { readTranscript, replyTo } from "./api-transcript.ts";
import { ApiAway, type HermesApi } from "./hermes-api.ts";
import { endOfStatus, readRunStatus } from "./run-events.ts";
import type { TurnNote } from "./turn-notes.ts";

/** A turn nobody follows any more that has no reply yet may still be running this long after its start. */
const MAY_RUN_MS = 10 * 60_000;

export interface LeftTurn {
  sessionId?: string;
  text: string;
  /** ms since its start */
  ageMs: number;
  note: TurnNote | undefined;
}

/**
 * What became of a turn that was running when its follower died: the run's status when it is known, else what stands in
 * the session. @throws EngineError unavailable while Hermes cannot be asked. `sweepMs`: a run younger than this that Hermes does not know fell to a restart of Hermes.
 */
export async function whatBecameOf(
  api: HermesApi,
  turn: LeftTurn,
  sweepMs: number,
): Promise<TurnResult | "running" | "unknown"> {
  const { note, ageMs } = turn;
  const sessionId = note?.sessionId ?? turn.sessionId;
  try {
    let forgotten = false;
    if (note?.runId !== undefined) {
      const answer = await api.call("GET", `/v1/runs/${encodeURIComponent(note.runId)}`);
      const status = answer.status === 200 ? readRunStatus(answer.body) : undefined;
      if (status) {
        const end = endOfStatus(status);
        return end ? { text: "", sessionId: status.session_id ?? note.sessionId, ...end } : "running";
      }
      forgotten = answer.status === 404 && ageMs < sweepMs;
    }
    if (sessionId === undefined) return "unknown";
    const transcript = await readTranscript(api, sessionId);
    const reply = transcript ? replyTo(transcript.rows, turn.text) : { state: "absent" as const };
    if (!transcript || reply.state === "absent") return "unknown";
    const found = { sessionId: transcript.sessionId };
    if (reply.state === "answered") return { outcome: "completed", text: reply.text, ...found };
    if (!forgotten && ageMs < MAY_RUN_MS) return "running";
    return { outcome: "lost", text: "", why: "no_reply", ...found };
  } catch (error) {
    if (error instanceof ApiAway) throw unavailable("unreachable", error);
    throw error;
  }
}
