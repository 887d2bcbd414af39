import { setTimeout as wait } from "node:timers/promises";
import { EventStreamParser, type StreamEvent } from "./read-event-stream.ts";

export interface ApiAddress {
  /** without a slash at its end; may end in a profile's prefix such as /p/work */
  url: string;
  key?: string;
}

export interface ApiAnswer {
  status: number;
  /** parsed JSON; undefined when it was none */
  body: unknown;
}

/**
 * A request got no answer. `began`: it may have arrived all the same, so that nobody knows whether it was carried out.
 * The message names the cause in one word and holds no address and no key.
 */
export class ApiAway extends Error {
  readonly began: boolean;

  constructor(why: string, began: boolean) {
    super(why);
    this.name = "ApiAway";
    this.began = began;
  }
}

/** What the network says when a connection was never made. */
const NEVER_SENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|UND_ERR_CONNECT_TIMEOUT|ERR_INVALID_URL|ERR_TLS_\w+|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/;

const ANSWER_MS = 20_000;
/** Hermes says something every 30 s while a stream is open; after three missed ones nobody is there. */
const SILENT_STREAM_MS = 100_000;

interface CallOptions {
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  timeoutMs?: number;
  /** without the key: to see whether it is asked for */
  keyless?: boolean;
}

/** Hermes' API server as HTTP. The key goes into one header and nowhere else; redirects are not followed with it. */
export class HermesApi {
  readonly url: string;
  readonly #key: string | undefined;
  readonly #silentMs: number;

  constructor({ url, key }: ApiAddress, options: { silentStreamMs?: number } = {}) {
    this.url = url;
    this.#key = key;
    this.#silentMs = options.silentStreamMs ?? SILENT_STREAM_MS;
  }

  get hasKey(): boolean {
    return this.#key !== undefined;
  }

  /** Whether it runs on this machine, as its address says. */
  get isLocal(): boolean {
    const { hostname } = new URL(this.url);
    return hostname === "localhost" || hostname === "[::1]" || /^127\./.test(hostname);
  }

  /** One question, one answer, whatever its status. A GET that broke is asked once more. @throws ApiAway */
  async call(method: string, path: string, options: CallOptions = {}): Promise<ApiAnswer> {
    try {
      return await this.#call(method, path, options);
    } catch (error) {
      if (method !== "GET" || !(error instanceof ApiAway) || !error.began || error.message === "timeout") throw error;
      // A connection kept from earlier may have been closed at the other end.
      await wait(100);
      return this.#call(method, path, options);
    }
  }

  async #call(method: string, path: string, options: CallOptions): Promise<ApiAnswer> {
    const stop = AbortSignal.timeout(options.timeoutMs ?? ANSWER_MS);
    try {
      const response = await this.#fetch(method, path, options, stop);
      const text = await response.text();
      return { status: response.status, body: parseJson(text) };
    } catch (error) {
      throw asAway(error);
    }
  }

  /**
   * Opens a stream of events. `refused` is the answer when it is none. The stream ends when the other end closes it, and
   * breaks with ApiAway when the connection does, or nothing (not even a keepalive) comes for too long.
   * @throws ApiAway
   */
  async stream(
    method: string,
    path: string,
    options: Pick<CallOptions, "body" | "headers"> & { signal: AbortSignal },
  ): Promise<{ events: AsyncGenerator<StreamEvent, void, void> } | { refused: ApiAnswer }> {
    const silent = new AbortController();
    const timer = setTimeout(() => silent.abort(new DOMException("silent", "TimeoutError")), this.#silentMs);
    const stop = AbortSignal.any([options.signal, silent.signal]);
    try {
      const response = await this.#fetch(method, path, options, stop);
      if (!response.ok || !response.body || !/^text\/event-stream\b/.test(response.headers.get("content-type") ?? "")) {
        const text = await response.text();
        clearTimeout(timer);
        return { refused: { status: response.ok ? 502 : response.status, body: parseJson(text) } };
      }
      return { events: read(response.body, timer) };
    } catch (error) {
      clearTimeout(timer);
      throw asAway(error);
    }
  }

  #fetch(method: string, path: string, options: CallOptions, signal: AbortSignal): Promise<Response> {
    const { body, headers, keyless } = options;
    return fetch(`${this.url}${path}`, {
      method,
      redirect: "manual",
      signal,
      headers: {
        accept: "application/json, text/event-stream",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(this.#key !== undefined && !keyless && { authorization: `Bearer ${this.#key}` }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }
}

async function* read(
  body: ReadableStream<Uint8Array>,
  timer: ReturnType<typeof setTimeout>,
): AsyncGenerator<StreamEvent, void, void> {
  const parser = new EventStreamParser();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      timer.refresh();
      if (done) return;
      yield* parser.push(value);
    }
  } catch (error) {
    throw asAway(error);
  } finally {
    clearTimeout(timer);
    reader.cancel().catch(() => {});
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asAway(error: unknown): ApiAway {
  if (error instanceof ApiAway) return error;
  const { name, cause, code } = error as { name?: unknown; cause?: { code?: unknown }; code?: unknown };
  if (name === "TimeoutError" || name === "AbortError")
    return new ApiAway(name === "AbortError" ? "ended" : "timeout", true);
  const word = firstString(cause?.code, code) ?? "broken";
  return new ApiAway(word, !NEVER_SENT.test(word));
}

function firstString(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string");
}
