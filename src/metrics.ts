import { createHash, timingSafeEqual } from "node:crypto";
import type { Middleware } from "koa";
import type { Log } from "./engine/ports.ts";
import type { Scope } from "./engine/scope.ts";
import { isForwarded } from "./mount-bridge.ts";
import { readMetrics } from "./read-metrics.ts";

/** One figure with all its readings. */
export interface Metric {
  name: string;
  help: string;
  type: "gauge" | "counter";
  readings: readonly { labels?: Readonly<Record<string, string>>; value: number }[];
}

/** The text Prometheus reads (exposition format 0.0.4). */
export function metricsText(metrics: readonly Metric[]): string {
  const lines = metrics.flatMap(({ name, help, type, readings }) => [
    `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`,
    `# TYPE ${name} ${type}`,
    ...readings.map(({ labels = {}, value }) => {
      const shown = Object.entries(labels).map(([key, label]) => `${key}="${quoted(label)}"`);
      return `${name}${shown.length === 0 ? "" : `{${shown.join(",")}}`} ${value}`;
    }),
  ]);
  return `${lines.join("\n")}\n`;
}

function quoted(label: string): string {
  return label.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

/**
 * GET /metrics, for programs on this machine, or from anywhere with the token. Figures only: no names, no texts, no ids of
 * people.
 */
export function mountMetrics(parts: {
  token: string | undefined;
  scopes: () => readonly Scope[];
  log: Log;
}): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== "/metrics") return next();
    const peer = ctx.req.socket.remoteAddress ?? "";
    const local = !isForwarded(ctx) && (peer === "::1" || /^(?:::ffff:)?127\./.test(peer));
    const given = /^Bearer (\S+)$/.exec(ctx.get("authorization"))?.[1];
    const known = parts.token !== undefined && given !== undefined && same(given, parts.token);
    // A token that is set is asked of everybody: then a proxy on this machine opens nothing.
    if (parts.token === undefined ? !local : !known) {
      ctx.status = 401;
      ctx.body = {};
      return;
    }
    if (ctx.method !== "GET") {
      ctx.status = 405;
      return;
    }
    ctx.type = "text/plain; version=0.0.4; charset=utf-8";
    ctx.body = metricsText(await readMetrics(parts.scopes()));
  };
}

function same(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
