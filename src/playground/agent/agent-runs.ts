import { randomBytes } from "node:crypto";
import type { AgentBehaviour } from "./agent-behaviour.ts";
import type { Decision } from "./agent-mind.ts";
import type { AgentRun, TurnNews } from "./agent-run.ts";
import type { AgentStream } from "./agent-stream.ts";

export type HttpAnswer = { status: number; body: unknown; headers?: Record<string, string> };

type Entry = {
  runId: string;
  run: AgentRun;
  sessionId: string;
  /** whose approvals are answered together */
  queue: string;
  listed: boolean;
  createdMs: number;
  /** news nobody has fetched yet; undefined once somebody has, or nobody may any more */
  news: TurnNews[] | undefined;
  consumer: AgentStream | undefined;
  status: string;
  stopped: boolean;
};

const CHOICES: Readonly<Record<string, Decision>> = {
  once: "once",
  session: "session",
  always: "always",
  deny: "deny",
  approve: "once",
  allow: "once",
};

export function refusal(status: number, message: string, code: string): HttpAnswer {
  return { status, body: { error: { message, type: "invalid_request_error", code } } };
}

/** The runs of one server: their events, status, stop, steering and approvals. */
export class AgentRuns {
  readonly #behaviour: AgentBehaviour;
  readonly #entries = new Map<string, Entry>();
  readonly #byKey = new Map<string, { runId: string; body: string }>();

  constructor(behaviour: AgentBehaviour) {
    this.#behaviour = behaviour;
  }

  get #isOld(): boolean {
    return this.#behaviour.generation === "0.16";
  }

  /** As when the process was killed: nothing is known any more, and nothing goes on. */
  forgetAll(): void {
    for (const { run } of this.#entries.values()) run.stop();
    this.#entries.clear();
    this.#byKey.clear();
  }

  /** A run begun before under this key, or the refusal of a key that was used for something else. */
  replay(key: string | undefined, body: string): HttpAnswer | undefined {
    const known = key === undefined || this.#isOld ? undefined : this.#byKey.get(key);
    if (!known) return undefined;
    if (known.body !== body) {
      return refusal(409, "Idempotency-Key was used with another payload", "idempotency_key_conflict");
    }
    const status = this.#entries.get(known.runId)?.status ?? "queued";
    return { status: 202, body: { run_id: known.runId, status, replayed: true } };
  }

  get full(): boolean {
    return [...this.#entries.values()].filter(({ run }) => !run.ending).length >= this.#behaviour.mostRuns;
  }

  /** `listed`: a run of its own; the turns of session streams are known by name as well, without events to fetch. */
  add(
    run: AgentRun,
    about: { sessionId: string; queue?: string; key?: string; body?: string; listed: boolean },
  ): string {
    const runId = `run_${randomBytes(16).toString("hex")}`;
    const entry: Entry = {
      runId,
      run,
      sessionId: about.sessionId,
      queue: (this.#isOld && about.queue) || runId,
      listed: about.listed,
      createdMs: performance.now(),
      news: about.listed ? [] : undefined,
      consumer: undefined,
      status: "running",
      stopped: false,
    };
    this.#entries.set(runId, entry);
    if (about.key !== undefined && !this.#isOld) this.#byKey.set(about.key, { runId, body: about.body ?? "" });
    run.listen((news) => {
      if (news.kind === "end") entry.status = entry.stopped ? "cancelled" : news.end.status;
      else if (news.kind === "approval") entry.status = "waiting_for_approval";
      if (entry.consumer) this.#write(entry, entry.consumer, news);
      else entry.news?.push(news);
    });
    return runId;
  }

  /** Answers everything under /v1/runs/{id} but the events. */
  answer(method: string, runId: string, what: string | undefined, body: Record<string, unknown>): HttpAnswer {
    const entry = this.#find(runId);
    if (!entry) return refusal(404, `Run not found: ${runId}`, "run_not_found");
    switch (`${method} ${what ?? ""}`) {
      case "GET ":
        return { status: 200, body: this.#status(entry) };
      case "POST stop":
        return this.#stop(entry);
      case "POST approval":
        return this.#decide(entry, body);
      case "POST steer": {
        const text = String(body.input ?? body.message ?? body.text ?? "").trim();
        if (this.#isOld) return refusal(404, "Not found", "not_found");
        if (entry.run.ending || !entry.run.steer(text)) {
          return refusal(409, `Run is not currently accepting steer input: ${runId}`, "run_not_accepting_steer");
        }
        return { status: 200, body: { object: "hermes.run.steer", run_id: runId, accepted: true } };
      }
      default:
        return refusal(404, "Not found", "not_found");
    }
  }

  /** Whether somebody may still fetch the run's events: one consumer, no replay. */
  hasEvents(runId: string): boolean {
    const entry = this.#find(runId);
    return entry?.news !== undefined && entry.consumer === undefined;
  }

  stream(runId: string, stream: AgentStream): void {
    const entry = this.#find(runId);
    if (!entry?.news) {
      stream.end();
      return;
    }
    entry.consumer = stream;
    for (const news of entry.news.splice(0)) this.#write(entry, stream, news);
    entry.news = undefined;
  }

  #find(runId: string): Entry | undefined {
    const entry = this.#entries.get(runId);
    // A turn that a session streams has a name there, but cannot be reached by it.
    if (entry && this.#isOld && !entry.listed) return undefined;
    if (!entry || !this.#isOld || performance.now() - entry.createdMs <= this.#behaviour.sweepMs) return entry;
    // 0.16 forgets a run by its age, also one that is alive: its questions are let go, its open stream goes on.
    entry.run.release();
    return undefined;
  }

  #status({ runId, run, sessionId, status, createdMs }: Entry): Record<string, unknown> {
    const { ending } = run;
    return {
      object: "hermes.run",
      run_id: runId,
      status,
      created_at: createdMs / 1000,
      session_id: sessionId,
      ...(ending?.output != null && { output: ending.output, usage: ending.usage }),
      ...(ending?.error !== undefined && { error: ending.error }),
    };
  }

  #stop(entry: Entry): HttpAnswer {
    if (entry.run.ending) {
      return this.#isOld
        ? refusal(404, `Run not found: ${entry.runId}`, "run_not_found")
        : { status: 200, body: this.#status(entry) };
    }
    entry.stopped = true;
    entry.status = this.#isOld ? "cancelled" : "stopping";
    entry.run.stop();
    return { status: 200, body: { run_id: entry.runId, status: "stopping" } };
  }

  #decide(entry: Entry, body: Record<string, unknown>): HttpAnswer {
    const choice = CHOICES[String(body.choice ?? "").toLowerCase()];
    if (choice === undefined) return refusal(400, "Invalid approval choice", "invalid_approval_choice");
    if (entry.run.ending) return refusal(409, "Run has no active approval session", "approval_not_active");
    const id = this.#isOld || typeof body.request_id !== "string" ? undefined : body.request_id;
    // By its queue 0.16 finds the oldest question of every run that shares it.
    const sharing = [...this.#entries.values()].find((each) => each.queue === entry.queue && each.run.waiting);
    const resolved = (sharing ?? entry).run.decide(choice, id);
    if (resolved === 0) return refusal(409, "Run has no pending approval", "approval_not_pending");
    entry.status = "running";
    const responded = { event: "approval.responded", run_id: entry.runId, choice, resolved };
    entry.consumer?.send({ ...responded, ...(id !== undefined && { request_id: id }) });
    return { status: 200, body: { object: "hermes.run.approval_response", run_id: entry.runId, choice, resolved } };
  }

  #write(entry: Entry, stream: AgentStream, news: TurnNews): void {
    const event = (name: string, fields: Record<string, unknown>): void =>
      stream.send({ event: name, run_id: entry.runId, timestamp: Date.now() / 1000, ...fields });
    switch (news.kind) {
      case "delta":
        event("message.delta", { delta: news.text });
        return;
      case "tool_started":
        // What the sweeper forgot has lost its tool events.
        if (this.#find(entry.runId)) event("tool.started", { tool: news.tool, preview: news.preview });
        return;
      case "tool_completed":
        if (this.#find(entry.runId)) {
          event("tool.completed", { tool: news.tool, duration: news.seconds, error: news.error });
        }
        return;
      case "approval":
        event("approval.request", {
          command: news.command,
          description: news.description,
          pattern_key: "sample",
          choices: ["once", "session", "always", "deny"],
          ...(!this.#isOld && { request_id: news.id }),
        });
        return;
      case "end": {
        const { end } = news;
        if (entry.stopped) event("run.cancelled", {});
        else if (end.status === "failed") event("run.failed", { error: end.error });
        else {
          event("run.completed", {
            output: end.output,
            usage: end.usage,
            ...(end.undelivered !== undefined && { pending_steer: end.undelivered }),
          });
        }
        stream.end("stream closed");
        return;
      }
    }
  }
}
