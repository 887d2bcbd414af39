import Router from "@koa/router";
import type { Context, Middleware } from "koa";
import { z } from "zod";
import type { Clock } from "../engine/ports.ts";

/** What the development door may reach. Exists only with HERALD_DEV=1. */
export interface DevDoor {
  /** Sets the process' one clock; resolves when the jobs that became due have run. */
  setClock(to: Date): Promise<void>;
  /** undefined = there is no such job */
  runJob(name: string): Promise<{ outcome: string; reason?: string } | undefined>;
  jobNames(): readonly string[];
  /** Counts and latest rows of the tables. */
  state(): Promise<unknown>;
}

const clockBody = z.union([
  z.strictObject({ now: z.iso.datetime({ offset: true }) }),
  z.strictObject({ advance: z.string().regex(/^\d+(\.\d+)?(s|m|h|d|w)$/) }),
]);

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** POST /dev/clock, POST /dev/jobs/<name>/run, GET /dev/state: from this machine only. */
export function devRoutes(door: DevDoor, clock: Clock): Middleware {
  const router = new Router();

  router.use(async (ctx, next) => {
    if (!fromThisMachine(ctx)) {
      ctx.status = 404;
      return;
    }
    await next();
  });

  router.post("/clock", async (ctx) => {
    const body = clockBody.safeParse(await readJson(ctx));
    if (!body.success) {
      ctx.status = 422;
      ctx.body = { error: 'expected {"now": "2026-05-03T09:00:00+08:00"} or {"advance": "8h"} (s, m, h, d, w)' };
      return;
    }
    await door.setClock(target(body.data, clock.now()));
    ctx.body = { now: clock.now().toISOString() };
  });

  router.post("/jobs/:name/run", async (ctx) => {
    const result = await door.runJob(ctx.params.name ?? "");
    if (result === undefined) {
      ctx.status = 404;
      ctx.body = { error: `no such job; expected one of: ${door.jobNames().join(", ")}` };
      return;
    }
    ctx.body = result;
  });

  router.get("/state", async (ctx) => {
    ctx.body = await door.state();
  });

  return router.routes() as unknown as Middleware;
}

function target(body: z.infer<typeof clockBody>, now: Date): Date {
  if ("now" in body) return new Date(body.now);
  const unit = body.advance.slice(-1) as keyof typeof UNIT_MS;
  return new Date(now.getTime() + Number(body.advance.slice(0, -1)) * UNIT_MS[unit]);
}

/** Both ends must be loopback: a page elsewhere can make a browser call us under a name of its own. */
function fromThisMachine(ctx: Context): boolean {
  const peer = ctx.req.socket.remoteAddress ?? "";
  const host = (ctx.get("host") || "").replace(/:\d+$/, "");
  const loopbackPeer = peer === "::1" || peer === "::ffff:127.0.0.1" || peer.startsWith("127.");
  const origin = ctx.get("origin");
  return loopbackPeer && ["127.0.0.1", "localhost", "[::1]"].includes(host) && origin === "";
}

async function readJson(ctx: Context): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of ctx.req as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > 64 * 1024) return undefined;
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    return undefined;
  }
}
