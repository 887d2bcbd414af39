import type { Middleware } from "koa";
import { type McpParts, mcpServer } from "./hermes-bridge/mcp-server.ts";
import { BRIDGE_BODY_BYTES, isOurCall } from "./hermes-bridge/tool-routes.ts";
import { isForwarded, readUpTo } from "./mount-bridge.ts";

/** A page in a browser says where it comes from; only one of this machine's own may. */
const LOCAL_ORIGIN = /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;

/**
 * The same tools over MCP (Streamable HTTP) at /mcp: without sessions, each request stands by itself and is answered as JSON.
 * For programs on this machine that know the token; everyone else gets 401 and no word more.
 */
export function mountMcp(parts: McpParts & { token: string }): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== "/mcp") return next();
    const origin = ctx.get("origin");
    const ours = isOurCall(
      {
        authorization: ctx.get("authorization"),
        host: ctx.get("host"),
        forwarded: isForwarded(ctx),
        peer: ctx.req.socket.remoteAddress,
      },
      parts.token,
    );
    if (!ours) {
      ctx.status = 401;
      ctx.body = {};
      return;
    }
    if (origin !== "" && !LOCAL_ORIGIN.test(origin)) {
      ctx.status = 403;
      ctx.body = {};
      return;
    }
    if (ctx.method !== "POST") {
      ctx.status = 405;
      ctx.set("allow", "POST");
      ctx.body = { jsonrpc: "2.0", error: { code: -32000, message: "POST only: there are no sessions." }, id: null };
      return;
    }
    const body = await readUpTo(ctx.req, BRIDGE_BODY_BYTES);
    if (body === undefined) {
      ctx.status = 413;
      ctx.body = { jsonrpc: "2.0", error: { code: -32000, message: "The request is too long." }, id: null };
      return;
    }
    let message: unknown;
    try {
      message = JSON.parse(body.toString("utf8"));
    } catch {
      ctx.status = 400;
      ctx.body = { jsonrpc: "2.0", error: { code: -32700, message: "Not JSON." }, id: null };
      return;
    }
    const { StreamableHTTPServerTransport } = await import("@modelcontextprotocol/sdk/server/streamableHttp.js");
    const server = await mcpServer(parts);
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    ctx.respond = false;
    ctx.res.on("close", () => {
      void transport.close();
      void server.close();
    });
    // The SDK's own types do not allow for exactOptionalPropertyTypes.
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    await transport.handleRequest(ctx.req, ctx.res, message);
  };
}
