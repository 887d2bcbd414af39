import { createHash, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { Scope } from "../engine/scope.ts";
import { readSettings } from "../engine/settings.ts";
import type { AgentTool } from "./agent-tool.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { promptSections } from "./prompt-sections.ts";
import { runTool } from "./run-tool.ts";
import { agentTools, toolSchemas } from "./tools.ts";
import { whoSpeaks } from "./who-speaks.ts";

/** Larger bodies are refused before they are read to the end. */
export const BRIDGE_BODY_BYTES = 64 * 1024;

/** What a server knows of a request before its body is read. */
export interface BridgeRequest {
  method: string;
  /** without the query */
  path: string;
  authorization?: string | undefined;
  host?: string | undefined;
  /** came through a proxy, as its headers say */
  forwarded: boolean;
  /** address of the other end of the socket */
  peer?: string | undefined;
  /** aborted when the other end hangs up before it was answered */
  gone?: AbortSignal;
  /** The body; undefined when it is longer than `most` bytes. */
  read(most: number): Promise<Buffer | undefined>;
}

export interface BridgeAnswer {
  status: number;
  body: Readonly<Record<string, unknown>>;
}

/** One more thing the plugin may call, mounted behind the same check of who calls. */
export interface BridgeRoute {
  method: "GET" | "POST";
  /** whole path, such as /bridge/telemetry */
  path: string;
  handle(scope: Scope, request: BridgeRequest): Promise<BridgeAnswer>;
}

export interface BridgeParts {
  scope: Scope;
  token: string;
  version: string;
  /** something was changed that cards show */
  changed: () => void;
  /** what other parts of the bridge answer */
  routes?: readonly BridgeRoute[];
}

const callSchema = z.object({
  args: z.record(z.string(), z.unknown()).catch({}),
  context: z.object({ session_id: z.string(), task_id: z.string() }).partial().catch({}),
});

/**
 * What Hermes' plugin calls, on this machine only and with the shared secret. Everyone else gets 401 and no word more.
 * Never rejects; a bug is logged and answered with its reference.
 */
export function bridgeRoutes(parts: BridgeParts): (request: BridgeRequest) => Promise<BridgeAnswer> {
  const { scope } = parts;
  return async (request) => {
    if (!isOurCall(request, parts.token)) return { status: 401, body: {} };
    try {
      return (await route(parts, request)) ?? { status: 404, body: { error: "There is no such thing here." } };
    } catch (error) {
      const refusal = explainRefusal(error);
      if (refusal) {
        scope.log.info("bridge.refused", { path: request.path, status: refusal.status });
        return { status: refusal.status, body: { error: refusal.error } };
      }
      const ref = scope.log.incident("bridge.failed", error, { path: request.path });
      return { status: 500, body: { error: `Something went wrong in Herald (${ref}); nothing was changed.`, ref } };
    }
  };
}

async function route(parts: BridgeParts, request: BridgeRequest): Promise<BridgeAnswer | undefined> {
  const { scope, version } = parts;
  switch (`${request.method} ${request.path}`) {
    case "GET /bridge/ping":
      return { status: 200, body: { ok: true, version } };
    case "GET /bridge/tools":
      return { status: 200, body: { tools: toolSchemas() } };
    case "GET /bridge/sections":
      return { status: 200, body: { sections: promptSections(await readSettings(scope)) } };
  }
  const other = parts.routes?.find((each) => each.method === request.method && each.path === request.path);
  if (other !== undefined) return other.handle(scope, request);
  const name = /^\/bridge\/tools\/([\w-]+)$/.exec(request.path)?.[1];
  const tool = agentTools.find((each) => each.name === name);
  return request.method === "POST" && tool ? callTool(parts, tool, request) : undefined;
}

async function callTool(parts: BridgeParts, tool: AgentTool, request: BridgeRequest): Promise<BridgeAnswer> {
  const body = await request.read(BRIDGE_BODY_BYTES);
  if (body === undefined) {
    return { status: 413, body: { error: `The call is longer than ${BRIDGE_BODY_BYTES} bytes; nothing was changed.` } };
  }
  const call = readCall(body);
  if (call === undefined) {
    return { status: 422, body: { error: "Expected {args, context} as JSON; nothing was changed." } };
  }
  const { scope } = parts;
  const sessionId = call.context.session_id;
  const door = { sessionId, speaker: () => whoSpeaks(scope, sessionId) };
  const result = await runTool(scope, tool, door, call.args);
  parts.changed();
  return { status: 200, body: result };
}

function readCall(body: Buffer): z.infer<typeof callSchema> | undefined {
  try {
    return callSchema.safeParse(JSON.parse(body.toString("utf8"))).data;
  } catch {
    return undefined;
  }
}

/** From a program on this machine that knows the token, and not through a proxy. */
export function isOurCall(
  { authorization, host, forwarded, peer }: Pick<BridgeRequest, "authorization" | "host" | "forwarded" | "peer">,
  token: string,
): boolean {
  const given = /^Bearer (\S+)$/.exec(authorization ?? "")?.[1] ?? "";
  // Compared first and always, so that the time it takes tells nothing.
  const known = timingSafeEqual(digest(given), digest(token));
  return known && !forwarded && isLoopbackAddress(peer) && isLoopbackHost(host);
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && (address === "::1" || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address));
}

/** A page in a browser that was led here under another name sends that name. */
function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(host);
}
