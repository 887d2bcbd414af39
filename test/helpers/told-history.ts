import { EngineError } from "../../src/engine/errors.ts";
import type { DaySession } from "../../src/engine/evolution/day-session.ts";
import type { History, HistoryCursor, HistoryMessage, HistorySession } from "../../src/engine/ports.ts";

export interface Told {
  session?: string;
  source?: string;
  title?: string;
  chatType?: "dm" | "group";
  chatId?: string;
  userId?: string;
  role?: string;
  at: Date | string;
  text: string;
  observed?: boolean;
}

/** A History out of what a test tells it: rows in the order told, cursors count them. */
export interface ToldHistory extends History {
  /** Appends a row; returns its id. */
  tell(line: Told): string;
  /** From now on every read is refused, as while Hermes holds its lock; false ends it. */
  lock(locked: boolean): void;
  /** Whole sessions for the nightly look back, told beside the lines. */
  readonly days: DaySession[];
  /** How many times rows were read. */
  readonly reads: number;
}

export function toldHistory(lines: readonly Told[] = []): ToldHistory {
  const rows: HistoryMessage[] = [];
  let locked = false;
  let reads = 0;
  const unlocked = (): void => {
    if (locked) throw new EngineError("unavailable", { what: "history", why: "locked" });
  };
  const positionOf = (cursor: HistoryCursor): number => Number(cursor.row ?? 0);
  const history: ToldHistory = {
    days: [],
    get reads() {
      return reads;
    },
    tell(line) {
      const id = `m${rows.length + 1}`;
      const session: HistorySession = {
        id: line.session ?? "s1",
        lineage: line.session ?? "s1",
        source: line.source ?? "feishu",
        startedAt: new Date(line.at),
        ...(line.title !== undefined && { title: line.title }),
        ...(line.chatType ? { chatType: line.chatType } : { chatType: "dm" as const }),
        ...(line.chatId !== undefined && { chatId: line.chatId }),
        ...(line.userId !== undefined && { userId: line.userId }),
      };
      rows.push({
        id,
        session,
        role: line.role ?? "user",
        text: line.text,
        at: new Date(line.at),
        observed: line.observed ?? false,
      });
      return id;
    },
    lock(to) {
      locked = to;
    },
    async head() {
      unlocked();
      return { row: rows.length };
    },
    async cursorBefore(at) {
      unlocked();
      const first = rows.findIndex((row) => row.at >= at);
      return { row: first < 0 ? rows.length : first };
    },
    async mayHaveNew(cursor) {
      unlocked();
      return positionOf(cursor) < rows.length;
    },
    async readSince(cursor, limit) {
      unlocked();
      reads++;
      const from = positionOf(cursor);
      const messages = rows.slice(from, from + limit);
      return { messages, cursor: { row: from + messages.length }, more: from + messages.length < rows.length };
    },
    async readEarlier(cursor, limits) {
      unlocked();
      let chars = 0;
      const earlier: HistoryMessage[] = [];
      for (const row of rows.slice(0, positionOf(cursor)).reverse()) {
        const weight = limits.weigh ? limits.weigh(row) : row.text.length;
        if (weight === 0 || row.at < limits.since) continue;
        chars += weight;
        if (chars > limits.maxChars || earlier.length >= limits.maxRows) break;
        earlier.push(row);
      }
      return earlier.reverse();
    },
    async whereabouts(ids) {
      return new Map(ids.map((id) => [id, rows.some((row) => row.id === id) ? "visible" : "gone"] as const));
    },
    async session(id) {
      unlocked();
      return rows.find((row) => row.session.id === id)?.session;
    },
    async *sessionsBegun(from, to) {
      unlocked();
      for (const day of history.days) {
        if (day.session.startedAt >= from && day.session.startedAt < to) yield day;
      }
    },
    async directChats(source) {
      unlocked();
      return rows.map((row) => row.session).filter((each) => each.source === source && each.chatType === "dm");
    },
    async describe() {
      return { kind: "none" };
    },
  };
  for (const line of lines) history.tell(line);
  return history;
}
