import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSqlite, type SqliteDatabase } from "../../src/engine/load-sqlite.ts";
import { HERMES_INDEXES, HERMES_SCHEMA_VERSION, HERMES_TABLES } from "../../src/hermes-bridge/sample-schema.ts";

/** Changes when the data does, so that an older file is not taken for it. */
const DATA_VERSION = 1;
/** The instant of the last row. */
export const DATA_END_SECONDS = 1_796_000_000;
const SECONDS_PER_ROW = 20;
const LIVE_SESSIONS = 12;
const ROWS_PER_SESSION = 31;
const SOURCES = [
  "feishu",
  "feishu",
  "telegram",
  "cli",
  "cli",
  "discord",
  "slack",
  "weixin",
  "email",
  "cron",
  "subagent",
  "webhook",
  "api_server",
] as const;

/** A repeatable stream of numbers below 2³² (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/**
 * The Hermes home with a history of `rows` messages, the same on every machine; made once and kept in the temporary
 * folder. Turns of twelve live sessions interleave; about a fifth of the rows are people's words; some rows are late,
 * undone, observed, of several parts, control tokens, goal and review turns; one tool result in a hundred has 50 KB.
 */
export function historyHome(rows: number): string {
  const home = join(tmpdir(), "herald-bench", `history-${DATA_VERSION}-${rows}`);
  const path = join(home, "state.db");
  if (existsSync(path)) return home;
  mkdirSync(home, { recursive: true });
  const unfinished = join(home, "unfinished.db");
  for (const side of ["", "-wal", "-shm", "-journal"]) rmSync(unfinished + side, { force: true });
  const db = new (loadSqlite().DatabaseSync)(unfinished);
  db.exec("PRAGMA page_size = 4096; PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA foreign_keys = OFF");
  db.exec(HERMES_TABLES);
  db.exec(`INSERT INTO schema_version (version) VALUES (${HERMES_SCHEMA_VERSION})`);
  db.exec("BEGIN");
  fill(db, rows);
  db.exec("COMMIT");
  db.exec(HERMES_INDEXES);
  db.exec("PRAGMA journal_mode = WAL");
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  renameSync(unfinished, path);
  return home;
}

function fill(db: SqliteDatabase, rows: number): void {
  const next = numbers(20_261_130);
  const addSession = db.prepare(
    "INSERT INTO sessions (id, source, user_id, model_config, system_prompt, started_at, ended_at, end_reason, rewind_count) VALUES (?, ?, ?, '{}', ?, ?, ?, ?, ?)",
  );
  const addMessage = db.prepare(
    "INSERT INTO messages (session_id, role, content, tool_name, tool_calls, timestamp, finish_reason, observed, active) VALUES (?, ?, CAST(? AS TEXT), ?, ?, ?, ?, ?, ?)",
  );
  const prompt = "You are a helpful agent. ".repeat(330);
  const large = '{"output":"'.concat("log line of a tool that talks a lot\\n".repeat(1_400), '","exit_code":0}');
  const live = Array.from({ length: LIVE_SESSIONS }, () => ({ id: "", left: 0, turn: 0 }));
  let sessions = 0;

  for (let row = 0; row < rows; row++) {
    const chosen = next();
    const session = live[chosen % LIVE_SESSIONS];
    if (!session) continue;
    const at = DATA_END_SECONDS - (rows - row) * SECONDS_PER_ROW;
    if (session.left === 0) {
      session.id = `20260101_${String(sessions).padStart(8, "0")}`;
      session.left = ROWS_PER_SESSION - 10 + (next() % 20);
      session.turn = 0;
      const source = SOURCES[sessions % SOURCES.length] ?? "cli";
      const done = source === "cron" ? "cron_complete" : null;
      addSession.run(
        session.id,
        source,
        source === "cli" ? null : "u1",
        prompt,
        at,
        done ? at + 600 : null,
        done,
        sessions % 50 === 7 ? 1 : 0,
      );
      sessions++;
    }
    session.left--;
    const step = session.turn++ % 5;
    const role = step === 0 ? "user" : step === 2 || step === 3 ? "tool" : "assistant";
    const kind = next() % 1_000;
    const words = sentence(next, row);
    const content =
      role === "tool"
        ? next() % 100 === 0
          ? large
          : `{"output":"${words}","exit_code":${kind < 50 ? 1 : 0}}`
        : kind < 4
          ? `\u0000json:${JSON.stringify([
              { type: "text", text: words },
              { type: "image_url", image_url: { url: "x" } },
            ])}`
          : kind < 8 && role === "assistant"
            ? "[SILENT]"
            : kind < 12 && role === "user"
              ? `[Continuing toward your standing goal]\nGoal: ${words}`
              : kind < 14 && role === "user"
                ? `Review the conversation above and ${words}`
                : words;
    const calls =
      step === 1 ? `[{"id":"c${row}","type":"function","function":{"name":"terminal","arguments":"{}"}}]` : null;
    const late = kind >= 500 && kind < 502 ? 5_400 + (next() % 80_000) : 0;
    addMessage.run(
      session.id,
      role,
      Buffer.from(content),
      role === "tool" ? "terminal" : null,
      calls,
      at + (next() % 1_000) / 1_000 - late,
      role === "assistant" ? (calls ? "tool_calls" : "stop") : null,
      kind >= 900 && kind < 905 && role === "user" ? 1 : 0,
      kind >= 950 && kind < 955 ? 0 : 1,
    );
  }
}

const WORDS =
  "报告 合同 明天 周五 客户 发给 确认 会议 预算 review deploy invoice follow up tomorrow check with the team about export contract draft numbers 帮我 看看 整理 一下 资料".split(
    " ",
  );

function sentence(next: () => number, row: number): string {
  const length = 4 + (next() % 18);
  const words = Array.from({ length }, () => WORDS[next() % WORDS.length]);
  return `${words.join(" ")} #${row}`;
}
