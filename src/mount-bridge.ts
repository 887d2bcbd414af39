import type { Context, Middleware } from "koa";
import type { BridgeAnswer, BridgeRequest } from "./hermes-bridge/tool-routes.ts";

const FORWARDED = ["forwarded", "x-forwarded-for", "x-real-ip"];

/** Puts the bridge's handler under /bridge/ of a Koa server; everything else passes. */
export function mountBridge(handle: (request: BridgeRequest) => Promise<BridgeAnswer>): Middleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith("/bridge/")) return next();
    const gone = new AbortController();
    const hungUp = (): void => {
      if (!ctx.res.writableFinished) gone.abort();
    };
    ctx.res.once("close", hungUp);
    const { status, body } = await handle({
      method: ctx.method,
      path: ctx.path,
      authorization: ctx.get("authorization"),
      host: ctx.get("host"),
      forwarded: isForwarded(ctx),
      peer: ctx.req.socket.remoteAddress,
      gone: gone.signal,
      read: (most) => readUpTo(ctx.req, most),
    });
    ctx.status = status;
    ctx.body = body;
  };
}

/** Came through a proxy, as its headers say. */
export function isForwarded(ctx: Pick<Context, "get">): boolean {
  return FORWARDED.some((name) => ctx.get(name) !== "");
}

/** The whole body; undefined when it is longer. */
export async function readUpTo(stream: AsyncIterable<Buffer>, most: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.length;
    if (size > most) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
