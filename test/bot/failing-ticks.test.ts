import { afterEach, beforeEach, expect, test } from "vitest";
import { checkHealth } from "../../src/bot/check-health.ts";
import { type Given, given } from "../helpers/given.ts";
import { openTestDb, type TestDb } from "../helpers/test-db.ts";
import { toldHistory } from "../helpers/told-history.ts";

let db: TestDb;
let g: Given;
beforeEach(async () => {
  db = await openTestDb();
  g = given(db.db, { history: toldHistory() });
  await g.people();
});
afterEach(() => db.release());

let slot = 0;
async function tickEnds(outcome: string | null, reason?: string): Promise<void> {
  g.a.clock.advance({ minutes: 15 });
  const at = g.a.clock.now();
  await db.db.jobRun.create({
    data: {
      id: `slot ${++slot}`,
      agentId: "agent-a",
      job: "proactive-tick",
      slotAt: at,
      startedAt: at,
      outcome,
      reason: reason ?? null,
    },
  });
  await checkHealth(g.a, { ok: true, lastSuccessAt: at, why: undefined });
}

const notices = () => db.db.cardPost.count({ where: { agentId: "agent-a", subjectKind: "notice" } });

test("four looks in a row that failed are told once; silence is no failure, and a good look in between begins anew", async () => {
  for (let i = 0; i < 3; i++) await tickEnds("failed", "model");
  await tickEnds("no_op", "nothing_new");
  for (let i = 0; i < 3; i++) await tickEnds("failed", "model");
  expect(await notices()).toBe(0);
  for (let i = 0; i < 6; i++) await tickEnds("failed", "K7Q2");
  expect(await notices()).toBe(1);
  await tickEnds("done", "sent");
  for (let i = 0; i < 4; i++) await tickEnds("failed", "model");
  expect(await notices()).toBe(2);
});

test("a look that hangs is told of, because no other begins", async () => {
  await tickEnds(null);
  g.a.clock.advance({ minutes: 50 });
  await checkHealth(g.a, { ok: true, lastSuccessAt: g.a.clock.now(), why: undefined });
  expect(await notices()).toBe(0);
  g.a.clock.advance({ minutes: 20 });
  await checkHealth(g.a, { ok: true, lastSuccessAt: g.a.clock.now(), why: undefined });
  expect(await notices()).toBe(1);
});
