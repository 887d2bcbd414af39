import { createHash } from "node:crypto";
import { join } from "node:path";
import type { DaySession } from "../engine/evolution/day-session.ts";
import type {
  Clock,
  History,
  HistoryCursor,
  HistoryMessage,
  HistoryPage,
  HistorySession,
  Log,
} from "../engine/ports.ts";
import { CopyFinder, type SettledCopies } from "./copy-finder.ts";
import { daySessions } from "./day-sessions.ts";
import { riskyFileSystem } from "./file-system-kind.ts";
import { readContent, readToolCalls } from "./read-content.ts";
import { type KnownSession, SessionLookup, secondsToDate } from "./session-lookup.ts";
import { type SessionChat, SessionsJson } from "./sessions-json.ts";
import type { MessageRow, SessionRow } from "./state-db-columns.ts";
import { type OpenStore, StateDbFile } from "./state-db-file.ts";

/** Most rows one statement returns: SQLite works synchronously, and the process has taps to answer. */
const ROWS_AT_ONCE = 200;
/** Most row ids one statement walks over, whether it returns them or not. */
const IDS_AT_ONCE = 5_000;
/** The walk back in time ends after so many rows in a row that are too old: late rows lie a little out of order. */
const OLD_ROWS_TO_STOP = 200;
/** The first look back is short: a recent day fills the budget soon. */
const FIRST_EARLIER_ROWS = 60;
/** Most rows the walk back looks at, whatever the budget says. */
const MOST_EARLIER_ROWS = 5_000;

/** Cursor of this reader. `id`: everything up to it was read. `anchor` tells whether a replaced file is the same history. */
interface Position {
  file: string;
  id: number;
  /** time of the row at `id`, ms */
  at: number | null;
  anchor: string | null;
}

export interface StateDbOptions {
  /** Hermes' home, holding state.db and sessions/. */
  home: string;
  /** Hard filter; undefined is Hermes' default profile. */
  profile?: string;
  /** The home belongs to the profile alone: rows without a profile's name are its own. */
  ownHome?: boolean;
  clock: Clock;
  log?: Log;
}

/** The History port on Hermes' state.db (0.16 to upstream's schema 30), read only. */
export class StateDb implements History {
  readonly #options: StateDbOptions;
  readonly #file: StateDbFile;
  readonly #sessionsJson: SessionsJson;
  readonly #settledCopies: SettledCopies = new Map();
  #placeChecked = false;
  /** What was true when the store was last found to hold nothing new. */
  #quiet: { file: string; dataVersion: number; id: number } | undefined;

  constructor(options: StateDbOptions) {
    this.#options = options;
    this.#file = new StateDbFile(join(options.home, "state.db"));
    this.#sessionsJson = new SessionsJson(options.home);
  }

  async head(): Promise<HistoryCursor> {
    return cursorOf(await this.#file.read((store) => positionAt(store, headId(store))));
  }

  async cursorBefore(at: Date): Promise<HistoryCursor> {
    let from: number | undefined;
    let before: number | undefined;
    for (let old = 0; old < OLD_ROWS_TO_STOP; ) {
      const rows = await this.#file.read((store) =>
        store.rows<[number, number | null]>(
          `SELECT m.id, m.timestamp FROM messages m WHERE m.id <= ? ORDER BY m.id DESC LIMIT ${ROWS_AT_ONCE}`,
          from ?? headId(store),
        ),
      );
      if (!rows) break;
      for (const [id, timestamp] of rows) {
        from = id - 1;
        old = (timestamp ?? 0) * 1000 < at.getTime() ? old + 1 : 0;
        if (old === 0) before = id - 1;
      }
      if (rows.length < ROWS_AT_ONCE) break;
    }
    return cursorOf(await this.#file.read((store) => positionAt(store, before ?? headId(store))));
  }

  async mayHaveNew(cursor: HistoryCursor): Promise<boolean> {
    const answer = await this.#file.read((store) => {
      const { file, id } = readCursor(cursor);
      const [dataVersion = 0] = store.row<[number]>("PRAGMA data_version") ?? [];
      const quiet = this.#quiet;
      if (quiet && quiet.dataVersion === dataVersion && quiet.file === store.file && quiet.id === id) return false;
      if (file !== store.file || headId(store) !== id) return true;
      this.#quiet = { file, dataVersion, id };
      return false;
    });
    return answer ?? false;
  }

  async readSince(
    cursor: HistoryCursor,
    limit: number,
    { leaveOutSources = [] }: { leaveOutSources?: readonly string[] } = {},
  ): Promise<HistoryPage> {
    if (!this.#placeChecked) await this.#checkPlace();
    const chats = await this.#sessionsJson.read();
    let start: Position | undefined = await this.#resume(readCursor(cursor));
    const messages: HistoryMessage[] = [];
    let more = false;
    while (start) {
      const from: Position = start;
      const slice = await this.#file.read((store) => {
        if (store.file !== from.file) return "replaced" as const;
        const head = headId(store);
        const until = Math.min(head, from.id + IDS_AT_ONCE);
        const most = Math.min(limit - messages.length, ROWS_AT_ONCE);
        const rows = store.rows<MessageRow>(
          sinceSql(store, leaveOutSources.length),
          from.id,
          until,
          ...leaveOutSources,
          most,
        );
        const end = rows.length === most ? (rows.at(-1)?.[0] ?? until) : until;
        return { said: this.#messages(store, rows, chats), next: positionAt(store, end), more: end < head };
      });
      if (slice === "replaced") {
        messages.length = 0;
        start = await this.#resume(readCursor(cursor));
        continue;
      }
      if (!slice) break;
      messages.push(...slice.said);
      start = slice.next;
      more = slice.more;
      if (!more || messages.length >= limit) break;
    }
    return { messages, cursor: start ? cursorOf(start) : cursor, more };
  }

  async readEarlier(
    cursor: HistoryCursor,
    limits: Parameters<History["readEarlier"]>[1],
  ): Promise<readonly HistoryMessage[]> {
    const { since, maxChars, maxRows, leaveOutSources = [], weigh = ({ text }) => text.length } = limits;
    const chats = await this.#sessionsJson.read();
    const found: HistoryMessage[] = [];
    let from = (await this.#resume(readCursor(cursor)))?.id ?? 0;
    let chars = 0;
    let old = 0;
    let size = FIRST_EARLIER_ROWS;
    for (let walked = 0; from > 0 && walked < MOST_EARLIER_ROWS; walked += size) {
      size = walked === 0 ? FIRST_EARLIER_ROWS : ROWS_AT_ONCE;
      const slice = await this.#file.read((store) => {
        const rows = store.rows<MessageRow>(
          earlierSql(store, leaveOutSources.length),
          from,
          from - IDS_AT_ONCE,
          ...leaveOutSources,
          size,
        );
        const end = rows.length === size ? (rows.at(-1)?.[0] ?? 0) : from - IDS_AT_ONCE;
        return { said: this.#messages(store, rows, chats), end };
      });
      if (!slice) break;
      for (const message of slice.said) {
        old = message.at < since ? old + 1 : 0;
        if (old >= OLD_ROWS_TO_STOP) return found.reverse();
        const weight = old > 0 ? 0 : weigh(message);
        if (weight <= 0) continue;
        chars += weight;
        if (chars > maxChars || found.length >= maxRows) return found.reverse();
        found.push(message);
      }
      from = slice.end - 1;
    }
    return found.reverse();
  }

  async whereabouts(messageIds: readonly string[]): Promise<ReadonlyMap<string, "visible" | "undone" | "gone">> {
    const answer = new Map<string, "visible" | "undone" | "gone">();
    for (let start = 0; start < messageIds.length; start += ROWS_AT_ONCE) {
      const ids = messageIds.slice(start, start + ROWS_AT_ONCE);
      await this.#file.read((store) => {
        const lookup = new SessionLookup(store, new Map());
        for (const id of ids) {
          const [sessionId, visible] =
            store.row<[string, number]>(
              `SELECT m.session_id, (${store.shape.visible}) FROM messages m WHERE m.id = ?`,
              Number(id),
            ) ?? [];
          // Old builds replaced rows by making them inactive; only a session in which something was taken back has undone rows.
          const undone = sessionId !== undefined && lookup.session(sessionId).rewinds > 0;
          answer.set(id, visible === 1 ? "visible" : undone ? "undone" : "gone");
        }
      });
    }
    for (const id of messageIds) if (!answer.has(id)) answer.set(id, "gone");
    return answer;
  }

  async session(id: string): Promise<HistorySession | undefined> {
    const chats = await this.#sessionsJson.read();
    return this.#file.read((store) => {
      if (store.row("SELECT s.rowid FROM sessions s WHERE s.id = ?", id) === undefined) return undefined;
      const session = new SessionLookup(store, chats).session(id);
      return this.#isOurs(session) ? session : undefined;
    });
  }

  async directChats(source: string): Promise<readonly Pick<HistorySession, "userId" | "chatId">[]> {
    const chats = await this.#sessionsJson.read();
    const answer = await this.#file.read((store) => {
      const { session, sessionColumns } = store.shape;
      const found: KnownSession[] = [];
      if (session.has("chat_type") && session.has("user_id")) {
        const groups = ["user_id", "chat_id", "chat_type", "profile_name"].filter((name) => session.has(name));
        const rows = store.rows<SessionRow>(
          `SELECT ${sessionColumns} FROM sessions s WHERE s.source = ? GROUP BY ${groups.map((name) => `s.${name}`).join(", ")}`,
          source,
        );
        // As the row has it: the gateway's file may know the same person under another id, which the chat then ties to this.
        const asWritten = new SessionLookup(store, new Map());
        found.push(...rows.map(([id]) => asWritten.session(id)));
      }
      const lookup = new SessionLookup(store, chats);
      for (const [id, { chatType }] of chats) if (chatType === "dm") found.push(lookup.session(id));
      return found.filter((each) => each.source === source && each.chatType === "dm" && this.#isOurs(each));
    });
    return (answer ?? []).map(({ userId, chatId }) => ({ ...(userId && { userId }), ...(chatId && { chatId }) }));
  }

  async *sessionsBegun(
    from: Date,
    to: Date,
    { leaveOutSources = [] }: { leaveOutSources?: readonly string[] } = {},
  ): AsyncGenerator<DaySession, void> {
    const chats = await this.#sessionsJson.read();
    yield* daySessions(
      {
        file: this.#file,
        chats,
        settledCopies: this.#settledCopies,
        isOurs: (session) => this.#isOurs(session),
        leaveOutSources,
      },
      from,
      to,
    );
  }

  async describe(): Promise<Awaited<ReturnType<History["describe"]>>> {
    const { profile } = this.#options;
    const facts = await this.#file.read((store) => ({
      sessions: store.row<[number | null]>("SELECT max(s.rowid) FROM sessions s")?.[0] ?? 0,
      schemaVersion: schemaVersion(store),
    }));
    return {
      kind: "state-db",
      path: this.#file.path,
      ...(profile && { profile }),
      ...(facts && { sessions: facts.sessions }),
      ...(facts?.schemaVersion !== undefined && { schemaVersion: facts.schemaVersion }),
    };
  }

  close(): void {
    this.#file.close();
  }

  /**
   * Where to read on in the file that stands there now. A replaced file that still has the last row read is the same
   * history; in any other one reading starts again a day before the time of that row.
   */
  async #resume(position: Position): Promise<Position | undefined> {
    const same = await this.#file.read((store) => {
      if (position.file === store.file && position.id <= headId(store)) return { ...position, known: true };
      const now = positionAt(store, position.id);
      const known = position.id === 0 || (position.anchor !== null && now.anchor === position.anchor);
      return { ...now, known };
    });
    if (!same || same.known) return same;
    this.#options.log?.warn("history.replaced", { path: this.#file.path });
    const reached = Math.min(position.at ?? Number.POSITIVE_INFINITY, this.#options.clock.now().getTime());
    return readCursor(await this.cursorBefore(new Date(reached - 24 * 3_600_000)));
  }

  #messages(store: OpenStore, rows: readonly MessageRow[], chats: ReadonlyMap<string, SessionChat>): HistoryMessage[] {
    const lookup = new SessionLookup(store, chats);
    const copies = new CopyFinder(store, this.#settledCopies);
    const messages: HistoryMessage[] = [];
    for (const [id, sessionId, role, content, timestamp, toolName, toolCalls, observed] of rows) {
      const session = lookup.session(sessionId);
      if (!this.#isOurs(session) || copies.isCopy(session, id)) continue;
      const calls = readToolCalls(toolCalls);
      messages.push({
        id: String(id),
        session,
        role: role ?? "unknown",
        text: readContent(content),
        at: secondsToDate(timestamp) ?? new Date(0),
        observed: observed === 1,
        ...(typeof timestamp === "number" && { exactAt: timestamp }),
        ...(toolName && { toolName }),
        ...(calls && { toolCalls: calls }),
      });
    }
    return messages;
  }

  /** Says once what about the place of the file may go wrong. */
  async #checkPlace(): Promise<void> {
    this.#placeChecked = true;
    const kind = await riskyFileSystem(this.#file.path);
    if (kind) this.#options.log?.warn("history.risky_file_system", { path: this.#file.path, kind });
  }

  #isOurs({ profile = "" }: KnownSession): boolean {
    const { profile: wanted = "default", ownHome = false } = this.#options;
    if (profile === wanted) return true;
    return profile === "" && (ownHome || wanted === "default");
  }
}

/** The highest row id ever given out, also when that row is deleted by now. */
function headId(store: OpenStore): number {
  const [id] =
    store.row<[number]>(
      "SELECT max(coalesce((SELECT q.seq FROM sqlite_sequence q WHERE q.name = 'messages'), 0), coalesce((SELECT max(m.id) FROM messages m), 0))",
    ) ?? [];
  return id ?? 0;
}

function positionAt(store: OpenStore, id: number): Position {
  const row = store.row<[string, string | null, number | null]>(
    "SELECT m.session_id, m.role, m.timestamp FROM messages m WHERE m.id = ?",
    id,
  );
  const anchor = row && createHash("sha256").update(JSON.stringify(row)).digest("base64url").slice(0, 16);
  return { file: store.file, id, at: secondsToDate(row?.[2] ?? null)?.getTime() ?? null, anchor: anchor ?? null };
}

function cursorOf(position: Position | undefined): HistoryCursor {
  return position ? { file: position.file, id: position.id, at: position.at, anchor: position.anchor } : {};
}

/** A cursor of another kind of history, or of none, stands before everything. */
function readCursor({ file, id, at, anchor }: HistoryCursor): Position {
  return {
    file: typeof file === "string" ? file : "",
    id: typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? id : 0,
    at: typeof at === "number" ? at : null,
    anchor: typeof anchor === "string" ? anchor : null,
  };
}

function schemaVersion(store: OpenStore): number | undefined {
  try {
    return store.row<[number]>("SELECT v.version FROM schema_version v LIMIT 1")?.[0];
  } catch {
    return undefined;
  }
}

/** The correlated form keeps its plan whatever statistics the file holds; a session nobody wrote down passes. */
function sources(count: number): string {
  if (count === 0) return "";
  const list = new Array(count).fill("?").join(", ");
  return `AND coalesce((SELECT s.source FROM sessions s WHERE s.id = m.session_id), '') NOT IN (${list})`;
}

function sinceSql({ shape }: OpenStore, leftOut: number): string {
  return `SELECT ${shape.messageColumns} FROM messages m
    WHERE m.id > ? AND m.id <= ? AND ${shape.visible} ${sources(leftOut)} ORDER BY m.id LIMIT ?`;
}

function earlierSql({ shape }: OpenStore, leftOut: number): string {
  return `SELECT ${shape.messageColumns} FROM messages m
    WHERE m.id <= ? AND m.id > ? AND ${shape.visible} ${sources(leftOut)} ORDER BY m.id DESC LIMIT ?`;
}
