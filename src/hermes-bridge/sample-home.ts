import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DateTime } from "luxon";
import { loadSqlite, type SqliteDatabase } from "../engine/load-sqlite.ts";
import { HERMES_FULL_TEXT, HERMES_INDEXES, HERMES_SCHEMA_VERSION, HERMES_TABLES } from "./sample-schema.ts";
import { type SampleMessage, type SampleSession, sampleSessions } from "./sample-sessions.ts";
import { sampleWork } from "./sample-work.ts";

export interface SampleHomeOptions {
  now: Date;
  /** IANA name; days such as "tomorrow" are said in it */
  zone: string;
}

const USER_ID = "sample_user";
const DM_CHAT = "oc_sample_dm";
const GROUP_CHAT = "oc_sample_team";
/** The chat session new words of the person go to. */
const LIVE_SESSION = "live";

/**
 * Writes a fresh Hermes home with a believable recent past: state.db in Hermes' own schema, sessions.json, cron jobs,
 * memories, preferences. What stands there of an older sample is removed first; nothing else in the folder is touched.
 */
export function writeSampleHome(home: string, { now, zone }: SampleHomeOptions): void {
  for (const name of ["state.db", "state.db-wal", "state.db-shm"]) rmSync(join(home, name), { force: true });
  for (const folder of ["", "sessions", "cron", "memories"]) mkdirSync(join(home, folder), { recursive: true });
  const sessions = [...sampleSessions(now, zone), ...sampleWork(now, zone)];
  const db = new (loadSqlite().DatabaseSync)(join(home, "state.db"), { timeout: 5_000 });
  try {
    db.exec("PRAGMA journal_mode = WAL");
    db.exec(HERMES_TABLES + HERMES_INDEXES);
    for (const script of HERMES_FULL_TEXT) addFullText(db, script);
    db.exec(`INSERT INTO schema_version (version) VALUES (${HERMES_SCHEMA_VERSION})`);
    db.exec("BEGIN");
    for (const session of sessions) insertSession(db, session, now);
    // Hermes writes rows as they are said, whatever session they belong to.
    const rows = sessions.flatMap((session) => session.messages.map((message) => ({ session, message })));
    for (const { session, message } of rows.sort((a, b) => b.message.ago - a.message.ago)) {
      insertMessage(db, sessionId(session.key, now, session), message, now);
    }
    db.exec("COMMIT");
  } finally {
    db.close();
  }
  writeSessionsJson(home, sessions, now, zone);
  writeCronJobs(home, now, zone);
  writeFileSync(
    join(home, "memories", "MEMORY.md"),
    [
      "云杉项目的法务联系人是周敏，她习惯当面确认付款条款。",
      "启明印务报价通常要一到两天，联系人老赵。",
      "Exports run on the export-chunks branch; storage closes idle connections after 30 minutes.",
    ].join("\n§\n"),
  );
  writeFileSync(
    join(home, "memories", "USER.md"),
    ["住在上海，工作日九点半到公司。", "Prefers short answers; mixes Chinese and English."].join("\n§\n"),
  );
  writeFileSync(
    join(home, "PROACTIVE_PREFERENCES.md"),
    "# 主动提醒偏好 / Preferences for reminders\n\n- 只提醒还没做完的事；一次说完，不要分几条发。\n- 闲聊和玩笑不用跟进。\n- Work in English is fine in English.\n",
  );
}

/** A person (or Hermes) says something in the sample's direct chat or group; returns the row's id. */
export function appendMessage(
  home: string,
  said: { text: string; at: Date; role?: "user" | "assistant"; chat?: "dm" | "group" },
): { sessionId: string; messageId: string } {
  const { text, at, role = "user", chat = "dm" } = said;
  const db = new (loadSqlite().DatabaseSync)(join(home, "state.db"), { timeout: 5_000 });
  try {
    const id = `sample_${LIVE_SESSION}_${chat}`;
    db.exec("BEGIN IMMEDIATE");
    db.prepare(
      "INSERT OR IGNORE INTO sessions (id, source, user_id, started_at, title) VALUES (?, 'feishu', ?, ?, ?)",
    ).run(id, USER_ID, at.getTime() / 1000, chat === "dm" ? "日常对话" : "市场部小队（新）");
    const messageId = insertMessage(db, id, { role, ago: 0, text }, at);
    db.exec("COMMIT");
    return { sessionId: id, messageId: String(messageId) };
  } finally {
    if (db.isTransaction) db.exec("ROLLBACK");
    db.close();
  }
}

function addFullText(db: SqliteDatabase, script: string): void {
  try {
    db.exec(script);
  } catch {
    // This SQLite has no such tokenizer; Hermes does without it too.
  }
}

/** In the form Hermes gives ids: by time, or by job for cron sessions. */
function sessionId(key: string, now: Date, { source, messages }: SampleSession): string {
  const stamp = DateTime.fromMillis(now.getTime() - (messages[0]?.ago ?? 0) * 60_000, { zone: "utc" });
  const tail = Buffer.from(key).toString("hex").slice(0, 8).padEnd(8, "0");
  return source === "cron"
    ? `cron_5f0c2a7be911_${stamp.toFormat("yyyyMMdd_HHmmss")}`
    : `${stamp.toFormat("yyyyMMdd_HHmmss")}_${tail}`;
}

function insertSession(db: SqliteDatabase, session: SampleSession, now: Date): void {
  const started = now.getTime() / 1000 - (session.messages[0]?.ago ?? 0) * 60;
  const undone = session.messages.some((message) => message.undone);
  db.prepare(
    `INSERT INTO sessions (id, source, user_id, model, started_at, ended_at, end_reason, message_count, title, rewind_count, api_call_count)
     VALUES (?, ?, ?, 'sample-model', ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    sessionId(session.key, now, session),
    session.source,
    session.chat ? USER_ID : null,
    started,
    session.endReason ? now.getTime() / 1000 - (session.messages.at(-1)?.ago ?? 0) * 60 : null,
    session.endReason ?? null,
    session.messages.length,
    session.title,
    undone ? 1 : 0,
    session.messages.filter((message) => message.role === "assistant").length,
  );
}

function insertMessage(db: SqliteDatabase, session: string, message: SampleMessage, now: Date): number {
  const calls = message.toolCalls?.map(({ name, arguments: given }, index) => ({
    id: `call_${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify(given) },
  }));
  const { lastInsertRowid } = db
    .prepare(
      `INSERT INTO messages (session_id, role, content, tool_name, tool_calls, timestamp, finish_reason, observed, active)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      session,
      message.role,
      message.text,
      message.toolName ?? null,
      calls ? JSON.stringify(calls) : null,
      now.getTime() / 1000 - message.ago * 60,
      message.role === "assistant" ? (calls ? "tool_calls" : "stop") : null,
      message.observed ? 1 : 0,
      message.undone ? 0 : 1,
    );
  return Number(lastInsertRowid);
}

function writeSessionsJson(home: string, sessions: readonly SampleSession[], now: Date, zone: string): void {
  const entries = sessions
    .filter(({ chat }) => chat)
    .map((session) => {
      const chatId = session.chat === "group" ? GROUP_CHAT : DM_CHAT;
      const id = sessionId(session.key, now, session);
      const at = (ago: number): string =>
        DateTime.fromMillis(now.getTime() - ago * 60_000, { zone }).toFormat("yyyy-MM-dd'T'HH:mm:ss.SSSSSS");
      const entry = {
        session_key: `agent:main:${session.source}:${session.chat}:${chatId}:${id}`,
        session_id: id,
        created_at: at(session.messages[0]?.ago ?? 0),
        updated_at: at(session.messages.at(-1)?.ago ?? 0),
        display_name: session.title,
        platform: session.source,
        chat_type: session.chat,
        origin: {
          platform: session.source,
          chat_id: chatId,
          chat_name: session.title,
          chat_type: session.chat,
          user_id: USER_ID,
          user_name: "林晓",
          thread_id: null,
          chat_topic: null,
        },
      };
      return [entry.session_key, entry] as const;
    });
  const live = (["dm", "group"] as const).map((chat) => {
    const chatId = chat === "group" ? GROUP_CHAT : DM_CHAT;
    const key = `agent:main:feishu:${chat}:${chatId}`;
    const origin = { platform: "feishu", chat_id: chatId, chat_type: chat, user_id: USER_ID, user_name: "林晓" };
    return [key, { session_key: key, session_id: `sample_${LIVE_SESSION}_${chat}`, chat_type: chat, origin }] as const;
  });
  writeFileSync(
    join(home, "sessions", "sessions.json"),
    JSON.stringify(Object.fromEntries([...entries, ...live]), null, 2),
  );
}

function writeCronJobs(home: string, now: Date, zone: string): void {
  const here = DateTime.fromJSDate(now, { zone });
  const job = (id: string, name: string, expr: string, more: Record<string, unknown>): Record<string, unknown> => ({
    id,
    name,
    prompt: name,
    schedule: { kind: "cron", expr, display: expr },
    schedule_display: expr,
    repeat: { times: null, completed: 3 },
    enabled: true,
    state: "scheduled",
    created_at: here.minus({ days: 20 }).toISO(),
    deliver: "origin",
    ...more,
  });
  const jobs = [
    job("5f0c2a7be911", "每日简报", "0 9 * * *", {
      next_run_at: here.plus({ days: 1 }).set({ hour: 9, minute: 0, second: 0, millisecond: 0 }).toISO(),
      last_run_at: here.minus({ minutes: 560 }).toISO(),
      last_status: "ok",
      last_error: null,
      last_delivery_error: null,
    }),
    job("a81d34c07e52", "Weekly backup check", "0 7 * * 1", {
      next_run_at: here.plus({ weeks: 1 }).startOf("week").set({ hour: 7 }).toISO(),
      last_run_at: here.startOf("week").set({ hour: 7 }).toISO(),
      last_status: "ok",
      last_error: null,
      last_delivery_error: null,
    }),
  ];
  writeFileSync(join(home, "cron", "jobs.json"), JSON.stringify({ jobs, updated_at: here.toISO() }, null, 2));
}
