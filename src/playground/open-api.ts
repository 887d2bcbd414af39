import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type ApiAnswer, Refusal } from "./api-answer.ts";
import { type ApiCall, type ApiRoute, findRoute } from "./api-routes.ts";
import type { PlatformCore } from "./platform-core.ts";
import { newId } from "./platform-state.ts";
import { readBody } from "./read-body.ts";

/** Largest body taken: an upload of 30 MB with its wrapping. */
const BODY_BYTES = 32 * 1024 * 1024;

/** One call as it was answered; `code` is the platform's, 0 for success, undefined when the connection was dropped. */
export type CallRecord = {
  api: ApiRoute["api"];
  method: string;
  path: string;
  body: unknown;
  status: number | undefined;
  code: number | undefined;
  /** Wire time in milliseconds. */
  atMs: number;
};

/** Answers one call of the open platform, faults on demand included. */
export async function answerOpenApi(
  core: PlatformCore,
  request: IncomingMessage,
  response: ServerResponse,
  record: (call: CallRecord) => void,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://local");
  const method = request.method ?? "GET";
  const found = findRoute(method, url.pathname);
  if (!found) {
    response.writeHead(404, { "content-type": "text/plain" }).end("404 page not found");
    return;
  }
  const raw = await readBody(request, BODY_BYTES);
  if (!raw) {
    response.writeHead(413).end();
    return;
  }
  const call: ApiCall = {
    params: found.params,
    query: url.searchParams,
    raw,
    body: parseJson(raw),
    contentType: request.headers["content-type"] ?? "",
    host: request.headers.host ?? "127.0.0.1",
  };
  const note = (answer: ApiAnswer | undefined): void =>
    record({
      api: found.route.api,
      method,
      path: url.pathname,
      body: call.body,
      status: answer?.status,
      code: codeOf(answer),
      atMs: core.wireMs(),
    });

  const fault = core.faults.takeForCall(found.route.api);
  if (fault?.kind === "drop_before") {
    note(undefined);
    request.socket.destroy();
    return;
  }
  if (fault?.kind === "delay") await sleep(fault.ms, undefined, { ref: false });
  const answer =
    fault?.kind === "answer" ? ordered(fault) : await carryOut(core, found.route, call, request.headers.authorization);
  if (fault?.kind === "drop_after") {
    note(undefined);
    request.socket.destroy();
    return;
  }
  note(answer);
  reply(response, answer);
}

function ordered(fault: { code: number; status?: number; message?: string; resetSeconds?: number }): ApiAnswer {
  const reset = fault.resetSeconds;
  return {
    status: fault.status ?? (fault.code === 99991400 ? 429 : 400),
    body: { code: fault.code, msg: fault.message ?? "ordered by the playground" },
    headers: reset === undefined ? {} : { "x-ogw-ratelimit-limit": "50", "x-ogw-ratelimit-reset": String(reset) },
  };
}

async function carryOut(
  core: PlatformCore,
  route: ApiRoute,
  call: ApiCall,
  authorization: string | undefined,
): Promise<ApiAnswer> {
  try {
    if (route.token) {
      core.tokens.check(authorization);
      core.rates.checkApi(route.api);
    }
    return await route.answer(core, call);
  } catch (error) {
    if (error instanceof Refusal) return error.toAnswer();
    return { status: 500, body: { code: 2200, msg: `Internal Error: ${String(error)}` } };
  }
}

function reply(response: ServerResponse, answer: ApiAnswer): void {
  const logId = newId("");
  const headers = { "x-tt-logid": logId, "x-request-id": logId, ...answer.headers };
  if (Buffer.isBuffer(answer.body)) response.writeHead(answer.status, headers).end(answer.body);
  else
    response
      .writeHead(answer.status, { "content-type": "application/json; charset=utf-8", ...headers })
      .end(JSON.stringify(answer.body));
}

function codeOf(answer: ApiAnswer | undefined): number | undefined {
  const code = (answer?.body as { code?: unknown } | null | undefined)?.code;
  return typeof code === "number" ? code : undefined;
}

function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString("utf8"));
  } catch {
    return undefined;
  }
}
