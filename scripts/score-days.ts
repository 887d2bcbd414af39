/** Days of sessions with known figures, put into a store of Hermes' form and analysed as at night. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DateTime } from "luxon";
import { errorChains, retryLoops } from "../src/engine/evolution/find-errors.ts";
import { redundantChains, repeatedReads, repeatedSearches } from "../src/engine/evolution/find-waste.ts";
import { type SessionFacts, sessionFacts, type ToolCall } from "../src/engine/evolution/session-facts.ts";
import { eventsBySession } from "../src/engine/evolution/telemetry-events.ts";
import { loadSqlite, type SqliteParameter } from "../src/engine/load-sqlite.ts";
import { HERMES_INDEXES, HERMES_TABLES } from "../src/hermes-bridge/sample-schema.ts";
import { StateDb } from "../src/hermes-bridge/state-db.ts";

type Row = Record<string, SqliteParameter>;
type Calls = { session: string; calls: string[]; [more: string]: unknown };

export interface DayCase {
  date: string;
  zone: string;
  sessions: Row[];
  messages: Row[];
  telemetry: Record<string, unknown>[] | null;
  expected: Record<string, unknown>;
}

export interface DayReport {
  days: number;
  /** figure → how many days it was right on, and what was counted in lists */
  figures: Map<string, { right: number; total: number; found: number; wanted: number; extra: number }>;
  misses: { day: string; figure: string; detail: string }[];
}

export async function scoreDays(folder: string): Promise<DayReport> {
  const report: DayReport = { days: 0, figures: new Map(), misses: [] };
  for (const name of readdirSync(folder)
    .filter((each) => each.endsWith(".json"))
    .sort()) {
    const day = JSON.parse(readFileSync(join(folder, name), "utf8")) as DayCase;
    report.days++;
    scoreDay(day, await analyse(day), report);
  }
  return report;
}

/** The facts of every session of a labelled day, through the same reader as at night. */
export async function analyse(day: DayCase): Promise<SessionFacts[]> {
  const home = mkdtempSync(join(tmpdir(), "herald-day-"));
  try {
    writeStore(join(home, "state.db"), day);
    const from = DateTime.fromISO(day.date, { zone: day.zone });
    const history = new StateDb({ home, clock: { now: () => from.plus({ days: 1 }).toJSDate() } });
    const told = day.telemetry ? eventsBySession(day.telemetry) : undefined;
    const facts: SessionFacts[] = [];
    const options = { leaveOutSources: ["subagent", "curator"] };
    for await (const session of history.sessionsBegun(from.toJSDate(), from.plus({ days: 1 }).toJSDate(), options)) {
      facts.push(sessionFacts(session, session.parts.map((part) => told?.get(part)).find(Boolean)));
    }
    history.close();
    return facts;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function writeStore(path: string, { sessions, messages }: DayCase): void {
  const db = new (loadSqlite().DatabaseSync)(path);
  const columns = new Set<string>();
  db.exec(HERMES_TABLES + HERMES_INDEXES);
  for (const [table, rows] of [
    ["sessions", sessions],
    ["messages", messages],
  ] as const) {
    columns.clear();
    for (const { name } of db.prepare(`PRAGMA table_info(${table})`).all() as { name: string }[]) columns.add(name);
    for (const row of rows) {
      for (const name of Object.keys(row)) {
        if (columns.has(name)) continue;
        db.exec(`ALTER TABLE ${table} ADD COLUMN ${name}`);
        columns.add(name);
      }
      const names = Object.keys(row);
      db.prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`).run(
        ...names.map((name) => row[name] ?? null),
      );
    }
  }
  db.close();
}

function scoreDay(day: DayCase, facts: readonly SessionFacts[], report: DayReport): void {
  const { expected } = day;
  const note = (figure: string, right: boolean, detail: string, lists = { found: 0, wanted: 0, extra: 0 }): void => {
    const known = report.figures.get(figure) ?? { right: 0, total: 0, found: 0, wanted: 0, extra: 0 };
    report.figures.set(figure, {
      right: known.right + (right ? 1 : 0),
      total: known.total + 1,
      found: known.found + lists.found,
      wanted: known.wanted + lists.wanted,
      extra: known.extra + lists.extra,
    });
    if (!right) report.misses.push({ day: day.date, figure, detail });
  };
  const same = (figure: string, got: unknown, wanted: unknown): void => {
    note(figure, canonical(got) === canonical(wanted), `wanted ${canonical(wanted)}, got ${canonical(got)}`);
  };
  const groups = (figure: string, got: readonly Calls[], wanted: readonly Calls[]): void => {
    const open = [...got];
    let found = 0;
    const missing: string[] = [];
    for (const group of wanted) {
      const at = open.findIndex((each) => each.session === group.session && shares(each.calls, group.calls));
      if (at < 0) missing.push(`missing ${group.calls.join("+")}`);
      else {
        found++;
        open.splice(at, 1);
      }
    }
    const extra = open.map((each) => `extra ${each.calls.join("+")} ${each.kind ?? ""}`);
    note(figure, missing.length + extra.length === 0, [...missing, ...extra].join("; "), {
      found,
      wanted: wanted.length,
      extra: extra.length,
    });
  };
  const sessions = expected.sessions as { total: number; status: Record<string, string> };
  same("sessions", facts.length, sessions.total);
  same("status", Object.fromEntries(facts.map((each) => [each.id, each.outcome])), sessions.status);
  const iterations = expected.iterations as { total: number; bySession: Record<string, number> };
  same("iterations", Object.fromEntries(facts.map((each) => [each.id, each.iterations])), iterations.bySession);
  const calls = facts.flatMap((each) => each.calls.map((call) => ({ session: each.id, call })));
  const tools = expected.toolCalls as { total: number; failed: number; unanswered: number; byTool: object };
  const byTool: Record<string, { calls: number; failed: number }> = {};
  for (const { call } of calls) {
    byTool[call.tool] ??= { calls: 0, failed: 0 };
    const tool = byTool[call.tool];
    if (!tool) continue;
    tool.calls++;
    if (call.failure) tool.failed++;
  }
  same(
    "toolCalls",
    {
      total: calls.length,
      failed: calls.filter(({ call }) => call.failure).length,
      unanswered: facts.reduce((n, each) => n + each.unanswered, 0),
      byTool,
    },
    { total: tools.total, failed: tools.failed, unanswered: tools.unanswered, byTool: tools.byTool },
  );
  const failures = expected.failures as { session: string; call: string; kind: string; alsoKind?: string[] }[];
  const failed = new Map(
    calls.filter(({ call }) => call.failure).map(({ call }) => [call.id, call.failure?.kind ?? ""]),
  );
  const wrongKinds = failures.filter(
    (each) => ![each.kind, ...(each.alsoKind ?? [])].includes(failed.get(each.call) ?? ""),
  );
  note(
    "failure kinds",
    wrongKinds.length === 0 && failed.size === failures.length,
    wrongKinds.map((each) => `${each.call} wanted ${each.kind}, got ${failed.get(each.call) ?? "none"}`).join("; "),
    {
      found: failures.length - wrongKinds.length,
      wanted: failures.length,
      extra: Math.max(0, failed.size - failures.length),
    },
  );
  const grouped = (find: (facts: SessionFacts) => readonly { calls: readonly ToolCall[]; kind?: string }[]): Calls[] =>
    facts.flatMap((each) =>
      find(each).map((group) => ({
        session: each.id,
        calls: group.calls.map((call) => call.id),
        ...(group.kind && { kind: group.kind }),
      })),
    );
  groups(
    "retryLoops",
    grouped((each) => retryLoops(each.calls)),
    expected.retryLoops as Calls[],
  );
  groups(
    "errorChains",
    grouped((each) => errorChains(each.calls)),
    expected.errorChains as Calls[],
  );
  const reads = expected.repeatedReads as { same: Calls[]; changed: Calls[] };
  groups(
    "repeatedReads same",
    grouped((each) => repeatedReads(each.calls).same),
    reads.same,
  );
  groups(
    "repeatedReads changed",
    grouped((each) => repeatedReads(each.calls).changed),
    reads.changed,
  );
  groups(
    "repeatedSearches",
    grouped((each) => repeatedSearches(each.calls)),
    expected.repeatedSearches as Calls[],
  );
  groups(
    "redundantChains",
    grouped((each) => redundantChains(each.calls)),
    expected.redundantChains as Calls[],
  );
  for (const signal of ["corrections", "frustration", "thanks"] as const) {
    same(
      signal,
      facts
        .flatMap((each) => each.signals[signal])
        .map(Number)
        .sort((a, b) => a - b),
      expected[signal],
    );
  }
  const api = expected.apiErrors as { messages: number[]; events: number };
  same(
    "apiErrors",
    {
      messages: facts
        .flatMap((each) => each.failedTurns)
        .map(Number)
        .sort((a, b) => a - b),
      events: facts.reduce((n, each) => n + each.apiErrors, 0),
    },
    { messages: api.messages, events: api.events },
  );
  same(
    "budgetExhausted",
    facts
      .filter((each) => each.budgetExhausted)
      .map((each) => each.id)
      .sort(),
    [...(expected.budgetExhausted as string[])].sort(),
  );
  const longest = calls
    .filter(({ call }) => call.durationMs !== undefined)
    .sort((a, b) => (b.call.durationMs ?? 0) - (a.call.durationMs ?? 0))
    .slice(0, 10)
    .map(({ call }) => call.id);
  same("longestCalls", longest.sort(), (expected.longestCalls as { call: string }[]).map((each) => each.call).sort());
}

function shares(one: readonly string[], other: readonly string[]): boolean {
  const shared = one.filter((call) => other.includes(call)).length;
  return shared * 2 >= Math.max(one.length, other.length);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  return `{${Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => `${key}:${canonical(each)}`)
    .join(",")}}`;
}
