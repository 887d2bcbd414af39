import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  loadSqlite,
  type SqliteDatabase,
  type SqliteParameter,
  type SqliteStatement,
} from "../../src/engine/load-sqlite.ts";
import { HERMES_INDEXES, HERMES_TABLES } from "../../src/hermes-bridge/sample-schema.ts";

/** Schema versions of Hermes: before `active` and `observed`, 0.16, and upstream's with in-place compaction. */
export type HermesSchema = 10 | 16 | 30;

export type Cells = Record<string, SqliteParameter>;

const OLD_TABLES = `
CREATE TABLE schema_version (version INTEGER NOT NULL);
CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, user_id TEXT, model TEXT, model_config TEXT,
  system_prompt TEXT, parent_session_id TEXT, started_at REAL NOT NULL, ended_at REAL, end_reason TEXT,
  message_count INTEGER DEFAULT 0, tool_call_count INTEGER DEFAULT 0, title TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT,
  tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL, token_count INTEGER, finish_reason TEXT);
CREATE INDEX idx_sessions_source ON sessions(source);
CREATE INDEX idx_sessions_parent ON sessions(parent_session_id);
CREATE INDEX idx_messages_session ON messages(session_id, timestamp);`;

/** What upstream added since 0.16 that a reader may meet. */
const UPSTREAM_CHANGES = `
ALTER TABLE sessions ADD COLUMN session_key TEXT;
ALTER TABLE sessions ADD COLUMN chat_id TEXT;
ALTER TABLE sessions ADD COLUMN chat_type TEXT;
ALTER TABLE sessions ADD COLUMN thread_id TEXT;
ALTER TABLE sessions ADD COLUMN display_name TEXT;
ALTER TABLE sessions ADD COLUMN origin_json TEXT;
ALTER TABLE sessions ADD COLUMN system_prompt_hash TEXT;
ALTER TABLE sessions ADD COLUMN profile_name TEXT;
ALTER TABLE sessions ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN effect_disposition TEXT;
ALTER TABLE messages ADD COLUMN _compressed_summary INTEGER NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN compacted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN api_content TEXT;
ALTER TABLE messages ADD COLUMN display_kind TEXT;
ALTER TABLE messages ADD COLUMN display_metadata TEXT;
ALTER TABLE messages ADD COLUMN display_identity BLOB;
ALTER TABLE messages ADD COLUMN display_order INTEGER;
CREATE TABLE system_prompts (hash TEXT PRIMARY KEY, prompt TEXT NOT NULL);
CREATE TABLE gateway_routing (scope TEXT NOT NULL DEFAULT '', session_key TEXT NOT NULL, entry_json TEXT NOT NULL,
  updated_at REAL NOT NULL, PRIMARY KEY (scope, session_key));
CREATE INDEX idx_messages_session_id ON messages(session_id, id);
CREATE INDEX idx_messages_active_null ON messages(active) WHERE active IS NULL;
CREATE INDEX idx_messages_display_page ON messages(session_id, display_order, active DESC, id DESC)
  WHERE active = 1 OR compacted = 1;
CREATE INDEX idx_sessions_gateway_peer ON sessions(source, user_id, chat_id, chat_type, thread_id, started_at DESC);`;

/** A Hermes home in a temporary folder that a test writes as Hermes would. Call `remove` at the end. */
export class HermesHome {
  readonly path: string;
  readonly db: SqliteDatabase;
  readonly schema: HermesSchema;
  /** Thousands of statements thrown away are collected later, in the middle of what a test measures. */
  readonly #statements = new Map<string, SqliteStatement>();

  constructor({ schema = 16, path }: { schema?: HermesSchema; path?: string } = {}) {
    this.schema = schema;
    this.path = path ?? mkdtempSync(join(tmpdir(), "herald-hermes-"));
    mkdirSync(join(this.path, "sessions"), { recursive: true });
    this.db = createStateDb(join(this.path, "state.db"), schema);
  }

  /** Adds a session; unnamed columns get Hermes' defaults. */
  session(id: string, cells: Cells = {}): string {
    this.#insert("sessions", { id, source: "feishu", started_at: 1_700_000_000, ...cells });
    return id;
  }

  /** Adds a row and returns its id. `at` in seconds. */
  message(sessionId: string, content: SqliteParameter, cells: Cells & { at?: number } = {}): number {
    const { at = 1_700_000_000, ...more } = cells;
    return this.#insert("messages", { session_id: sessionId, role: "user", content, timestamp: at, ...more });
  }

  /** Deletes a session's rows and writes them anew under new ids, as Hermes does for /retry and /compress. */
  rewrite(sessionId: string, keep: (row: Cells) => Cells | undefined = (row) => row): void {
    const rows = this.db.prepare("SELECT * FROM messages WHERE session_id = ? ORDER BY id").all(sessionId) as Cells[];
    this.db.exec("BEGIN IMMEDIATE");
    this.db.prepare("DELETE FROM messages WHERE session_id = ?").run(sessionId);
    for (const { id: _, ...row } of rows) {
      const kept = keep(row);
      if (kept) this.#insert("messages", kept);
    }
    this.db.exec("COMMIT");
  }

  run(sql: string, ...parameters: SqliteParameter[]): void {
    this.db.prepare(sql).run(...parameters);
  }

  analyze(): void {
    this.db.exec("ANALYZE");
  }

  sessionsJson(entries: unknown): void {
    const text = typeof entries === "string" ? entries : JSON.stringify(entries);
    writeFileSync(join(this.path, "sessions", "sessions.json"), text);
  }

  remove(): void {
    if (this.db.isTransaction) this.db.exec("ROLLBACK");
    this.#statements.clear();
    this.db.close();
    rmSync(this.path, { recursive: true, force: true });
  }

  #insert(table: string, cells: Cells): number {
    const names = Object.keys(cells);
    const sql = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return Number(statement.run(...Object.values(cells)).lastInsertRowid);
  }
}

export function createStateDb(path: string, schema: HermesSchema = 16): SqliteDatabase {
  const db = new (loadSqlite().DatabaseSync)(path, { timeout: 5_000 });
  // Python's sqlite3, with which Hermes writes, leaves foreign keys unchecked.
  db.exec("PRAGMA journal_mode = WAL; PRAGMA foreign_keys = OFF");
  db.exec(schema === 10 ? OLD_TABLES : HERMES_TABLES + HERMES_INDEXES + (schema === 30 ? UPSTREAM_CHANGES : ""));
  db.prepare("INSERT INTO schema_version (version) VALUES (?)").run(schema);
  return db;
}

export function pythonAtHand(): boolean {
  try {
    execFileSync("python3", ["-c", "import sqlite3"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/**
 * Hermes' way of writing, in its own language and SQLite: every row its own transaction, a TRUNCATE checkpoint now and
 * then. Resolves with the number of rows written, or rejects with the writer's error.
 */
export function liveWriter(stateDb: string, rows: number): Promise<number> {
  const program = `
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], timeout=1.0, isolation_level=None)
db.execute("PRAGMA journal_mode=WAL")
db.execute("INSERT OR IGNORE INTO sessions (id, source, started_at) VALUES ('live', 'feishu', ?)", (time.time(),))
for n in range(int(sys.argv[2])):
    db.execute("BEGIN IMMEDIATE")
    db.execute("INSERT INTO messages (session_id, role, content, timestamp) VALUES ('live', 'user', ?, ?)", ("message %d" % n, time.time()))
    db.execute("COMMIT")
    if n % 50 == 49: db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
print(int(sys.argv[2]))
`;
  return new Promise((resolve, reject) => {
    const child = spawn("python3", ["-c", program, stateDb, String(rows)]);
    let out = "";
    let err = "";
    child.stdout.on("data", (part) => (out += part));
    child.stderr.on("data", (part) => (err += part));
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve(Number(out)) : reject(new Error(err))));
  });
}
