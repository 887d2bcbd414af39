import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDb } from "../../src/engine/db.ts";
import { type Day, dayOf } from "../../src/engine/evolution/day-of.ts";
import { gatherDay } from "../../src/engine/evolution/gather-day.ts";
import { loadSqlite, type SqliteDatabase } from "../../src/engine/load-sqlite.ts";
import { migrate } from "../../src/engine/migrate.ts";
import type { Scope } from "../../src/engine/scope.ts";
import { noHermesFiles } from "../../src/hermes-bridge/hermes-files.ts";
import { noCronList, noHistory, noMemory, noPreferences, noTurns } from "../../src/hermes-bridge/no-hermes.ts";
import { HERMES_INDEXES, HERMES_TABLES } from "../../src/hermes-bridge/sample-schema.ts";
import { StateDb } from "../../src/hermes-bridge/state-db.ts";
import { noModel } from "../../src/llm/no-model.ts";
import { type ProcessClock, processClock } from "../../src/process-clock.ts";
import { processIds } from "../../src/process-ids.ts";
import { plainSql } from "./dream-sql.ts";
import { type Bench, median, type Result, type Target } from "./result.ts";

/** Calls of tools a session has on average. */
const CALLS = 17.5;
const ROW_TOOLS = ["read_file", "terminal", "web_fetch", "search_files", "patch"] as const;

/**
 * The night's arithmetic on Hermes' own store, against the least that can be done with the same rows: read them, parse the
 * calls, recognise errors (`reconstruct`), and against the figures plain SQL can give. CPU of the process; memory over
 * what it had before. Then the same date with more and more history around it.
 */
export const bench: Bench = async ({ quick, say }) => {
  const sizes = quick ? [200, 2_000] : [200, 2_000, 20_000];
  const rows: Result["rows"][number][] = [];
  const targets: Target[] = [];
  const whole: number[] = [];
  for (const sessions of sizes) {
    const folder = mkdtempSync(join(tmpdir(), "herald-dream-"));
    try {
      say(`${sessions} sessions: writing`);
      const { day, messages, calls } = writeStore(folder, sessions);
      const scope = await scopeOn(folder);
      const floor = reconstruct(folder);
      const inSql = plainSql(folder, day, calls);
      say(`${sessions} sessions: dreaming`);
      const before = process.memoryUsage().rss;
      let peak = before;
      let longest = 0;
      let working = true;
      const watch = (async () => {
        while (working) {
          const begun = process.cpuUsage();
          await sleep(1);
          const { user, system } = process.cpuUsage(begun);
          longest = Math.max(longest, (user + system) / 1000);
          peak = Math.max(peak, process.memoryUsage().rss);
        }
      })();
      const { figures } = await gatherDay(scope.scope, day, { norms: {}, rules: {} });
      working = false;
      await watch;
      // Once more without the watch, whose own questions cost CPU; the scores are replaced.
      const cpu = process.cpuUsage();
      await gatherDay(scope.scope, day, { norms: {}, rules: {} });
      const { user, system } = process.cpuUsage(cpu);
      await scope.close();
      if (figures.sessions.total !== sessions || figures.tools.total !== calls) throw new Error("the counts differ");
      const ms = (user + system) / 1000;
      const mb = (peak - before) / 1024 / 1024;
      if (sessions === sizes.at(-1)) {
        const before = whole.at(-1);
        if (before !== undefined) {
          targets.push({ id: "D2", what: "ten times the sessions", value: ms / before, atMost: 11, unit: "×" });
        }
        targets.push(
          {
            id: sessions > 2_000 ? "D2" : "D1",
            what: `dream ÷ plain SQL, ${sessions} sessions`,
            value: ms / inSql,
            atMost: sessions > 2_000 ? 1 : 1.5,
            unit: "×",
          },
          { id: "D5", what: `dream ÷ reconstruct, ${sessions} sessions`, value: ms / floor, atMost: 2, unit: "×" },
          { id: "D3", what: `extra memory, ${sessions} sessions`, value: mb, atMost: 64, unit: "MB" },
          { id: "C4", what: "longest turn of the event loop", value: longest, atMost: 50, unit: "ms" },
        );
      }
      whole.push(ms);
      rows.push([sessions, calls, messages, floor, inSql, ms, (1000 * ms) / messages, mb, longest]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return [
    {
      title: "The night's arithmetic from Hermes' store, own telemetry absent",
      columns: [
        "sessions",
        "calls",
        "rows",
        "reconstruct ms",
        "plain SQL ms",
        "dream ms (scores stored)",
        "µs a row",
        "MB more",
        "longest turn ms",
      ],
      rows,
      targets,
    },
    await history(quick, say),
  ];
};

const A_DAY = 200;

/** D4: one date of 200 sessions in a store of one date, of a month and of a year. The dates take turns. */
async function history(quick: boolean, say: (line: string) => void): Promise<Result> {
  const spans = quick ? [1, 30] : [1, 30, 365];
  const rounds = quick ? 5 : 9;
  const stores = [];
  const rows: Result["rows"][number][] = [];
  const targets: Target[] = [];
  try {
    for (const days of spans) {
      say(`${days} dates of ${A_DAY} sessions: writing`);
      const folder = mkdtempSync(join(tmpdir(), "herald-dream-"));
      const { day } = writeStore(folder, A_DAY, days);
      stores.push({ days, day, folder, ...(await scopeOn(folder)), times: [] as number[] });
    }
    for (let round = 0; round <= rounds; round++) {
      for (const store of stores) {
        const cpu = process.cpuUsage();
        const { figures } = await gatherDay(store.scope, store.day, { norms: {}, rules: {} });
        const { user, system } = process.cpuUsage(cpu);
        if (figures.sessions.total !== A_DAY) throw new Error("another date was read");
        if (round > 0) store.times.push((user + system) / 1000);
      }
    }
    const [first] = stores;
    for (const { days, times } of stores) {
      const ratio = median(times) / median(first?.times ?? []);
      rows.push([days, days * A_DAY, median(times), ratio]);
      if (days > 1)
        targets.push({ id: "D4", what: `${days} dates of history ÷ one`, value: ratio, atMost: 1.15, unit: "×" });
    }
  } finally {
    for (const { folder, close } of stores) {
      await close();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const columns = ["dates", "sessions in the store", "dream of one date, CPU ms", "÷ one date"];
  return { title: "History does not cost", columns, rows, targets };
}

/** `days` dates of so many sessions each; the last one is the one to dream of, and the figures are its own. */
function writeStore(folder: string, sessions: number, days = 1): { day: Day; messages: number; calls: number } {
  const day = dayOf("2026-05-05", "Asia/Shanghai");
  if (!day) throw new Error("no such day");
  const db: SqliteDatabase = new (loadSqlite().DatabaseSync)(join(folder, "state.db"));
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");
  db.exec(HERMES_TABLES + HERMES_INDEXES);
  const session = db.prepare(
    "INSERT INTO sessions (id, source, model, started_at, api_call_count) VALUES (?, 'cli', 'm', ?, ?)",
  );
  const message = db.prepare(
    "INSERT INTO messages (session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp, finish_reason, observed, active) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 1)",
  );
  let [messages, calls] = [0, 0];
  db.exec("BEGIN");
  for (let n = 0; n < sessions * days; n++) {
    const id = `s${n}`;
    const before = days - 1 - Math.floor(n / sessions);
    const at = day.from.getTime() / 1000 - before * 86_400 + (86_000 * (n % sessions)) / sessions;
    const count = Math.round(CALLS + ((n * 7) % 11) - 5);
    session.run(id, at, count + 1);
    message.run(id, "user", `please look at part ${n}`, null, null, null, at, null);
    for (let call = 0; call < count; call++) {
      const tool = ROW_TOOLS[(n + call) % ROW_TOOLS.length] ?? "terminal";
      const given = JSON.stringify({
        path: `src/file${(n * 3 + call) % 40}.ts`,
        command: `npm run task${call % 6}`,
        n: call % 3,
      });
      const key = `${id}c${call}`;
      const asked = JSON.stringify([{ id: key, type: "function", function: { name: tool, arguments: given } }]);
      message.run(id, "assistant", "", null, asked, null, at + call, "tool_calls");
      const fails = (n + call) % 12 === 0;
      const result = fails ? { error: "Request timed out after 30s" } : { output: "line\n".repeat(20), exit_code: 0 };
      message.run(id, "tool", JSON.stringify(result), key, null, tool, at + call, null);
    }
    message.run(id, "assistant", "Done.", null, null, null, at + count, "stop");
    if (before > 0) continue;
    messages += 2 * count + 2;
    calls += count;
  }
  db.exec("COMMIT");
  db.close();
  return { day, messages, calls };
}

/** CPU ms of reading the same rows by id, parsing the calls, and recognising errors. */
function reconstruct(folder: string): number {
  const db = new (loadSqlite().DatabaseSync)(join(folder, "state.db"), { readOnly: true });
  const statement = db.prepare(
    "SELECT id, session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp, finish_reason FROM messages WHERE id > ? ORDER BY id LIMIT 8000",
  );
  const cpu = process.cpuUsage();
  let failed = 0;
  for (let after = 0; ; ) {
    const page = statement.all(after) as { id: number; role: string; content: string; tool_calls: string | null }[];
    for (const { role, content, tool_calls: asked } of page) {
      if (asked !== null)
        for (const call of JSON.parse(asked) as { function: { arguments: string } }[])
          JSON.parse(call.function.arguments);
      if (role === "tool" && content.startsWith("{")) {
        const { error, exit_code: code } = JSON.parse(content) as { error?: string; exit_code?: number };
        if (error || code) failed++;
      }
    }
    const last = page.at(-1);
    if (!last || page.length < 8_000) break;
    after = last.id;
  }
  const { user, system } = process.cpuUsage(cpu);
  db.close();
  if (failed === 0) throw new Error("no failures in the data");
  return (user + system) / 1000;
}

async function scopeOn(folder: string): Promise<{ scope: Scope; close: () => Promise<void> }> {
  const clock: ProcessClock = processClock(new Date("2026-05-05T17:00:00Z"));
  const url = join(folder, "herald.db");
  await migrate(url, { now: clock.now() });
  const database = await openDb(url);
  const history = new StateDb({ home: folder, clock });
  const log: Scope["log"] = {
    debug() {},
    info() {},
    warn() {},
    incident: (event, error) => String(console.error(event, error)),
  };
  return {
    scope: {
      agent: { id: "main", zone: "Asia/Shanghai", language: "zh" },
      db: database.db,
      clock,
      ids: processIds(clock),
      random: Math.random,
      log,
      llm: noModel,
      turns: noTurns,
      history: { ...noHistory, sessionsBegun: (from, to, options) => history.sessionsBegun(from, to, options) },
      crons: noCronList,
      memory: noMemory,
      preferences: noPreferences,
      files: noHermesFiles,
      queues: { read: async () => ({ waiting: [], unreadable: 0 }) },
    },
    async close() {
      history.close();
      await database.close();
    },
  };
}
