import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { loadSqlite, type SqliteDatabase, type SqliteParameter } from "../engine/load-sqlite.ts";
import { HERMES_FULL_TEXT, HERMES_INDEXES, HERMES_SCHEMA_VERSION, HERMES_TABLES } from "./sample-schema.ts";

interface SessionRow {
  id: string;
  source: string;
  user_id: string | null;
  model: string | null;
  title: string | null;
  started_at: number;
  ended_at: number | null;
  end_reason: string | null;
  parent_session_id: string | null;
  message_count: number;
  archived: number;
}

/** A session as Hermes' API lists it. */
interface ListedSession extends SessionRow {
  last_active: number;
  preview: string;
  _lineage_root_id?: string;
}

interface StoredRow {
  id: number;
  session_id: string;
  role: string;
  content: unknown;
  tool_call_id: string | null;
  tool_calls: unknown;
  tool_name: string | null;
  timestamp: number;
  token_count: number | null;
  finish_reason: string | null;
}

interface NewRow {
  role: string;
  content: string | null;
  tool_call_id?: string | null;
  tool_calls?: unknown;
  tool_name?: string | null;
  finish_reason?: string | null;
}

const MOST_HOPS = 100;
const PREVIEW_CHARS = 60;
/** What a compression keeps of the conversation's beginning and end. */
const KEPT_AT_START = 2;
const KEPT_AT_END = 3;

/**
 * Conversations in a state.db of Hermes' form, listed, read and written as Hermes' API server does it: for the stand-in
 * agent, whose talk is then read like a real one's. Never for a store that a real Hermes writes to.
 */
export class SampleConversations {
  readonly #db: SqliteDatabase;

  constructor(path: string) {
    const isNew = !existsSync(path);
    mkdirSync(dirname(path), { recursive: true });
    this.#db = new (loadSqlite().DatabaseSync)(path, { timeout: 5_000 });
    if (!isNew) return;
    this.#db.exec(`PRAGMA journal_mode = WAL; ${HERMES_TABLES}${HERMES_INDEXES}`);
    this.#db.exec(`INSERT INTO schema_version (version) VALUES (${HERMES_SCHEMA_VERSION})`);
    for (const script of HERMES_FULL_TEXT) {
      try {
        this.#db.exec(script);
      } catch {
        // This SQLite has no such tokenizer.
      }
    }
  }

  close(): void {
    this.#db.close();
  }

  sessions(query: { limit: number; offset: number; source?: string; includeChildren: boolean }): {
    sessions: ListedSession[];
    more: boolean;
  } {
    const { limit, offset, source, includeChildren } = query;
    const all = this.#all<SessionRow>("SELECT * FROM sessions");
    const listed = all
      .filter((session) => session.archived !== 1 && session.source !== "subagent")
      // A chain shows once, as its newest session.
      .filter((session) => includeChildren || this.#parent(session) === undefined)
      .map((session) => {
        const tip = includeChildren ? session : (this.session(this.#tip(session.id)) ?? session);
        return { ...this.#listed(tip), ...(tip.id !== session.id && { _lineage_root_id: session.id }) };
      })
      .filter((session) => source === undefined || session.source === source)
      .sort((a, b) => b.last_active - a.last_active || (a.id < b.id ? 1 : -1));
    return { sessions: listed.slice(offset, offset + limit), more: listed.length > offset + limit };
  }

  session(id: string): ListedSession | undefined {
    const [row] = this.#all<SessionRow>("SELECT * FROM sessions WHERE id = ?", id);
    return row && this.#listed(row);
  }

  create({ id, title, atSeconds }: { id: string; title?: string; atSeconds: number }): boolean {
    const { changes } = this.#db
      .prepare("INSERT OR IGNORE INTO sessions (id, source, started_at, title) VALUES (?, 'api_server', ?, ?)")
      .run(id, atSeconds, title ?? null);
    return Number(changes) === 1;
  }

  messages(sessionId: string): { sessionId: string; rows: StoredRow[] } {
    const tip = this.#tip(sessionId);
    const rows = this.#all<StoredRow & { content: string | null; tool_calls: string | null }>(
      `SELECT id, session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp, token_count, finish_reason
       FROM messages WHERE session_id = ? AND active = 1 ORDER BY id`,
      tip,
    );
    return {
      sessionId: tip,
      rows: rows.map((row) => ({
        ...row,
        content: row.content?.startsWith("\u0000json:") ? parse(row.content.slice(6)) : row.content,
        tool_calls: row.tool_calls === null ? null : parse(row.tool_calls),
      })),
    };
  }

  append(sessionId: string, row: NewRow, atSeconds: number): number {
    const { lastInsertRowid } = this.#db
      .prepare(
        `INSERT INTO messages (session_id, role, content, tool_call_id, tool_calls, tool_name, finish_reason, timestamp)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        sessionId,
        row.role,
        row.content,
        row.tool_call_id ?? null,
        row.tool_calls === undefined ? null : JSON.stringify(row.tool_calls),
        row.tool_name ?? null,
        row.finish_reason ?? null,
        atSeconds,
      );
    this.#db.prepare("UPDATE sessions SET message_count = message_count + 1 WHERE id = ?").run(sessionId);
    return Number(lastInsertRowid);
  }

  compress(sessionId: string, atSeconds: number): string {
    const child = `${sessionId.slice(0, 200)}_c${Math.floor(atSeconds * 1000).toString(36)}`;
    const { rows } = this.messages(sessionId);
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      this.#db
        .prepare("UPDATE sessions SET end_reason = 'compression', ended_at = ? WHERE id = ?")
        .run(atSeconds, sessionId);
      this.#db
        .prepare(
          `INSERT INTO sessions (id, source, user_id, started_at, parent_session_id)
           SELECT ?, source, user_id, ?, id FROM sessions WHERE id = ?`,
        )
        .run(child, atSeconds, sessionId);
      const copy = this.#db.prepare(
        `INSERT INTO messages (session_id, role, content, tool_call_id, tool_calls, tool_name, finish_reason, timestamp)
         SELECT ?, role, content, tool_call_id, tool_calls, tool_name, finish_reason, timestamp FROM messages WHERE id = ?`,
      );
      const start = rows.slice(0, KEPT_AT_START);
      for (const { id } of start) copy.run(child, id);
      const summary = `[CONTEXT COMPACTION — REFERENCE ONLY] ${rows.length} messages`;
      this.#db
        .prepare("INSERT INTO messages (session_id, role, content, timestamp) VALUES (?, 'user', ?, ?)")
        .run(child, summary, atSeconds);
      for (const { id } of rows.slice(Math.max(rows.length - KEPT_AT_END, start.length))) copy.run(child, id);
      this.#db.exec("COMMIT");
    } catch (error) {
      this.#db.exec("ROLLBACK");
      throw error;
    }
    return child;
  }

  #listed(row: SessionRow): ListedSession {
    const [last] = this.#all<{ at: number | null; count: number }>(
      "SELECT max(timestamp) AS at, count(*) AS count FROM messages WHERE session_id = ?",
      row.id,
    );
    const [first] = this.#all<{ content: string | null }>(
      "SELECT content FROM messages WHERE session_id = ? AND role = 'user' AND active = 1 ORDER BY id LIMIT 1",
      row.id,
    );
    return {
      ...row,
      message_count: last?.count ?? 0,
      last_active: last?.at ?? row.started_at,
      preview: (first?.content ?? "").replace(/\s+/g, " ").slice(0, PREVIEW_CHARS),
    };
  }

  /** The session whose compression this one continues. */
  #parent({ parent_session_id }: SessionRow): SessionRow | undefined {
    if (parent_session_id === null) return undefined;
    const [parent] = this.#all<SessionRow>("SELECT * FROM sessions WHERE id = ?", parent_session_id);
    return parent?.end_reason === "compression" ? parent : undefined;
  }

  #tip(id: string): string {
    let tip = id;
    for (let hops = 0; hops < MOST_HOPS; hops++) {
      const [child] = this.#all<{ id: string }>(
        `SELECT c.id FROM sessions c JOIN sessions p ON p.id = c.parent_session_id
         WHERE p.id = ? AND p.end_reason = 'compression' ORDER BY c.started_at DESC, c.rowid DESC LIMIT 1`,
        tip,
      );
      if (!child) return tip;
      tip = child.id;
    }
    return tip;
  }

  #all<Row>(sql: string, ...parameters: SqliteParameter[]): Row[] {
    return this.#db.prepare(sql).all(...parameters) as Row[];
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
