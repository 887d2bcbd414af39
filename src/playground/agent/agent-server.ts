import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readBody } from "../read-body.ts";
import { type AgentBehaviour, STEADY } from "./agent-behaviour.ts";
import type { Mind, Remembered } from "./agent-mind.ts";
import { AgentRun, type TurnNews } from "./agent-run.ts";
import { AgentRuns, type HttpAnswer, refusal } from "./agent-runs.ts";
import type { AgentStore } from "./agent-store.ts";
import { AgentStream } from "./agent-stream.ts";

export type AgentServerOptions = {
  /** 0 (default) takes a free one */
  port?: number;
  key: string;
  now: () => Date;
  store: AgentStore;
  mind: Mind;
  version?: string;
  behaviour?: Partial<AgentBehaviour>;
};

/** One turn as it was asked for: for looking at from outside. */
export type AskedTurn = {
  way: "run" | "stream";
  sessionId: string;
  text: string;
  history: readonly Remembered[];
  instructions?: string;
  headers: IncomingMessage["headers"];
};

export type AgentServer = {
  /** `http://127.0.0.1:port` */
  url: string;
  key: string;
  behaviour: AgentBehaviour;
  /** every turn that was begun, oldest first */
  asked: AskedTurn[];
  /** True while it answers. Switched off it is as if its process had been killed: nothing goes on, nobody listens. */
  readonly up: boolean;
  setUp(up: boolean): Promise<void>;
  close(): Promise<void>;
};

const BODY_BYTES = 10 * 1024 * 1024;

/** A stand-in for Hermes' API server on loopback: the same calls, answers and streams, with somebody else's thoughts. */
export async function startAgentServer(options: AgentServerOptions): Promise<AgentServer> {
  const behaviour: AgentBehaviour = { ...STEADY, ...options.behaviour };
  const api = new AgentApi(options, behaviour);
  let server = await listen(api, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  let up = true;
  const down = async (): Promise<void> => {
    api.runs.forgetAll();
    await new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  };
  return {
    url: `http://127.0.0.1:${port}`,
    key: options.key,
    behaviour,
    asked: api.asked,
    get up() {
      return up;
    },
    setUp: async (wanted) => {
      if (wanted === up) return;
      up = wanted;
      if (wanted) server = await listen(api, port);
      else await down();
    },
    close: async () => {
      if (up) await down();
    },
  };
}

function listen(api: AgentApi, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    api.answer(request, response).catch(() => response.destroy());
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}

class AgentApi {
  readonly runs: AgentRuns;
  readonly asked: AskedTurn[] = [];
  readonly #options: AgentServerOptions;
  readonly #behaviour: AgentBehaviour;

  constructor(options: AgentServerOptions, behaviour: AgentBehaviour) {
    this.#options = options;
    this.#behaviour = behaviour;
    this.runs = new AgentRuns(behaviour);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await this.#route(request, response);
    if (answer) send(response, answer);
  }

  /** @returns undefined when the response was taken over */
  async #route(request: IncomingMessage, response: ServerResponse): Promise<HttpAnswer | undefined> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://local");
    const method = request.method ?? "GET";
    // A page in a browser that was led here under another name sends that name.
    if (!/^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(request.headers.host ?? "")) {
      return refusal(421, "Wrong host", "host");
    }
    if (method === "GET" && (pathname === "/health" || pathname === "/v1/health")) {
      const version = this.#options.version ?? (this.#behaviour.generation === "0.16" ? "0.16.0" : "0.21.3");
      return { status: 200, body: { status: "ok", platform: "hermes-agent", version } };
    }
    if (!this.#behaviour.open && !this.#hasKey(request)) return refusal(401, "Invalid API key", "invalid_api_key");
    const raw = method === "GET" ? Buffer.from("{}") : await readBody(request, BODY_BYTES);
    if (!raw) return refusal(413, "Request body too large", "body_too_large");
    const body = parse(raw);
    const [first, second, id = "", what, more] = pathname.split("/").slice(1).map(decodeURIComponent);
    switch (`${first} ${second}`) {
      case "v1 models":
        return { status: 200, body: { object: "list", data: [{ id: "stand-in", object: "model" }] } };
      case "v1 capabilities":
        return this.#capabilities();
      case "v1 runs":
        if (method === "POST" && id === "") return this.#beginRun(request, response, body, raw.toString());
        if (method !== "GET" || what !== "events") return this.runs.answer(method, id, what, body);
        if (!this.runs.hasEvents(id)) return refusal(404, `Run not found: ${id}`, "run_not_found");
        this.runs.stream(id, new AgentStream(response, this.#behaviour));
        return undefined;
      case "api sessions":
        if (method === "POST" && what === "chat" && more === "stream") {
          return this.#streamTurn(request, response, id, body);
        }
        return this.#sessions(method, id, what, searchParams, body);
      default:
        return refusal(404, "Not found", "not_found");
    }
  }

  #hasKey(request: IncomingMessage): boolean {
    const given = Buffer.from(request.headers.authorization ?? "");
    const wanted = Buffer.from(`Bearer ${this.#options.key}`);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }

  #capabilities(): HttpAnswer {
    const { capabilities, generation } = this.#behaviour;
    if (capabilities === "none") return refusal(404, "Not found", "not_found");
    const runs = capabilities === "all";
    const features = {
      session_resources: true,
      session_chat: true,
      session_chat_streaming: true,
      run_submission: runs,
      run_status: runs,
      run_events_sse: runs,
      run_stop: runs,
      run_approval_response: runs,
      approval_events: runs,
      tool_progress_events: true,
      ...(generation === "current" && {
        run_steer: runs,
        runs_idempotency: { supported: runs, durable: true, retention_seconds: 86_400 },
      }),
    };
    return { status: 200, body: { object: "hermes.api_server.capabilities", model: "stand-in", features } };
  }

  #sessions(
    method: string,
    id: string,
    what: string | undefined,
    query: URLSearchParams,
    body: Record<string, unknown>,
  ): HttpAnswer {
    const { store, now } = this.#options;
    if (id === "" && method === "GET") {
      const limit = Math.min(Number(query.get("limit") ?? 50) || 50, 200);
      const offset = Number(query.get("offset") ?? 0) || 0;
      const source = query.get("source");
      const includeChildren = /^(1|true|yes)$/.test(query.get("include_children") ?? "");
      const { sessions, more } = store.sessions({ limit, offset, includeChildren, ...(source && { source }) });
      return { status: 200, body: { object: "list", data: sessions, limit, offset, has_more: more } };
    }
    if (id === "" && method === "POST") {
      const wanted = body.id ?? body.session_id;
      const atSeconds = now().getTime() / 1000;
      const made = typeof wanted === "string" && wanted !== "" ? wanted : `api_${Math.floor(atSeconds)}_${hex(4)}`;
      if (made.length > 256 || /[\r\n\0]/.test(made)) return refusal(400, "Invalid session id", "invalid_session_id");
      const title = typeof body.title === "string" ? { title: body.title } : {};
      if (!store.create({ id: made, atSeconds, ...title })) {
        return refusal(409, `Session already exists: ${made}`, "session_exists");
      }
      return { status: 201, body: { object: "hermes.session", session: store.session(made) } };
    }
    const session = store.session(id);
    if (!session) return refusal(404, `Session not found: ${id}`, "session_not_found");
    if (method === "GET" && what === undefined) return { status: 200, body: { object: "hermes.session", session } };
    if (method === "GET" && what === "messages") {
      const { sessionId, rows } = store.messages(id);
      return { status: 200, body: { object: "list", session_id: sessionId, data: rows } };
    }
    return refusal(404, "Not found", "not_found");
  }

  #beginRun(
    request: IncomingMessage,
    response: ServerResponse,
    body: Record<string, unknown>,
    raw: string,
  ): HttpAnswer | undefined {
    const { runs } = this;
    const header = request.headers["idempotency-key"];
    const key = typeof header === "string" ? header : undefined;
    const replayed = runs.replay(key, raw);
    if (replayed) return replayed;
    if (this.#behaviour.capabilities !== "all") return refusal(404, "Not found", "not_found");
    const input = typeof body.input === "string" ? body.input : lastContent(body.input);
    const { text, images } = readContent(input);
    if (text === "") return refusal(400, "Missing 'input' field", "missing_input");
    if (runs.full) return refusal(429, "Too many concurrent runs", "rate_limited");
    const isOld = this.#behaviour.generation === "0.16";
    const { store, now } = this.#options;
    let sessionId = typeof body.session_id === "string" ? body.session_id : `run_${hex(16)}`;
    if (!store.session(sessionId)) store.create({ id: sessionId, atSeconds: now().getTime() / 1000 });
    if (!isOld) sessionId = store.messages(sessionId).sessionId;
    const told = Array.isArray(body.conversation_history) ? (body.conversation_history as Remembered[]) : undefined;
    const history = told ?? (isOld ? [] : this.#historyOf(sessionId));
    const run = this.#begin({ way: "run", sessionId, text, history, headers: request.headers }, images, body, true);
    const sessionKey = request.headers["x-hermes-session-key"];
    const runId = runs.add(run, {
      sessionId,
      body: raw,
      listed: true,
      ...(key !== undefined && { key }),
      ...(typeof sessionKey === "string" && { queue: sessionKey }),
    });
    if (!this.#losesAnswer()) return { status: 202, body: { run_id: runId, status: "started" } };
    response.destroy();
    return undefined;
  }

  #streamTurn(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    body: Record<string, unknown>,
  ): HttpAnswer | undefined {
    const { store } = this.#options;
    if (!store.session(id)) return refusal(404, `Session not found: ${id}`, "session_not_found");
    const { text, images } = readContent(body.message ?? body.input);
    if (text === "") return refusal(400, "Missing 'message' field", "missing_message");
    // The history of exactly the session that was named, not of its newest continuation.
    const history = this.#historyOf(id);
    const run = this.#begin(
      { way: "stream", sessionId: id, text, history, headers: request.headers },
      images,
      body,
      false,
    );
    const runId = this.runs.add(run, { sessionId: id, listed: false });
    if (this.#losesAnswer()) {
      response.destroy();
      return undefined;
    }
    const stream = new AgentStream(response, this.#behaviour);
    let seq = 0;
    const tell = (event: string, fields: Record<string, unknown>): void => {
      seq++;
      stream.send({ session_id: id, run_id: runId, seq, ts: Date.now() / 1000, ...fields }, event);
    };
    tell("run.started", {});
    tell("message.started", { message_id: "msg_1" });
    tell("tool.progress", { tool_name: "_thinking", delta: "…" });
    run.listen((news) => {
      if (news.kind === "end") {
        this.#endStream(news, tell);
        stream.end();
      } else if (news.kind === "delta") tell("assistant.delta", { message_id: "msg_1", delta: news.text });
      else if (news.kind === "tool_started")
        tell("tool.started", { tool_name: news.tool, preview: news.preview, args: {} });
      else if (news.kind === "tool_completed")
        tell("tool.completed", { tool_name: news.tool, preview: null, args: null });
    });
    return undefined;
  }

  #endStream(
    { end }: Extract<TurnNews, { kind: "end" }>,
    tell: (event: string, fields: Record<string, unknown>) => void,
  ): void {
    // A failed turn comes as completed, with null in the place of its reply; the payload names the session's new id.
    tell("assistant.completed", {
      session_id: end.sessionId,
      content: end.output,
      completed: true,
      partial: false,
      interrupted: end.status === "cancelled",
    });
    tell("run.completed", { session_id: end.sessionId, completed: true, messages: [], usage: end.usage });
    tell("done", {});
  }

  #begin(asked: AskedTurn, images: number, body: Record<string, unknown>, canAsk: boolean): AgentRun {
    const { store, mind, now } = this.#options;
    const told = body.instructions ?? body.system_message;
    const instructions = typeof told === "string" ? { instructions: told } : {};
    this.asked.push({ ...asked, ...instructions });
    if (this.asked.length > 200) this.asked.shift();
    return new AgentRun(
      { sessionId: asked.sessionId, text: asked.text, history: asked.history, images, canAsk, ...instructions },
      {
        store,
        mind,
        nowSeconds: () => now().getTime() / 1000,
        wordMs: () => this.#behaviour.wordMs,
        compressAfter: () => this.#behaviour.compressAfterTurn,
      },
    );
  }

  #losesAnswer(): boolean {
    if (this.#behaviour.loseStartAnswers <= 0) return false;
    this.#behaviour.loseStartAnswers--;
    return true;
  }

  #historyOf(sessionId: string): Remembered[] {
    const { rows } = this.#options.store.messages(sessionId);
    return rows.flatMap(({ role, content }) => (typeof content === "string" ? [{ role, content }] : []));
  }
}

function hex(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}

function lastContent(input: unknown): unknown {
  const last: unknown = Array.isArray(input) ? input.at(-1) : undefined;
  return (last as { content?: unknown } | undefined)?.content;
}

/** Words and pictures of a message: a string, or parts in the shape of the OpenAI API. */
function readContent(content: unknown): { text: string; images: number } {
  if (typeof content === "string") return { text: content, images: 0 };
  const parts = (Array.isArray(content) ? content : []) as { type?: unknown; text?: unknown }[];
  const texts = parts.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  return { text: texts.join("\n"), images: parts.filter(({ type }) => String(type).includes("image")).length };
}

function parse(raw: Buffer): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(raw.toString("utf8"));
    return typeof read === "object" && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function send(response: ServerResponse, { status, body, headers }: HttpAnswer): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
  response.end(JSON.stringify(body));
}
