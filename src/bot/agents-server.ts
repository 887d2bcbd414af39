import { createServer as createHttpServer, type Server } from "node:http";
import Router from "@koa/router";
import Koa, { type Middleware } from "koa";
import type { Log } from "../engine/ports.ts";
import { readinessBody, type ServerParts } from "./server.ts";

/**
 * The HTTP side of a server of several agents: each has its readiness, its webhook, and its bridge, which is told by the
 * secret a call brings. An agent that is not there yet is not ready.
 */
export function createAgentsServer({
  log,
  ids,
  agents,
  metrics,
}: {
  log: Log;
  ids: readonly string[];
  /** those that have started, by id */
  agents: ReadonlyMap<string, ServerParts>;
  /** figures of all of them, at /metrics */
  metrics: Middleware;
}): Server {
  const app = new Koa();
  app.silent = true;
  const router = new Router();
  app.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const ref = log.incident("http.failed", error, { method: ctx.method, path: ctx.path });
      ctx.status = 500;
      ctx.body = { error: "internal", ref };
    }
  });
  app.use(async (ctx, next) => {
    const door = ctx.path.startsWith("/bridge/") ? "bridge" : ctx.path === "/mcp" ? "mcp" : undefined;
    if (door === undefined) return next();
    // Each refuses another one's secret before it reads anything.
    ctx.status = 401;
    for (const parts of agents.values()) {
      if (ctx.status !== 401) return;
      await parts[door]?.(ctx, async () => {});
    }
  });
  app.use(metrics);
  router.get("/healthz", (ctx) => {
    ctx.body = { alive: true, agents: ids };
  });
  const ready = async (id: string): Promise<{ ready: boolean; checks?: object }> => {
    const parts = agents.get(id);
    return parts === undefined ? { ready: false } : readinessBody(parts);
  };
  router.get("/readyz", async (ctx) => {
    const each = await Promise.all(ids.map(async (id) => [id, await ready(id)] as const));
    const all = each.every(([, state]) => state.ready);
    ctx.status = all ? 200 : 503;
    ctx.body = { ready: all, agents: Object.fromEntries(each) };
  });
  router.get("/readyz/:agent", async (ctx) => {
    const { agent = "" } = ctx.params;
    if (!ids.includes(agent)) return;
    const state = await ready(agent);
    ctx.status = state.ready ? 200 : 503;
    ctx.body = state;
  });
  router.post("/feishu/webhook/:agent", async (ctx, next) => {
    await agents.get(ctx.params.agent ?? "")?.webhook?.(ctx, next);
  });
  app.use(router.routes());
  const handle = app.callback();
  return createHttpServer((request, response) => void handle(request, response));
}
