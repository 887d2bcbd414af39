import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type AppUnderTest, startAppUnderTest } from "../helpers/app-under-test.ts";

/** Whole apps on a busy machine. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let world: AppUnderTest;
beforeAll(async () => {
  world = await startAppUnderTest({ config: { dev: true } });
});
afterAll(() => world.close());

interface Got {
  status: number;
  body: unknown;
}

/** A request with headers that `fetch` would not let through. */
function ask(method: string, path: string, headers: Record<string, string> = {}, body?: unknown): Promise<Got> {
  const url = new URL(path, world.app.url);
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { "content-type": "application/json", ...headers } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => {
        let read: unknown = text;
        try {
          read = JSON.parse(text);
        } catch {
          // Not JSON: the text itself.
        }
        resolve({ status: response.statusCode ?? 0, body: read });
      });
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

test("healthz says that it lives, readyz how everything it needs stands and since when", async () => {
  expect(await ask("GET", "/healthz")).toEqual({ status: 200, body: { alive: true } });
  const { status, body } = await ask("GET", "/readyz");
  expect(status).toBe(200);
  expect(body).toMatchObject({
    ready: true,
    checks: {
      database: { ok: true, lastSuccessAgeSeconds: expect.any(Number) },
      feishu: { ok: true, lastSuccessAgeSeconds: expect.any(Number) },
      history: { ok: true, lastSuccessAgeSeconds: expect.any(Number) },
    },
  });
});

test("the clock moves and due jobs run, a job runs on request, and the state can be looked at", async () => {
  const before = world.platform.clock.now().getTime();
  expect(await ask("POST", "/dev/clock", {}, { advance: "8h" })).toMatchObject({ status: 200 });
  expect(world.platform.clock.now().getTime()).toBe(before + 8 * 3_600_000);
  const to = new Date(before + 9 * 3_600_000).toISOString();
  expect(await ask("POST", "/dev/clock", {}, { now: to })).toEqual({ status: 200, body: { now: to } });
  expect(await ask("POST", "/dev/jobs/sync-cards/run")).toMatchObject({ status: 200, body: { outcome: "no_op" } });
  expect(await ask("POST", "/dev/jobs/nonsense/run")).toMatchObject({ status: 404 });
  expect(await ask("POST", "/dev/clock", {}, { advance: "soon" })).toMatchObject({ status: 422 });
  expect(await ask("GET", "/dev/state")).toMatchObject({ status: 200, body: { counts: { people: 1 } } });
});

test("the development door is shut for names and pages from elsewhere", async () => {
  expect(await ask("GET", "/dev/state", { host: "evil.example:1234" })).toMatchObject({ status: 404 });
  expect(await ask("GET", "/dev/state", { origin: "http://evil.example" })).toMatchObject({ status: 404 });
  expect(await ask("POST", "/dev/clock", { host: "evil.example" }, { advance: "1h" })).toMatchObject({ status: 404 });
});

test("a damaged history makes readyz 503 with why, and life goes on", async () => {
  writeFileSync(join(world.hermesHome, "state.db"), "this is no database ".repeat(500));
  const { status, body } = await ask("GET", "/readyz");
  expect(status).toBe(503);
  expect(body).toMatchObject({ ready: false, checks: { database: { ok: true }, history: { ok: false } } });
  expect(JSON.stringify(body)).toContain("malformed");
  expect((await ask("GET", "/healthz")).status).toBe(200);
});

test("without HERALD_DEV there is no development door at all", async () => {
  await world.close();
  world = await startAppUnderTest({ emptyHome: true });
  for (const [method, path] of [
    ["GET", "/dev/state"],
    ["POST", "/dev/clock"],
    ["POST", "/dev/jobs/sync-cards/run"],
  ] as const) {
    expect(await ask(method, path), path).toMatchObject({ status: 404 });
  }
  expect(await ask("POST", "/feishu/webhook")).toMatchObject({ status: 404 });
});
