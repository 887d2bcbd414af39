import { setTimeout as wait } from "node:timers/promises";
import { EngineError } from "../engine/errors.ts";
import { ownSessionId } from "../engine/own-session.ts";
import type {
  AgentTurns,
  Clock,
  Ids,
  Log,
  TurnAbilities,
  TurnEvent,
  TurnRequest,
  TurnResult,
} from "../engine/ports.ts";
import { type ApiFeatures, type ApiState, lookAtApi } from "./api-features.ts";
import { refusal, unavailable } from "./api-refusal.ts";
import { readTranscript, replyTo, type Transcript, unanswered } from "./api-transcript.ts";
import { beginRun } from "./begin-run.ts";
import { conversationHistory, unansweredNote } from "./conversation-history.ts";
import { type Followed, followRun, followTranscript, idsOf, TURN_TIMES, type TurnTimes } from "./follow-run.ts";
import { type ApiAnswer, ApiAway, type HermesApi } from "./hermes-api.ts";
import { RunApprovals } from "./run-approvals.ts";
import { readRunStatus } from "./run-events.ts";
import { streamTurn } from "./stream-turn.ts";
import { turnHeaders } from "./turn-headers.ts";
import { turnInput } from "./turn-input.ts";
import type { TurnNotes } from "./turn-notes.ts";
import { type TurnEnd, TurnProgress } from "./turn-progress.ts";
import { whatBecameOf } from "./what-became-of.ts";

export interface ApiTurnsOptions {
  api: HermesApi;
  clock: Clock;
  ids: Ids;
  log: Log;
  notes: TurnNotes;
  times?: Partial<TurnTimes>;
}

/** A turn that runs here and now. */
interface Running {
  done: Promise<TurnResult>;
  /** every name its session has been called by */
  sessions: Set<string>;
  sessionKey: string;
  left: AbortController;
  stopping: boolean;
  /** this process goes: the turn goes on at Hermes */
  unwatched: boolean;
  /** the words as they were sent */
  text: string;
  /** Hermes has begun it */
  begun: boolean;
  runId?: string;
  approvals?: RunApprovals;
}

/** An open look at the server is believed this long; a turn that fails makes the next one look again. */
const BELIEVED_MS = 60_000;
/** How long the next turn of a session waits for one that was left running. */
const SETTLE_MS = 20_000;

/** Turns over Hermes' API server. Which of its two ways a turn takes, and why, is written in DECISIONS. */
export class ApiTurns implements AgentTurns {
  readonly way = "api-server";
  readonly #options: ApiTurnsOptions;
  readonly #times: TurnTimes;
  readonly #running = new Map<string, Running>();
  readonly #leftRunning = new Set<string>();
  #state: ApiState = { ok: false, why: "unreachable" };
  #lookedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ApiTurnsOptions) {
    this.#options = options;
    this.#times = { ...TURN_TIMES, ...options.times };
  }

  abilities(): TurnAbilities {
    const features = this.#state.ok ? this.#state.features : undefined;
    return {
      stop: features?.stop === true && features.runs,
      steer: features?.steer ?? false,
      approvals: features?.approvals ?? false,
      // Neither Hermes' questions nor its slash commands come through this server.
      questions: false,
      commands: false,
      images: features?.sessionStream ?? false,
    };
  }

  async health(): Promise<{ ok: boolean; version?: string; why?: string }> {
    const state = await this.#look(0);
    if (state.ok) return { ok: true, ...(state.features.version && { version: state.features.version }) };
    return { ok: false, why: state.why };
  }

  run(request: TurnRequest, on: (event: TurnEvent) => void, signal?: AbortSignal): Promise<TurnResult> {
    const known = this.#running.get(request.turnId);
    if (known) return known.done;
    if (request.sessionId !== undefined && this.#isBusy(request.sessionId)) {
      return Promise.reject(new EngineError("wrong_state", { what: "turn", state: "running", possible: [] }));
    }
    const running: Running = {
      done: Promise.resolve({ outcome: "lost", text: "" }),
      sessions: new Set(request.sessionId === undefined ? [] : [request.sessionId]),
      sessionKey: request.sessionKey,
      left: new AbortController(),
      stopping: false,
      unwatched: signal?.aborted === true,
      text: request.text,
      begun: false,
    };
    this.#running.set(request.turnId, running);
    const end = (): void => {
      running.unwatched = true;
      running.left.abort();
    };
    signal?.addEventListener("abort", end, { once: true });
    running.done = this.#run(request, on, running).finally(() => {
      this.#running.delete(request.turnId);
      signal?.removeEventListener("abort", end);
    });
    return running.done;
  }

  async #run(request: TurnRequest, on: (event: TurnEvent) => void, running: Running): Promise<TurnResult> {
    const { log } = this.#options;
    const startedMs = performance.now();
    const progress = new TurnProgress(on);
    const state = await this.#look(BELIEVED_MS);
    if (!state.ok) throw unavailable(state.why);
    try {
      const transcript = await this.#openSession(request, running);
      const { sessionId } = transcript;
      if (running.unwatched) return { outcome: "lost", text: "", why: "not_watched", sessionId };
      if (running.stopping) return { outcome: "stopped", text: "", sessionId };
      const end = await this.#turn(request, running, state.features, transcript, progress);
      if (running.unwatched && end.outcome !== "completed") {
        return { outcome: "lost", text: progress.text, why: "not_watched", sessionId };
      }
      running.approvals?.voidAll();
      const result = await this.#settled(running, transcript, progress, end);
      const ms = Math.round(performance.now() - startedMs);
      log.info("hermes.turn", { turnId: request.turnId, outcome: result.outcome, why: result.why, ms });
      return result;
    } catch (error) {
      running.approvals?.voidAll();
      this.#lookedAtMs = Number.NEGATIVE_INFINITY;
      // Everything up to the beginning of the turn only reads, or makes an empty session.
      if (error instanceof ApiAway)
        throw unavailable(error.message === "http_401" ? "key_refused" : "unreachable", error);
      throw error;
    }
  }

  /** The session as it stands, under its newest name; a new one when there is none yet, or it is gone at Hermes. */
  async #openSession(request: TurnRequest, running: Running): Promise<Transcript> {
    const { api } = this.#options;
    if (request.sessionId !== undefined) {
      let found = await readTranscript(api, request.sessionId);
      if (found) {
        if (found.sessionId !== request.sessionId && this.#isBusy(found.sessionId, running)) {
          throw new EngineError("wrong_state", { what: "turn", state: "running", possible: [] });
        }
        running.sessions.add(found.sessionId);
        if (this.#leftRunning.delete(request.sessionId) || this.#leftRunning.delete(found.sessionId)) {
          found = await this.#whenSettled(found);
        }
        return found;
      }
    }
    const { purpose, place, sender, turnId } = request;
    const own = {
      type: purpose === "editorial" ? ("own" as const) : place.type,
      chatId: place.chatId,
      ...(sender && { openId: sender.openId }),
    };
    const sessionId = ownSessionId(own, turnId);
    const answer = await api.call("POST", "/api/sessions", { body: { id: sessionId } });
    // It stands there already: an earlier try of this very turn made it.
    if (answer.status !== 201 && answer.status !== 200 && answer.status !== 409) throw refusal(answer);
    running.sessions.add(sessionId);
    return (answer.status === 409 && (await readTranscript(api, sessionId))) || { sessionId, rows: [] };
  }

  /** A turn that nobody could stop may still be writing. */
  async #whenSettled(found: Transcript): Promise<Transcript> {
    let now = found;
    for (const since = performance.now(); performance.now() - since < SETTLE_MS; ) {
      if (unanswered(now.rows).length === 0) return now;
      await wait(this.#times.pollMs);
      now = (await readTranscript(this.#options.api, now.sessionId)) ?? now;
    }
    return now;
  }

  async #turn(
    request: TurnRequest,
    running: Running,
    features: ApiFeatures,
    transcript: Transcript,
    progress: TurnProgress,
  ): Promise<TurnEnd> {
    const { api, notes, clock } = this.#options;
    const { turnId } = request;
    const loadsHistory = features.idempotent || !features.runs;
    const note = loadsHistory ? unansweredNote(transcript.rows, request.text) : undefined;
    const input = await turnInput(request, [note]);
    const turn: Followed = {
      api,
      sessionId: transcript.sessionId,
      text: input.text,
      before: idsOf(transcript.rows),
      progress,
      left: running.left.signal,
      times: this.#times,
      begunMs: performance.now(),
      keepsRuns: features.idempotent,
    };
    running.text = turn.text;
    const earlier = notes.get(turnId);
    const accepted = (runId: string | undefined): void => {
      running.begun = true;
      if (runId !== undefined) running.runId = runId;
      notes.put(turnId, { sessionId: turn.sessionId, at: clock.now().getTime(), ...(runId && { runId }) });
    };
    // Older versions queue approvals by the session's key: two runs must not share a queue.
    const shared = [...this.#running.values()].some(
      (each) => each !== running && each.sessionKey === request.sessionKey,
    );
    const headers = turnHeaders(request, features.idempotent || !shared);
    if (earlier !== undefined) {
      // Begun by an earlier try: it is followed, never begun twice.
      progress.emit({ kind: "accepted", sessionId: turn.sessionId });
      return earlier.runId ? this.#follow(turn, earlier.runId, request, running) : followTranscript(turn);
    }
    // Pictures are checked and put in shape only on the way of the session's stream.
    if (!features.runs || (input.parts !== undefined && features.sessionStream)) {
      let told = false;
      const begun = (runId: string | undefined): void => {
        if (!told) progress.emit({ kind: "accepted", sessionId: turn.sessionId });
        if (!told || runId !== running.runId) accepted(runId);
        told = true;
      };
      const end = await this.#sent(turn, () => streamTurn(turn, input, headers, begun));
      return "refused" in end ? Promise.reject(refusal(end.refused)) : end;
    }
    const body = {
      input: input.parts ? [{ role: "user", content: input.parts }] : input.text,
      session_id: turn.sessionId,
      ...(input.instructions !== undefined && { instructions: input.instructions }),
      ...(!features.idempotent && { conversation_history: conversationHistory(transcript.rows, input.text) }),
    };
    const begun = await this.#sent(turn, () =>
      beginRun(api, body, headers, features.idempotent ? this.#times.pollMs : undefined),
    );
    if ("outcome" in begun) return begun;
    accepted(begun.runId);
    progress.emit({ kind: "accepted", sessionId: turn.sessionId });
    return this.#follow(turn, begun.runId, request, running);
  }

  /** Sends what begins the turn. Where nobody knows whether it arrived, the session tells; never is it sent again. */
  async #sent<T>(turn: Followed, send: () => Promise<T>): Promise<T | TurnEnd> {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ApiAway) || !error.began) throw error;
      for (let look = 0; look < 3; look++) {
        await wait(this.#times.pollMs);
        const transcript = await readTranscript(turn.api, turn.sessionId).catch(() => undefined);
        if (transcript && replyTo(transcript.rows, turn.text, turn.before).state !== "absent") {
          turn.progress.emit({ kind: "accepted", sessionId: turn.sessionId });
          return followTranscript(turn);
        }
      }
      return { outcome: "lost", why: "unreachable" };
    }
  }

  async #follow(turn: Followed, runId: string, request: TurnRequest, running: Running): Promise<TurnEnd> {
    const { api, ids } = this.#options;
    const approvals: RunApprovals = new RunApprovals({
      api,
      runId,
      newRef: () => ids.opaque(),
      emit: (event) => {
        // Nobody watches an editorial turn: what it may not do unasked, it does not do.
        if (request.purpose === "editorial" && event.kind === "approval") void approvals.denyAll();
        else turn.progress.emit(event);
      },
    });
    running.runId = runId;
    running.approvals = approvals;
    if (running.stopping) void this.stop(request.turnId);
    // Hermes before idempotent runs lets waiting questions go when it forgets their run.
    const swept = setTimeout(() => approvals.voidAll(), turn.times.sweepMs + 60_000);
    if (turn.keepsRuns) clearTimeout(swept);
    try {
      return await followRun(turn, runId, approvals);
    } finally {
      clearTimeout(swept);
    }
  }

  /** The result with what only the session knows: its newest name, and a reply that the stream did not bring. */
  async #settled(running: Running, transcript: Transcript, progress: TurnProgress, end: TurnEnd): Promise<TurnResult> {
    let { outcome, text, sessionId, why } = end;
    if (why === "left_running") for (const name of running.sessions) this.#leftRunning.add(name);
    else if (sessionId === undefined || why === "empty_reply") {
      const now = await readTranscript(this.#options.api, transcript.sessionId).catch(() => undefined);
      sessionId ??= now?.sessionId;
      const reply = now && why === "empty_reply" ? replyTo(now.rows, running.text, idsOf(transcript.rows)) : undefined;
      if (reply?.state === "answered") {
        outcome = "completed";
        text = reply.text;
        why = undefined;
      }
    }
    if (outcome === "lost") this.#lookedAtMs = Number.NEGATIVE_INFINITY;
    const { why: _, ...told } = end;
    return {
      ...told,
      outcome,
      text: text ?? progress.text,
      sessionId: sessionId ?? transcript.sessionId,
      toolCalls: progress.toolCalls,
      ...(why !== undefined && { why }),
    };
  }

  async whatBecameOf(turn: {
    turnId: string;
    sessionId?: string;
    text: string;
    startedAt: Date;
  }): Promise<TurnResult | "running" | "unknown"> {
    if (this.#running.has(turn.turnId)) return "running";
    const { api, clock, notes } = this.#options;
    const ageMs = clock.now().getTime() - turn.startedAt.getTime();
    return whatBecameOf(api, { ...turn, ageMs, note: notes.get(turn.turnId) }, this.#times.sweepMs);
  }

  async stop(turnId: string): Promise<boolean> {
    const running = this.#running.get(turnId);
    if (!running) {
      const runId = this.#options.notes.get(turnId)?.runId;
      const answer = runId === undefined ? undefined : await this.#ask(runId, "stop", {}).catch(() => undefined);
      return answer !== undefined && answer.status < 300 && readRunStatus(answer.body)?.status === "stopping";
    }
    running.stopping = true;
    if (running.runId === undefined) {
      // Without a name it cannot be stopped, only left. Not begun yet, it will not be, or is stopped once it has a name.
      if (running.begun) running.left.abort();
      else this.#leaveLater(running);
      return true;
    }
    const answer = await this.#ask(running.runId, "stop", {}).catch(() => undefined);
    // Forgotten, or out of reach: it ends by itself some day, and nobody waits for it here.
    if (answer === undefined || answer.status === 404) running.left.abort();
    else this.#leaveLater(running);
    return true;
  }

  #leaveLater(running: Running): void {
    const timer = setTimeout(() => running.left.abort(), this.#times.stopMs);
    void running.done.catch(() => {}).finally(() => clearTimeout(timer));
  }

  async steer(turnId: string, text: string): Promise<boolean> {
    const runId = this.#running.get(turnId)?.runId;
    if (runId === undefined || !this.abilities().steer) return false;
    const answer = await this.#ask(runId, "steer", { input: text }).catch(() => undefined);
    return answer?.status === 200 && (answer.body as { accepted?: unknown } | undefined)?.accepted !== false;
  }

  async answer(ref: string, choice: string): Promise<boolean> {
    for (const { approvals } of this.#running.values()) if (approvals?.has(ref)) return approvals.answer(ref, choice);
    return false;
  }

  #ask(runId: string, what: string, body: object): Promise<ApiAnswer> {
    return this.#options.api.call("POST", `/v1/runs/${encodeURIComponent(runId)}/${what}`, { body, timeoutMs: 12_000 });
  }

  #isBusy(sessionId: string, besides?: Running): boolean {
    return [...this.#running.values()].some((each) => each !== besides && each.sessions.has(sessionId));
  }

  async #look(believedMs: number): Promise<ApiState> {
    if (this.#state.ok && performance.now() - this.#lookedAtMs < believedMs) return this.#state;
    const state = await lookAtApi(this.#options.api);
    const before = this.#state;
    if (!state.ok && (before.ok || before.why !== state.why)) {
      this.#options.log.warn("hermes.api_not_used", { why: state.why, detail: state.detail });
    }
    this.#lookedAtMs = performance.now();
    this.#state = state;
    return state;
  }
}
