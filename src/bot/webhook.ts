import type { Context, Middleware } from "koa";
import type { Clock, Log } from "../engine/ports.ts";
import { SIGNATURE_WINDOW_MS, verifyRequest, type WebhookKeys } from "./verify-request.ts";

/** Larger bodies are refused before they are read to the end. A card callback is a few KB. */
export const BODY_LIMIT_BYTES = 1024 * 1024;

/**
 * POST from Feishu → receive. Nothing of the SDK's own check is used: it looks at neither time nor repeats nor token, and
 * verifies a re-serialised body. `receive` must have stored the event before it resolves.
 */
export function webhook(
  keys: WebhookKeys,
  clock: Clock,
  receive: (raw: unknown) => Promise<object>,
  log: Log,
): Middleware {
  const seen = new Map<string, number>();

  /** True when the same signed request came before. Remembered for twice the window, which is all that is accepted anyway. */
  function replayed(key: string, nowMs: number): boolean {
    for (const [old, at] of seen) {
      if (nowMs - at < 2 * SIGNATURE_WINDOW_MS) break;
      seen.delete(old);
    }
    if (seen.has(key)) return true;
    seen.set(key, nowMs);
    return false;
  }

  return async (ctx) => {
    const body = await readBody(ctx);
    if (body === undefined) {
      ctx.status = 413;
      return;
    }
    const verdict = verifyRequest(
      {
        body,
        timestamp: headerOf(ctx, "x-lark-request-timestamp"),
        nonce: headerOf(ctx, "x-lark-request-nonce"),
        signature: headerOf(ctx, "x-lark-signature"),
      },
      keys,
      clock.now(),
    );
    if ("refused" in verdict) {
      log.warn("feishu.webhook.refused", { why: verdict.refused });
      ctx.status = 401;
      ctx.body = "";
      return;
    }
    if (verdict.accepted === "challenge") {
      ctx.body = { challenge: verdict.challenge };
      return;
    }
    if (replayed(verdict.replayKey, clock.now().getTime())) {
      log.warn("feishu.webhook.replayed");
      ctx.body = {};
      return;
    }
    try {
      ctx.body = await receive(verdict.event);
    } catch (error) {
      // Not stored, so the platform's next try of the very same request must not be taken for a replay.
      seen.delete(verdict.replayKey);
      throw error;
    }
  };
}

function headerOf(ctx: Context, name: string): string | undefined {
  const value = ctx.get(name);
  return value === "" ? undefined : value;
}

async function readBody(ctx: Context): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of ctx.req as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > BODY_LIMIT_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
