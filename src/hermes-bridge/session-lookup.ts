import { readOwnSessionId } from "../engine/own-session.ts";
import type { HistorySession } from "../engine/ports.ts";
import { chatTypeOf, type SessionChat } from "./sessions-json.ts";
import type { SessionRow } from "./state-db-columns.ts";
import type { OpenStore } from "./state-db-file.ts";

/** A session and what reading its rows needs to know about it. */
export interface KnownSession extends HistorySession {
  /** The session whose compression this one continues. */
  continues?: string;
  /** The session this one was branched off, beginning with copies of its messages. */
  branchOf?: string;
  /** How often its people took something back: its inactive rows are undone, not replaced. */
  rewinds: number;
}

/** Longest chain of compressions that is followed, as Hermes itself does. */
const MOST_HOPS = 100;

/**
 * Looks sessions up by their key, each once, during one read. A row whose session is missing gets one made of its id.
 */
export class SessionLookup {
  readonly #store: OpenStore;
  readonly #chats: ReadonlyMap<string, SessionChat>;
  readonly #rows = new Map<string, SessionRow | undefined>();
  readonly #known = new Map<string, KnownSession>();

  constructor(store: OpenStore, chats: ReadonlyMap<string, SessionChat>) {
    this.#store = store;
    this.#chats = chats;
  }

  session(id: string): KnownSession {
    let known = this.#known.get(id);
    if (!known) {
      known = this.#build(id);
      this.#known.set(id, known);
    }
    return known;
  }

  #row(id: string): SessionRow | undefined {
    if (!this.#rows.has(id)) {
      const { sessionColumns } = this.#store.shape;
      this.#rows.set(id, this.#store.row<SessionRow>(`SELECT ${sessionColumns} FROM sessions s WHERE s.id = ?`, id));
    }
    return this.#rows.get(id);
  }

  /** The session that ended by the compression which `row` continues. Branches and subagents have a parent of another kind. */
  #compressedParent(row: SessionRow): SessionRow | undefined {
    const [, source, , parentId, , , , , modelConfig] = row;
    if (!parentId || source === "subagent" || /"_(branched|delegate|reset)_from"/.test(modelConfig ?? ""))
      return undefined;
    const parent = this.#row(parentId);
    return parent?.[6] === "compression" ? parent : undefined;
  }

  #build(id: string): KnownSession {
    const row = this.#row(id);
    if (!row) return { id, lineage: id, source: "unknown", startedAt: new Date(0), rewinds: 0, ...this.#chats.get(id) };
    const [, source, userId, , startedAt, endedAt, endReason, title, , rewinds, chatId, chatType, profile] = row;
    const parent = this.#compressedParent(row);
    let first = row;
    for (let next = parent, hops = 0; next && hops < MOST_HOPS; next = this.#compressedParent(next), hops++)
      first = next;
    const kind = chatTypeOf(chatType);
    return {
      id,
      lineage: first[0],
      source: source ?? "unknown",
      startedAt: secondsToDate(startedAt) ?? new Date(0),
      rewinds: rewinds ?? 0,
      ...(title && { title }),
      ...(userId && { userId }),
      ...(endReason && { endReason }),
      ...(endedAt !== null && { endedAt: secondsToDate(endedAt) ?? new Date(0) }),
      ...(profile && { profile }),
      ...(parent && { continues: parent[0] }),
      ...(!parent && row[3] && /"_branched_from"/.test(row[8] ?? "") && { branchOf: row[3] }),
      ...ownPlace(first[0], source ?? ""),
      ...this.#chat(id, endReason),
      ...(chatId && { chatId }),
      ...(kind && { chatType: kind }),
    };
  }

  /** The gateway's file names only the newest session of a chat: an older one of a chain has its descendant's chat. */
  #chat(id: string, endReason: string | null): SessionChat | undefined {
    let at: string | undefined = id;
    let ended = endReason;
    for (let hops = 0; at && hops < MOST_HOPS; hops++) {
      const chat = this.#chats.get(at);
      if (chat || ended !== "compression" || this.#chats.size === 0) return chat;
      // Sorted here, and with a hint: statistics that say most sessions have no parent make SQLite walk them all.
      const child: [string, string | null, number] | undefined = this.#store
        .rows<[string, string | null, number]>(
          "SELECT s.id, s.end_reason, s.rowid FROM sessions s WHERE likelihood(s.parent_session_id = ?, 0.00001)",
          at,
        )
        .sort((a, b) => b[2] - a[2])[0];
      at = child?.[0];
      ended = child?.[1] ?? null;
    }
    return undefined;
  }
}

/** Whose chat a session is that Herald began over the API server, where Hermes notes neither person nor chat. */
export function ownPlace(
  lineage: string,
  source: string,
): Pick<HistorySession, "userId" | "chatId" | "chatType"> | undefined {
  const own = source === "api_server" ? readOwnSessionId(lineage) : undefined;
  if (own === undefined || own.type === "own") return undefined;
  return {
    chatType: own.type,
    ...(own.chatId && { chatId: own.chatId }),
    ...(own.openId && { userId: own.openId }),
  };
}

/** Seconds since 1970 as Hermes writes them; undefined for what is no time at all. Millisecond precision. */
export function secondsToDate(seconds: number | null): Date | undefined {
  if (typeof seconds !== "number" || !Number.isFinite(seconds) || Math.abs(seconds) > 8.64e12) return undefined;
  return new Date(Math.round(seconds * 1000));
}
