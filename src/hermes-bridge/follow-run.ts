import { setTimeout as wait } from "node:timers/promises";
import { type ApiRow, readTranscript, replyTo } from "./api-transcript.ts";
import { ApiAway, type HermesApi } from "./hermes-api.ts";
import type { RunApprovals } from "./run-approvals.ts";
import { askAgain, endOfStatus, readRunStatus, takeRunEvent } from "./run-events.ts";
import type { TurnEnd, TurnProgress } from "./turn-progress.ts";

/** How long to wait for what, in milliseconds. */
export interface TurnTimes {
  /** between two questions about a run or a transcript */
  pollMs: number;
  /** Hermes may be away this long in the middle of a turn before the turn counts as lost */
  awayMs: number;
  /** a turn that Hermes itself has no record of any more may go on this long before it counts as lost */
  forgottenMs: number;
  /** from asking a run to stop until nobody waits for it any more */
  stopMs: number;
  /** age at which Hermes before idempotent runs forgets a run */
  sweepMs: number;
}

export const TURN_TIMES: TurnTimes = {
  pollMs: 2_000,
  awayMs: 60_000,
  forgottenMs: 600_000,
  stopMs: 15_000,
  sweepMs: 300_000,
};

/** A turn as whoever follows it sees it. */
export interface Followed {
  api: HermesApi;
  sessionId: string;
  /** the words as they were sent */
  text: string;
  /** rows that stood there before */
  before: ReadonlySet<string>;
  progress: TurnProgress;
  /** aborted when nobody waits any more */
  left: AbortSignal;
  times: TurnTimes;
  /** by the monotonic clock */
  begunMs: number;
  /** Hermes keeps the runs it executes, however old they are */
  keepsRuns: boolean;
}

/** Stopped for the person; Hermes could not be told, or does not say that it ended. */
export const LEFT: TurnEnd = { outcome: "stopped", why: "left_running" };

/**
 * Follows a run to its end: by its events while there are any (they have one consumer and no replay), then by its status,
 * and when Hermes has forgotten the run by what stands in the session.
 */
export async function followRun(turn: Followed, runId: string, approvals: RunApprovals): Promise<TurnEnd> {
  const { api, progress, left } = turn;
  const path = `/v1/runs/${encodeURIComponent(runId)}`;
  try {
    const stream = await api.stream("GET", `${path}/events`, { signal: left });
    if ("events" in stream) {
      for await (const { data } of stream.events) {
        const end = takeRunEvent(data, progress, approvals);
        if (end) return end;
      }
    }
  } catch (error) {
    if (!(error instanceof ApiAway)) throw error;
  }
  const patience = new Patience(turn);
  for (;;) {
    if (left.aborted) return LEFT;
    try {
      const answer = await api.call("GET", path);
      if (answer.status === 404) return followTranscript(turn, { patience, forgotten: true });
      const status = answer.status === 200 ? readRunStatus(answer.body) : undefined;
      if (status === undefined) throw new ApiAway(`http_${answer.status}`, true);
      patience.answered();
      const end = endOfStatus(status);
      if (end) return end;
      if (status.status !== "waiting_for_approval") approvals.voidAll();
      else if (status.approval?.request_id !== undefined) askAgain(status.approval, approvals);
    } catch (error) {
      if (!patience.allows(error)) return { outcome: "lost", why: "unreachable" };
    }
    await wait(turn.times.pollMs);
  }
}

/**
 * Waits for the reply in the session itself: for a turn whose stream broke and of which Hermes has no other record.
 * `forgotten`: it was a run, and Hermes does not know it any more.
 */
export async function followTranscript(
  turn: Followed,
  { patience = new Patience(turn), forgotten = false }: { patience?: Patience; forgotten?: boolean } = {},
): Promise<TurnEnd> {
  const since = performance.now();
  for (;;) {
    if (turn.left.aborted) return LEFT;
    try {
      const transcript = await readTranscript(turn.api, turn.sessionId);
      patience.answered();
      const reply = transcript ? replyTo(transcript.rows, turn.text, turn.before) : { state: "absent" as const };
      if (reply.state === "answered") return { outcome: "completed", text: reply.text };
      const waited = performance.now() - since;
      // A restart ends every turn of Hermes; a run it forgot although it should know it fell to one.
      const over = patience.sawRestart || (forgotten && (turn.keepsRuns || patience.young));
      if (over && waited > turn.times.pollMs) return { outcome: "lost", why: "hermes_restarted" };
      if (waited > turn.times.forgottenMs) return { outcome: "lost", why: "no_reply" };
    } catch (error) {
      if (!patience.allows(error)) return { outcome: "lost", why: "unreachable" };
    }
    await wait(turn.times.pollMs);
  }
}

/** Ids of the rows that stand there, to tell the rows of a turn from older ones with the same words. */
export function idsOf(rows: readonly ApiRow[]): ReadonlySet<string> {
  return new Set(rows.map(({ id }) => id));
}

/** How long Hermes may be away, and whether it was started anew meanwhile. */
class Patience {
  readonly #turn: Followed;
  /** the run was younger than what Hermes forgets when its stream broke */
  readonly young: boolean;
  #awaySince: number | undefined;
  sawRestart = false;

  constructor(turn: Followed) {
    this.#turn = turn;
    this.young = performance.now() - turn.begunMs < turn.times.sweepMs;
  }

  answered(): void {
    this.#awaySince = undefined;
  }

  allows(error: unknown): boolean {
    if (!(error instanceof ApiAway)) throw error;
    // Nobody listens there: the process that ran the turn is gone.
    if (error.message === "ECONNREFUSED") this.sawRestart = true;
    this.#awaySince ??= performance.now();
    return performance.now() - this.#awaySince < this.#turn.times.awayMs;
  }
}
