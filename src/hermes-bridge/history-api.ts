import { createHash } from "node:crypto";
import { EngineError } from "../engine/errors.ts";
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
import { apiDaySessions } from "./api-day-sessions.ts";
import { lookAtApi } from "./api-features.ts";
import { readSession } from "./api-sessions.ts";
import { ApiSnapshots, type Snapshot, type SnapshotRow } from "./api-snapshot.ts";
import { ApiAway, type HermesApi } from "./hermes-api.ts";
import { readToolCalls } from "./read-content.ts";
import { secondsToDate } from "./session-lookup.ts";

const DAY_MS = 24 * 3_600_000;
/** A row written later than this after its time is history, not news; so long a session stays worth a look. */
const LATE_MS = 8 * DAY_MS;
/** A server that was found well is believed this long. */
const BELIEVED_MS = 60_000;

/** Cursor of this reader. `id`: every row up to it was read, at the instant `at`. */
interface Position {
  id: number;
  at: number;
  anchor: string | null;
}

export interface HistoryApiOptions {
  api: HermesApi;
  clock: Clock;
  log?: Log;
}

/**
 * The History port over Hermes' API server, for a Hermes that lives elsewhere. The server shows the visible rows of each
 * conversation's newest session and nothing else; what follows from that stands in docs/hermes-api.md.
 */
export class HistoryApi implements History {
  readonly #options: HistoryApiOptions;
  readonly #snapshots: ApiSnapshots;
  #wellSinceMs = Number.NEGATIVE_INFINITY;
  #last: Snapshot | undefined;

  constructor(options: HistoryApiOptions) {
    this.#options = options;
    this.#snapshots = new ApiSnapshots(options.api);
  }

  async head(): Promise<HistoryCursor> {
    const now = this.#now();
    const snapshot = await this.#take(now);
    return this.#cursor(snapshot, snapshot.head);
  }

  async cursorBefore(at: Date): Promise<HistoryCursor> {
    const snapshot = await this.#take(at.getTime());
    const first = snapshot.rows.find(({ row }) => (row.at ?? 0) * 1000 >= at.getTime());
    return this.#cursor(snapshot, first ? first.number - 1 : snapshot.head);
  }

  async mayHaveNew(cursor: HistoryCursor): Promise<boolean> {
    const from = readCursor(cursor);
    const snapshot = await this.#take(from.at);
    return snapshot.head > from.id || this.#replaced(snapshot, from);
  }

  async readSince(
    cursor: HistoryCursor,
    limit: number,
    { leaveOutSources = [] }: { leaveOutSources?: readonly string[] } = {},
  ): Promise<HistoryPage> {
    const from = readCursor(cursor);
    const snapshot = await this.#take(from.at);
    const start = this.#replaced(snapshot, from) ? this.#dayBefore(snapshot, from) : from.id;
    const behind = snapshot.rows.filter(({ number }) => number > start);
    const rows: SnapshotRow[] = [];
    let end = snapshot.head;
    let more = false;
    for (const each of behind) {
      if (rows.length >= limit) {
        more = true;
        break;
      }
      end = each.number;
      if (!each.copy && !leaveOutSources.includes(each.session.source)) rows.push(each);
    }
    if (behind.length === 0 && start === from.id) return { messages: [], cursor, more: false };
    return { messages: rows.map(asMessage), cursor: this.#cursor(snapshot, more ? end : snapshot.head), more };
  }

  async readEarlier(
    cursor: HistoryCursor,
    limits: Parameters<History["readEarlier"]>[1],
  ): Promise<readonly HistoryMessage[]> {
    const { since, maxChars, maxRows, leaveOutSources = [], weigh = ({ text }) => text.length } = limits;
    const from = readCursor(cursor);
    const snapshot = await this.#take(since.getTime());
    const start = this.#replaced(snapshot, from) ? this.#dayBefore(snapshot, from) : from.id;
    const found: HistoryMessage[] = [];
    let chars = 0;
    for (const each of snapshot.rows.toReversed()) {
      if (each.number > start || each.copy || leaveOutSources.includes(each.session.source)) continue;
      const message = asMessage(each);
      if (message.at < since) continue;
      const weight = weigh(message);
      if (weight <= 0) continue;
      chars += weight;
      if (chars > maxChars || found.length >= maxRows) break;
      found.push(message);
    }
    return found.reverse();
  }

  /** Rows this server does not show are gone: it does not tell undone, compressed and deleted ones apart. */
  async whereabouts(messageIds: readonly string[]): Promise<ReadonlyMap<string, "visible" | "undone" | "gone">> {
    const { rows } = this.#last ?? (await this.#take(this.#now()));
    const visible = new Set(rows.map(({ row }) => row.id));
    return new Map(messageIds.map((id) => [id, visible.has(id) ? "visible" : "gone"] as const));
  }

  session(id: string): Promise<HistorySession | undefined> {
    return this.#asked(() => readSession(this.#options.api, id));
  }

  async *sessionsBegun(
    from: Date,
    to: Date,
    { leaveOutSources = [] }: { leaveOutSources?: readonly string[] } = {},
  ): AsyncGenerator<DaySession, void> {
    const sessions = apiDaySessions(this.#options.api, from, to, leaveOutSources);
    for (;;) {
      const next = await this.#asked(() => sessions.next());
      if (next.done) return;
      yield next.value;
    }
  }

  async directChats(source: string): Promise<readonly Pick<HistorySession, "userId" | "chatId">[]> {
    const { sessions } = this.#last ?? (await this.#take(this.#now()));
    const pairs = new Map<string, Pick<HistorySession, "userId" | "chatId">>();
    for (const { session } of sessions) {
      const { userId, chatId, chatType } = session;
      if (session.source !== source || chatType !== "dm") continue;
      pairs.set(`${userId} ${chatId}`, { ...(userId && { userId }), ...(chatId && { chatId }) });
    }
    return [...pairs.values()];
  }

  async describe(): Promise<Awaited<ReturnType<History["describe"]>>> {
    const sessions = this.#last?.sessions.length;
    return { kind: "api", path: this.#options.api.url, ...(sessions !== undefined && { sessions }) };
  }

  #now(): number {
    return this.#options.clock.now().getTime();
  }

  async #take(since: number): Promise<Snapshot> {
    this.#last = await this.#asked(() => this.#snapshots.take(since - LATE_MS));
    return this.#last;
  }

  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    const { api } = this.#options;
    if (performance.now() - this.#wellSinceMs > BELIEVED_MS) {
      const state = await lookAtApi(api);
      if (!state.ok) throw new EngineError("unavailable", { what: "history", why: state.why });
      this.#wellSinceMs = performance.now();
    }
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiAway)) throw error;
      this.#wellSinceMs = Number.NEGATIVE_INFINITY;
      const why =
        error.message === "unsteady" ? "locked" : error.message === "http_401" ? "key_refused" : "unreachable";
      throw new EngineError("unavailable", { what: "history", why }, { cause: error });
    }
  }

  #cursor({ rows }: Snapshot, id: number): HistoryCursor {
    return { api: "1", id, at: this.#now(), anchor: anchorOf(rows, id) };
  }

  /**
   * Another store stands there now: the row the cursor stands on is another one; or the newest rows are numbered lower and
   * were written later.
   */
  #replaced({ rows, head }: Snapshot, { id, at, anchor }: Position): boolean {
    const now = anchorOf(rows, id);
    const other = anchor !== null && now !== null && now !== anchor;
    const later = head < id && rows.some(({ row }) => (row.at ?? 0) * 1000 > at + 60_000);
    if (other || later) this.#options.log?.warn("history.replaced", { kind: "api" });
    return other || later;
  }

  #dayBefore({ rows, head }: Snapshot, { at }: Position): number {
    const first = rows.find(({ row }) => (row.at ?? 0) * 1000 >= Math.min(at, this.#now()) - DAY_MS);
    return first ? first.number - 1 : head;
  }
}

function anchorOf(rows: readonly SnapshotRow[], id: number): string | null {
  const found = rows.findLast(({ number }) => number <= id);
  if (found?.number !== id) return null;
  const { row } = found;
  return createHash("sha256")
    .update(JSON.stringify([row.role, row.text, row.at]))
    .digest("base64url")
    .slice(0, 16);
}

/** A cursor of another kind of history stands before everything; its rows are known by their words and times. */
function readCursor({ api, id, at, anchor }: HistoryCursor): Position {
  const time = typeof at === "number" ? at : 0;
  if (api !== "1" || typeof id !== "number") return { id: 0, at: time, anchor: null };
  return { id, at: time, anchor: typeof anchor === "string" ? anchor : null };
}

function asMessage({ row, session }: SnapshotRow): HistoryMessage {
  const calls = row.toolCalls === undefined ? undefined : readToolCalls(JSON.stringify(row.toolCalls));
  return {
    id: row.id,
    session,
    role: row.role,
    text: row.text,
    at: secondsToDate(row.at ?? null) ?? new Date(0),
    observed: row.observed,
    ...(row.at !== undefined && { exactAt: row.at }),
    ...(row.toolName && { toolName: row.toolName }),
    ...(calls && { toolCalls: calls }),
  };
}
