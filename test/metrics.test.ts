import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import { afterEach, beforeEach, expect, test } from "vitest";
import { noteFailure, noteSuccess } from "../src/engine/heartbeat.ts";
import { metricsText, mountMetrics } from "../src/metrics.ts";
import { type Given, given } from "./helpers/given.ts";
import { openTestDb, type TestDb } from "./helpers/test-db.ts";

let db: TestDb;
let g: Given;
let server: Server | undefined;
beforeEach(async () => {
  db = await openTestDb();
  g = given(db.db);
});
afterEach(async () => {
  await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
  await db.release();
});

async function serve(token?: string): Promise<string> {
  const app = new Koa();
  app.use(mountMetrics({ token, scopes: () => [g.a, g.b], log: g.a.log }));
  server = createServer((request, response) => void app.callback()(request, response));
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
}

test("figures of each agent are told apart, and none holds a name, a text or a person's id", async () => {
  await g.people();
  await g.item({ title: "很私密的事" });
  await noteSuccess(g.a, "feishu");
  await noteFailure(g.b, "feishu", "ECONNREFUSED secret-host");
  g.a.clock.advance({ minutes: 2 });
  const text = await (await fetch(await serve())).text();
  expect(text).toContain('herald_last_success_age_seconds{agent="agent-a",name="feishu"} 120');
  expect(text).toContain('herald_failing{agent="agent-b",name="feishu"} 1');
  expect(text).toContain('herald_matters_open{agent="agent-a"} 1');
  expect(text).not.toMatch(/很私密|ou_|secret-host|林悦/);
  // Every line is a comment or a sample, as Prometheus reads them.
  for (const line of text.trim().split("\n"))
    expect(line).toMatch(/^(# (HELP|TYPE) \S+ .+|[a-z_]+(\{[^}]*\})? -?[\d.e+]+)$/);
});

test("without a token this machine may read them, a proxied request may not; with one everybody needs it", async () => {
  const open = await serve();
  const status = async (url: string, headers: Record<string, string> = {}): Promise<number> =>
    (await fetch(url, { headers })).status;
  expect(await status(open)).toBe(200);
  expect(await status(open, { "x-forwarded-for": "10.0.0.1" })).toBe(401);
  await new Promise<void>((resolve) => server?.close(() => resolve()));
  const token = "metrics-token-0123456789";
  const closed = await serve(token);
  expect(await status(closed)).toBe(401);
  expect(await status(closed, { authorization: "Bearer wrong-token-0123456789" })).toBe(401);
  expect(await status(closed, { authorization: `Bearer ${token}`, "x-forwarded-for": "10.0.0.1" })).toBe(200);
});

test("a label cannot end its line", () => {
  const metric = { name: "m", help: "h", type: "gauge" as const, readings: [{ labels: { a: 'x"\n\\y' }, value: 1 }] };
  expect(metricsText([metric]).trim().split("\n").at(-1)).toBe('m{a="x\\"\\n\\\\y"} 1');
});
