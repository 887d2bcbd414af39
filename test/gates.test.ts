import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DATA_END_SECONDS, historyHome } from "../scripts/bench/history-data.ts";
import { type Database, inTransaction, openDb } from "../src/engine/db.ts";
import { rememberSeen } from "../src/engine/proactive/seen-messages.ts";
import { tick } from "../src/engine/proactive/tick.ts";
import { writeSampleHome } from "../src/hermes-bridge/sample-home.ts";
import { StateDb } from "../src/hermes-bridge/state-db.ts";
import { type Given, given } from "./helpers/given.ts";
import { openTestDb, type TestDb } from "./helpers/test-db.ts";

/** SQL statements of a tick that finds nothing new, BEGIN and COMMIT left out. A change has to argue for every one more. */
const QUIET_TICK_STATEMENTS = 12;
/** Feishu: a tap is answered within 3 s, and people expect it at once: no work may keep it waiting for longer than this. */
const LONGEST_TURN_MS = 50;
const HISTORY_ROWS = 20_000;

let own: TestDb;
let counting: Database;
let said: string[];
let folder: string;

beforeEach(async () => {
  own = await openTestDb();
  said = [];
  counting = await openDb(own.url, { onStatement: (sql) => said.push(sql) });
  folder = mkdtempSync(join(tmpdir(), "herald-gates-"));
});
afterEach(async () => {
  await counting.close();
  await own.release();
  rmSync(folder, { recursive: true, force: true });
});

/** An owner with a Hermes home, at an instant. */
async function world(home: string, at: Date): Promise<Given["a"]> {
  const g = given(counting.db, { at, history: new StateDb({ home, clock: { now: () => at } }) });
  await g.people();
  return g.a;
}

test("a tick that finds nothing new writes no row and asks a fixed number of questions", async () => {
  const at = new Date("2026-11-30T02:00:00Z");
  writeSampleHome(folder, { now: at, zone: "Asia/Shanghai" });
  const scope = await world(folder, at);
  const first = await tick(scope);
  expect(first.outcome).toBe("sent");
  await tick(scope);

  const before = await writtenRows();
  said.length = 0;
  const quiet = await tick(scope);
  await new Promise((resolve) => setImmediate(resolve));
  const asked = said.filter((sql) => !/^(-- Implicit|BEGIN|COMMIT|ROLLBACK)/i.test(sql)).length;
  expect(quiet).toMatchObject({ outcome: "silent", reason: "nothing_new" });
  expect(await writtenRows()).toBe(before);
  expect(asked).toBe(QUIET_TICK_STATEMENTS);
}, 120_000);

test("a tick over a long history leaves the event loop to others at least every 50 ms", async () => {
  const scope = await world(historyHome(HISTORY_ROWS), new Date(DATA_END_SECONDS * 1000));
  // The first one also loads code.
  expect((await tick(scope, { dry: true, asked: true })).outcome).toBe("dry");

  // Garbage collection and the compiler strike one tick or the other; a stretch of the tick's own shows in each.
  const longest: number[] = [];
  for (let n = 0; n < 4; n++) {
    longest.push(await longestTurnMs(async () => void (await tick(scope, { dry: true, asked: true }))));
  }
  expect(Math.min(...longest)).toBeLessThan(LONGEST_TURN_MS);
}, 120_000);

test("storing what a long first window has shown leaves the event loop to others at least every 50 ms", async () => {
  const scope = given(counting.db).a;
  const rows = Array.from({ length: 2_000 }, (_, n) => ({
    lineage: "session",
    identity: `said ${n}`,
    occurrence: 1,
    at: new Date(DATA_END_SECONDS * 1000),
    messageId: String(n),
  }));
  const longest: number[] = [];
  for (let n = 0; n < 4; n++) {
    longest.push(
      await longestTurnMs(() =>
        inTransaction(counting.db, (tx) => rememberSeen(tx, scope, `run ${n}`, { add: rows, moved: [] })),
      ),
    );
  }
  expect(Math.min(...longest)).toBeLessThan(LONGEST_TURN_MS);
  expect(await counting.db.seenMessage.count({ where: { runId: "run 3" } })).toBe(rows.length);
}, 120_000);

/** The most the process computes between two turns of its event loop. Its own time, not the wall's: machines are busy. */
async function longestTurnMs(act: () => Promise<void>): Promise<number> {
  let longest = 0;
  let working = true;
  const watch = (async () => {
    while (working) {
      const begun = process.cpuUsage();
      await sleep(1);
      const { user, system } = process.cpuUsage(begun);
      longest = Math.max(longest, (user + system) / 1000);
    }
  })();
  await act();
  working = false;
  await watch;
  return longest;
}

/** Rows this connection has written since it was opened. */
async function writtenRows(): Promise<number> {
  const [row] = await counting.db.$queryRawUnsafe<{ n: number | bigint }[]>("SELECT total_changes() AS n");
  return Number(row?.n);
}
