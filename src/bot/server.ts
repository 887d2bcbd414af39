import { createServer as createHttpServer, type Server } from "node:http";
import Router from "@koa/router";
import Koa, { type Middleware } from "koa";
import type { Clock, Log } from "../engine/ports.ts";
import { type DevDoor, devRoutes } from "./dev-routes.ts";

/** One thing this server needs, and how it stands. */
export interface ReadinessCheck {
  name: "database" | "feishu" | "history";
  ok: boolean;
  lastSuccessAt?: Date | undefined;
  why?: string | undefined;
}

export interface ServerParts {
  clock: Clock;
  log: Log;
  readiness: () => Promise<readonly ReadinessCheck[]>;
  /** POST /feishu/webhook, when the platform pushes to an address of ours */
  webhook?: Middleware;
  /** what Hermes' plugin calls; takes its own paths and lets the rest pass */
  bridge?: Middleware;
  /** figures for Prometheus, at /metrics; lets the rest pass */
  metrics?: Middleware;
  /** the tools for other agents, at /mcp; lets the rest pass */
  mcp?: Middleware;
  /** /dev/*: only with HERALD_DEV=1 */
  dev?: DevDoor;
  /** where `/` leads in the playground */
  home?: () => string;
}

/** The HTTP side of Herald: health, the webhook, and the development door when it is asked for. */
export function createServer(parts: ServerParts): Server {
  const app = new Koa();
  app.silent = true;
  const router = new Router();

  app.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const ref = parts.log.incident("http.failed", error, { method: ctx.method, path: ctx.path });
      ctx.status = 500;
      ctx.body = { error: "internal", ref };
    }
  });

  if (parts.bridge !== undefined) app.use(parts.bridge);
  if (parts.mcp !== undefined) app.use(parts.mcp);
  if (parts.metrics !== undefined) app.use(parts.metrics);

  router.get("/healthz", (ctx) => {
    ctx.body = { alive: true };
  });

  router.get("/readyz", async (ctx) => {
    const body = await readinessBody(parts);
    ctx.status = body.ready ? 200 : 503;
    ctx.body = body;
  });

  if (parts.webhook !== undefined) router.post("/feishu/webhook", parts.webhook);
  const { home } = parts;
  if (home !== undefined) router.get("/", (ctx) => ctx.redirect(home()));
  if (parts.dev !== undefined) router.use("/dev", devRoutes(parts.dev, parts.clock));

  app.use(router.routes());
  const handle = app.callback();
  return createHttpServer((request, response) => void handle(request, response));
}

/** How everything stands, for /readyz. */
export async function readinessBody(
  parts: Pick<ServerParts, "readiness" | "clock">,
): Promise<{ ready: boolean; checks: Record<string, object> }> {
  const checks = await parts.readiness();
  const now = parts.clock.now().getTime();
  return {
    ready: checks.every((check) => check.ok),
    checks: Object.fromEntries(
      checks.map(({ name, ok, lastSuccessAt, why }) => [
        name,
        {
          ok,
          lastSuccessAgeSeconds:
            lastSuccessAt === undefined ? null : Math.max(0, Math.round((now - lastSuccessAt.getTime()) / 1000)),
          ...(why === undefined ? {} : { why }),
        },
      ]),
    ),
  };
}
