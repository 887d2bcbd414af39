import type { IncomingMessage, ServerResponse } from "node:http";
import { asPageRefusal, inspect, PAGE_POSTS, type PageContext, PageRefusal, pageState } from "./page-calls.ts";
import type { PageFiles } from "./page-files.ts";
import { streamNews } from "./page-stream.ts";
import { readBody } from "./read-body.ts";

const BODY_BYTES = 512 * 1024;
const API = "/playground/api/";

const SECURITY_HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** Whether a request names this machine: a page from elsewhere that points its own name here is turned away. */
export function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i.test(host);
}

/** Serves the page and its calls; everything that is not the open platform's. */
export async function answerPage(
  context: PageContext,
  files: PageFiles,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
  try {
    const url = new URL(request.url ?? "/", "http://local");
    if (request.method === "POST") sendJson(response, 200, await post(context, url, request));
    else if (request.method === "GET" || request.method === "HEAD") await get(context, files, url, request, response);
    else throw new PageRefusal(405, "notFound");
  } catch (error) {
    const refusal = asPageRefusal(error);
    if (!response.headersSent) sendJson(response, refusal.status, refusal.toBody());
    else response.end();
  }
}

async function post(context: PageContext, url: URL, request: IncomingMessage): Promise<unknown> {
  const name = url.pathname.startsWith(API) ? url.pathname.slice(API.length) : "";
  const call = Object.hasOwn(PAGE_POSTS, name) ? PAGE_POSTS[name] : undefined;
  if (!call) throw new PageRefusal(404, "notFound");
  if (!isOwnPage(request)) throw new PageRefusal(403, "foreign");
  const raw = await readBody(request, BODY_BYTES);
  if (!raw) throw new PageRefusal(413, "tooLarge");
  return await call(context, parseJson(raw));
}

async function get(
  context: PageContext,
  files: PageFiles,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = url.pathname;
  if (path.startsWith(API)) {
    const [name = "", argument = ""] = path.slice(API.length).split("/");
    if (name === "state") return sendJson(response, 200, pageState(context));
    if (name === "stream") return streamNews(context.core, request, response);
    if (name === "inspect") return sendJson(response, 200, await inspect(context, argument, url.searchParams));
    if (name === "images" || name === "files") return sendFile(context, argument, name, response);
    throw new PageRefusal(404, "notFound");
  }
  const name =
    path === "/" || path === "/playground" || path === "/playground/"
      ? "index.html"
      : path.replace(/^(?:\/playground)?\//, "");
  const file = await files.get(name).catch(() => {
    throw new PageRefusal(503, "pageMissing");
  });
  if (!file) throw new PageRefusal(404, "notFound");
  response.writeHead(200, { "content-type": file.mime, "cache-control": "no-cache" });
  response.end(request.method === "HEAD" ? undefined : file.bytes);
}

function sendFile(context: PageContext, key: string, kind: "images" | "files", response: ServerResponse): void {
  const file = context.core.state.files.get(key);
  if (!file) throw new PageRefusal(404, "notFound");
  // Only plain pictures are shown; anything else is downloaded, so that nothing uploaded runs as part of the page.
  const picture = kind === "images" && /^image\/(?:png|jpeg|gif|webp)$/.test(file.mime);
  response.writeHead(200, {
    "content-type": picture ? file.mime : "application/octet-stream",
    ...(picture ? {} : { "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}` }),
  });
  response.end(file.bytes);
}

/** A POST counts only as JSON (no plain form can send that) and, when a browser names the sender, from this very page. */
function isOwnPage(request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  const site = request.headers["sec-fetch-site"];
  const json = /^application\/json\b/i.test(request.headers["content-type"] ?? "");
  return (
    json && (origin === undefined || origin === `http://${host}`) && (site === undefined || site === "same-origin")
  );
}

function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString("utf8"));
  } catch {
    throw new PageRefusal(400, "badRequest");
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}
