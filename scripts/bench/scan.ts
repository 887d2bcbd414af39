import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDb } from "../../src/engine/db.ts";
import { loadSqlite, type SqliteDatabase, type SqliteStatement } from "../../src/engine/load-sqlite.ts";
import { migrate } from "../../src/engine/migrate.ts";
import { findWatermark, type Watermark } from "../../src/engine/proactive/find-watermark.ts";
import { readEarlier, readWindow } from "../../src/engine/proactive/read-window.ts";
import type { Scope } from "../../src/engine/scope.ts";
import type { StateDb } from "../../src/hermes-bridge/state-db.ts";
import { DATA_END_SECONDS, historyHome } from "./history-data.ts";
import { afterACommittedRun, scopeFor } from "./history-scope.ts";
import { RAW_EARLIER, RAW_SINCE } from "./raw-since.ts";
import type { BenchOptions, Result, Target } from "./result.ts";

const SIZES = [10_000, 100_000, 1_000_000, 2_000_000];
const QUICK_SIZES = [10_000, 100_000];
const NEW = [0, 20, 500] as const;
const ROUNDS = 31;
const BUDGETS = { conversationChars: 1e7, earlierChars: 12_000, messageChars: 1_500 };

const decoder = new TextDecoder();
type Variant = { name: string; run: () => unknown };

/**
 * Bench (a): the Hermes part of a quiet tick, and reading a window with 0, 20 and 500 new rows, beside the bare query on
 * the same driver, on histories of several sizes and after ANALYZE. Variants take turns; medians in µs.
 */
export async function bench({ quick, say }: BenchOptions): Promise<Result[]> {
  const sizes = quick ? QUICK_SIZES : SIZES;
  const results: Result[] = [];
  const folder = mkdtempSync(join(tmpdir(), "herald-bench-scan-"));
  const path = join(folder, "herald.db");
  await migrate(path, { now: new Date(0) });
  const database = await openDb(path);
  const growth = new Map<string, number[]>();
  try {
    for (const size of sizes) {
      const home = historyHome(size);
      for (const analyzed of [false, true]) {
        statistics(join(home, "state.db"), analyzed);
        const scope = scopeFor(database.db, home, size);
        await afterACommittedRun(scope, await scope.history.head());
        const title = `Reading ${size.toLocaleString("en")} messages${analyzed ? ", after ANALYZE" : ""}`;
        say(title);
        const measured = await measure(scope, home, analyzed ? undefined : growth);
        results.push({ title, columns: ["way", "median µs", "÷ first of its group"], ...measured });
        (scope.history as StateDb).close();
      }
      statistics(join(home, "state.db"), false);
    }
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
  results.push(growthResult(sizes, growth));
  return results;
}

/** Work must grow with what is new and not with the history. */
function growthResult(sizes: readonly number[], growth: ReadonlyMap<string, readonly number[]>): Result {
  const ratios = [...growth].map(([name, medians]) => ({ name, ratio: (medians.at(-1) ?? 0) / (medians[0] ?? 1) }));
  const held = ratios.flatMap(({ name, ratio }): Target[] => {
    const [id, atMost] = GROWTH_TARGETS[name] ?? [];
    return id && atMost ? [{ id, what: `growth of ${name}`, value: ratio, atMost, unit: "×" }] : [];
  });
  const [least, most] = [sizes[0] ?? 0, sizes.at(-1) ?? 0];
  return {
    title: `Growth, ${most.toLocaleString("en")} ÷ ${least.toLocaleString("en")} messages`,
    columns: ["way", "ratio"],
    rows: ratios.map(({ name, ratio }) => [name, `×${ratio.toFixed(2)}`]),
    targets: held,
  };
}

const GROWTH_TARGETS: Readonly<Record<string, [string, number]>> = {
  "quiet tick, Hermes part": ["S1", 1.2],
  "read-window (20 new)": ["S2", 1.25],
  "read-window (500 new)": ["S3", 1.25],
  readEarlier: ["S5", 1.3],
};

async function measure(
  scope: Scope,
  home: string,
  growth: Map<string, number[]> | undefined,
): Promise<Pick<Result, "rows" | "targets">> {
  const rows: Result["rows"][number][] = [];
  const targets: Target[] = [];
  const verdict = (id: string, what: string, value: number, atMost: number): void => {
    targets.push({ id, what, value, atMost, unit: "×" });
  };
  const path = join(home, "state.db");
  const { DatabaseSync } = loadSqlite();
  const kept = new DatabaseSync(path, { readOnly: true });
  const raw = prepared(kept, RAW_SINCE);
  const head = await scope.history.head();
  const headId = Number(head.id);

  for (const count of NEW) {
    const from = count === 0 ? headId : idBefore(kept, headId, count);
    const cursor = { ...head, id: from };
    const watermark: Watermark = { cursor, at: new Date((DATA_END_SECONDS - 86_400) * 1000), first: false };
    const variants: Variant[] = [
      { name: `raw, kept open (${count} new)`, run: () => read(raw, from) },
      {
        name: `raw, open + prepare + close (${count} new)`,
        run: () => {
          const db = new DatabaseSync(path, { readOnly: true });
          read(prepared(db, RAW_SINCE), from);
          db.close();
        },
      },
      { name: `read-window (${count} new)`, run: () => withoutEarlier(scope, watermark) },
      {
        name: `watermark and read-window (${count} new)`,
        run: async () => {
          await findWatermark(scope);
          await withoutEarlier(scope, watermark);
        },
      },
      { name: `read-window with earlier (${count} new)`, run: () => window(scope, watermark) },
    ];
    if (count === 0) {
      const version = prepared(kept, "PRAGMA data_version");
      variants.push({ name: "PRAGMA data_version", run: () => version.get() });
      variants.push({ name: "quiet tick, Hermes part", run: () => scope.history.mayHaveNew(cursor) });
    }
    const medians = await takeTurns(variants, count === 500 ? 15 : ROUNDS, count === 0 ? 50 : 1);
    rows.push(...report(medians, variants, growth));
    const [open = 1, opened = 1, own = 1] = variants.map(({ name }) => medians.get(name) ?? 1);
    if (count === 0)
      verdict("S1", "Hermes part ÷ raw with 0 new", (medians.get("quiet tick, Hermes part") ?? 0) / open, 5);
    if (count === 20) verdict("S2", "read-window ÷ raw opened anew", own / opened, 3);
    if (count === 500) verdict("S3", "read-window ÷ raw", own / open, 2.5);
  }

  const rawEarlier = prepared(kept, RAW_EARLIER);
  const watermark: Watermark = { cursor: head, at: new Date(DATA_END_SECONDS * 1000), first: false };
  const quiet: Watermark = { cursor: head, at: new Date((DATA_END_SECONDS + 40 * 86_400) * 1000), first: false };
  const variants: Variant[] = [
    {
      name: "raw earlier, stop-walk, 12,000 characters",
      run: () => walk(rawEarlier, headId, DATA_END_SECONDS - 86_400),
    },
    { name: "readEarlier", run: () => readEarlier(scope, { watermark, rules: {}, budgets: BUDGETS }) },
    { name: "raw earlier on a quiet day", run: () => walk(rawEarlier, headId, DATA_END_SECONDS + 86_400) },
    {
      name: "readEarlier on a quiet day",
      run: () => readEarlier(scope, { watermark: quiet, rules: {}, budgets: BUDGETS }),
    },
  ];
  const medians = await takeTurns(variants, ROUNDS, 1);
  rows.push(...report(medians, variants, growth));
  const [floor = 1, own = 1, quietFloor = 1, quietOwn = 1] = variants.map(({ name }) => medians.get(name) ?? 1);
  verdict("S5", "earlier ÷ stop-walk", own / floor, 4);
  verdict("S5", "earlier on a quiet day ÷ stop-walk", quietOwn / quietFloor, 4);
  kept.close();
  return { rows, targets };
}

function window(scope: Scope, watermark: Watermark): Promise<unknown> {
  return readWindow(scope, { watermark, rules: {}, budgets: BUDGETS });
}

function withoutEarlier(scope: Scope, watermark: Watermark): Promise<unknown> {
  return readWindow(scope, { watermark, rules: {}, budgets: { ...BUDGETS, earlierChars: 0 } });
}

function prepared(db: SqliteDatabase, sql: string): SqliteStatement {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

type RawRow = [number, string, string, Uint8Array | null, number];

function read(statement: SqliteStatement, from: number): number {
  let chars = 0;
  for (const row of statement.all(from) as RawRow[]) chars += row[3] ? decoder.decode(row[3]).length : 0;
  return chars;
}

/** Backwards until the budget is full or 200 rows in a row are too old. */
function walk(statement: SqliteStatement, from: number, since: number): number {
  let at = from;
  let chars = 0;
  let old = 0;
  for (;;) {
    const rows = statement.all(at, 200) as [number, string, Uint8Array | null, number][];
    for (const [id, , content, timestamp] of rows) {
      at = id - 1;
      old = timestamp < since ? old + 1 : 0;
      if (old >= 200) return chars;
      if (old > 0) continue;
      chars += content ? decoder.decode(content).length : 0;
      if (chars > BUDGETS.earlierChars) return chars;
    }
    if (rows.length < 200) return chars;
  }
}

/** The row id behind which exactly `count` rows of people and agents stand. */
function idBefore(db: SqliteDatabase, headId: number, count: number): number {
  const rows = prepared(db, RAW_EARLIER).all(headId, count + 1) as [number][];
  return rows[count]?.[0] ?? 0;
}

function statistics(path: string, wanted: boolean): void {
  const db = new (loadSqlite().DatabaseSync)(path, { timeout: 5_000 });
  if (wanted) db.exec("ANALYZE");
  else {
    db.exec("ANALYZE sqlite_master");
    db.exec("DELETE FROM sqlite_stat1");
  }
  db.close();
}

/** Each variant once a round, in an order that moves on; the first round does not count. Microseconds of one call. */
async function takeTurns(variants: readonly Variant[], rounds: number, repeats: number): Promise<Map<string, number>> {
  const times = new Map(variants.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round++) {
    for (let turn = 0; turn < variants.length; turn++) {
      const variant = variants[(turn + round) % variants.length];
      if (!variant) continue;
      // Anything a former variant left to be done later is done now.
      await new Promise((resolve) => setImmediate(resolve));
      const start = performance.now();
      for (let n = 0; n < repeats; n++) await variant.run();
      const took = ((performance.now() - start) * 1000) / repeats;
      if (round > 0) times.get(variant.name)?.push(took);
    }
  }
  return new Map(
    [...times].map(([name, list]) => [name, list.sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0]),
  );
}

function report(
  medians: ReadonlyMap<string, number>,
  variants: readonly Variant[],
  growth: Map<string, number[]> | undefined,
): (readonly [string, number, string])[] {
  const floor = medians.get(variants[0]?.name ?? "") ?? 1;
  return [...medians].map(([name, median]) => {
    if (growth) growth.set(name, [...(growth.get(name) ?? []), median]);
    return [name, median, `×${(median / floor).toFixed(2)}`];
  });
}
