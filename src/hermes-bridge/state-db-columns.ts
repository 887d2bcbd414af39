import type { SqliteDatabase } from "../engine/load-sqlite.ts";

/**
 * What a store of any version offers, told by its columns and not by its version number: Hermes adds columns one by one.
 * Every query starts from a row id or a session id, so that the work does not grow with the history; the source of a
 * session is asked by a correlated query, because a join reads all sessions first once somebody has run ANALYZE.
 */
export interface StoreShape {
  message: ReadonlySet<string>;
  session: ReadonlySet<string>;
  /** SQL condition on `m`: this row is part of the transcript people see. */
  visible: string;
  /** SQL expression on `m`, 1 or 0: a summary that a compression wrote. */
  summary: string;
  /** SQL expression on `m`, 1 or 0: neither undone nor replaced. */
  active: string;
  /** SQL expression on `m`, 1 or 0: put away by a compression in place. */
  replaced: string;
  /** Columns of `m` that make a message, in the order of `MessageRow`. */
  messageColumns: string;
  sessionColumns: string;
}

/** One row of `messageColumns`. */
export type MessageRow = [
  id: number,
  sessionId: string,
  role: string | null,
  content: Uint8Array | null,
  timestamp: number | null,
  toolName: string | null,
  toolCalls: string | null,
  observed: number | null,
];

/** One row of `sessionColumns`. */
export type SessionRow = [
  id: string,
  source: string | null,
  userId: string | null,
  parentId: string | null,
  startedAt: number | null,
  endedAt: number | null,
  endReason: string | null,
  title: string | null,
  modelConfig: string | null,
  rewindCount: number | null,
  chatId: string | null,
  chatType: string | null,
  profile: string | null,
];

/** Longer contents are cut here, in bytes, before they leave the database; tool results sooner, they are only looked at. */
const MAX_CONTENT_BYTES = 262_144;
const MAX_TOOL_BYTES = 2_000;

/** @throws when the file is no store of Hermes */
export function readShape(db: SqliteDatabase): StoreShape {
  const message = columnsOf(db, "messages");
  const session = columnsOf(db, "sessions");
  if (!["id", "session_id", "role", "content", "timestamp"].every((name) => message.has(name)) || !session.has("id")) {
    throw new Error("not a Hermes session store: no table messages or sessions");
  }
  const or = (table: string, has: ReadonlySet<string>, name: string): string =>
    has.has(name) ? `${table}.${name}` : "NULL";
  const conditions: string[] = [];
  if (message.has("active")) {
    // Stores that grew the column without a default hold NULL for rows nobody has undone.
    conditions.push(message.has("compacted") ? "(m.active IS NOT 0 OR m.compacted = 1)" : "m.active IS NOT 0");
  }
  if (message.has("display_kind")) conditions.push("m.display_kind IS NOT 'hidden'");
  if (message.has("_compressed_summary")) conditions.push("m._compressed_summary IS NOT 1");
  return {
    message,
    session,
    visible: conditions.length > 0 ? `(${conditions.join(" AND ")})` : "1",
    summary: message.has("_compressed_summary") ? "(m._compressed_summary IS 1)" : "0",
    active: message.has("active") ? "(m.active IS NOT 0)" : "1",
    replaced: message.has("active") && message.has("compacted") ? "(m.active IS 0 AND m.compacted IS 1)" : "0",
    messageColumns: [
      "m.id",
      "m.session_id",
      "m.role",
      `substr(CAST(m.content AS BLOB), 1, CASE m.role WHEN 'tool' THEN ${MAX_TOOL_BYTES} ELSE ${MAX_CONTENT_BYTES} END)`,
      "m.timestamp",
      or("m", message, "tool_name"),
      or("m", message, "tool_calls"),
      or("m", message, "observed"),
    ].join(", "),
    sessionColumns: [
      "s.id",
      or("s", session, "source"),
      or("s", session, "user_id"),
      or("s", session, "parent_session_id"),
      or("s", session, "started_at"),
      or("s", session, "ended_at"),
      or("s", session, "end_reason"),
      or("s", session, "title"),
      or("s", session, "model_config"),
      or("s", session, "rewind_count"),
      or("s", session, "chat_id"),
      or("s", session, "chat_type"),
      or("s", session, "profile_name"),
    ].join(", "),
  };
}

function columnsOf(db: SqliteDatabase, table: "messages" | "sessions"): ReadonlySet<string> {
  const rows = db.prepare(`PRAGMA table_info(${table})`).all() as { name: string }[];
  return new Set(rows.map(({ name }) => name));
}
