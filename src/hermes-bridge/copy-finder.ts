import { isCompressionNote } from "../engine/proactive/human-message.ts";
import { compactionCopies, copiedRows, MOST_HEAD_ROWS } from "./compaction-copies.ts";
import { readContent } from "./read-content.ts";
import { contextOf, rewritingsWithin, type StandingRow } from "./rewritings-within.ts";
import { type KnownSession, SessionLookup } from "./session-lookup.ts";
import type { OpenStore } from "./state-db-file.ts";

/** Rows of either side that are compared: the copied end is short, the copied beginning shorter. */
const MOST_ROWS = 400;
const MOST_REMEMBERED = 500;

interface StartCopies {
  copies: ReadonlySet<number>;
  /** Rows up to this id came along when the session began. */
  lastRow: number;
}

/** Copies at the start of sessions that continue a compressed one, once nothing can be added to them. */
export type SettledCopies = Map<string, StartCopies & { firstRow: number }>;

/**
 * Finds the rows which a compression of the conversation copied: at the start of a session that continues another, or in
 * the session itself where newer stores mark the replaced rows `compacted`. Looks at old rows of such sessions only, and
 * at each continued session's start once.
 */
export class CopyFinder {
  readonly #store: OpenStore;
  /** Chains only: whose chat it is plays no part here. */
  readonly #lookup: SessionLookup;
  readonly #settled: SettledCopies;
  readonly #found = new Map<string, ReadonlySet<number>>();

  constructor(store: OpenStore, settled: SettledCopies) {
    this.#store = store;
    this.#lookup = new SessionLookup(store, new Map());
    this.#settled = settled;
  }

  isCopy(session: KnownSession, rowId: number): boolean {
    let copies = this.#found.get(session.id);
    if (!copies) {
      copies = new Set([...this.#atStart(session).copies, ...this.#within(session)]);
      this.#found.set(session.id, copies);
    }
    return copies.has(rowId);
  }

  #atStart(session: KnownSession): StartCopies {
    if (!session.continues && !session.branchOf) return { copies: new Set(), lastRow: 0 };
    const settled = this.#settled.get(session.id);
    // A session that was rewritten has other rows.
    if (settled && this.#store.row("SELECT 1 FROM messages m WHERE m.id = ?", settled.firstRow)) return settled;
    const after = this.#said(this.#ids(session.id).slice(0, MOST_ROWS));
    const { flags, length } = session.continues
      ? this.#continued(session.continues, after)
      : sameBeginning(contextOf(this.#said(this.#ids(session.branchOf ?? "").slice(0, MOST_ROWS)), 0), after);
    const copies = new Set(after.filter((_, index) => flags[index]).map(({ id }) => id));
    const start = { copies, lastRow: after[length - 1]?.id ?? 0 };
    const firstRow = after[0]?.id;
    if (firstRow !== undefined && flags.at(-1) === false) {
      if (this.#settled.size >= MOST_REMEMBERED) this.#settled.clear();
      this.#settled.set(session.id, { ...start, firstRow });
    }
    return start;
  }

  #continued(parentId: string, after: readonly IdentifiedRow[]): { flags: boolean[]; length: number } {
    const { rows, rewritings } = this.#rewritings(this.#lookup.session(parentId));
    const context = contextOf(rows, rewritings.at(-1)?.border ?? 0);
    return { flags: compactionCopies(context, after), length: copiedRows(context, after) };
  }

  #within(session: KnownSession): ReadonlySet<number> {
    const copies = new Set<number>();
    if (!this.#wasRewritten(session)) return copies;
    const { rows, rewritings } = this.#rewritings(session);
    rewritings.forEach(({ contextFrom, border }, index) => {
      const after = rows.slice(border, rewritings[index + 1]?.border);
      compactionCopies(contextOf(rows, contextFrom, border), after).forEach((copy, at) => {
        const id = after[at]?.id;
        if (copy && id !== undefined) copies.add(id);
      });
    });
    return copies;
  }

  #rewritings(session: KnownSession): { rows: IdentifiedRow[]; rewritings: ReturnType<typeof rewritingsWithin> } {
    const rows = this.#said(firstAndLast(this.#ids(session.id)));
    if (!this.#wasRewritten(session)) return { rows, rewritings: [] };
    const { lastRow } = this.#atStart(session);
    const later = rows.findIndex(({ id }) => id > lastRow);
    return { rows, rewritings: rewritingsWithin(rows, later < 0 ? rows.length : later) };
  }

  #wasRewritten({ id }: KnownSession): boolean {
    if (!this.#store.shape.message.has("compacted")) return false;
    const sql = "SELECT 1 FROM messages m WHERE m.session_id = ? AND m.active = 0 AND m.compacted = 1 LIMIT 1";
    return this.#store.row(sql, id) !== undefined;
  }

  /** In the order of writing; sorted here because the index by session is ordered by time. */
  #ids(sessionId: string): number[] {
    const rows = this.#store.rows<[number]>("SELECT m.id FROM messages m WHERE m.session_id = ?", sessionId);
    return rows.map(([id]) => id).sort((a, b) => a - b);
  }

  /** Undone rows too: a copy may have been undone, and the rows after it are still found by it. */
  #said(ids: readonly number[]): IdentifiedRow[] {
    const { summary, active, replaced } = this.#store.shape;
    const sql = `SELECT m.role, substr(CAST(m.content AS BLOB), 1, 2000), length(CAST(m.content AS BLOB)), m.timestamp,
      ${summary}, ${active}, ${replaced} FROM messages m WHERE m.id = ? AND m.role IN ('user', 'assistant')`;
    return ids.flatMap((id) => {
      const row = this.#store.row<[string, Uint8Array | null, number, number | null, number, number, number]>(sql, id);
      const text = row ? readContent(row[1]).trim() : "";
      if (!row || text === "") return [];
      return [
        {
          id,
          said: `${row[0]} ${row[2]} ${text}`,
          at: row[3],
          summary: row[4] === 1 || isCompressionNote(text),
          active: row[5] === 1,
          replaced: row[6] === 1,
        },
      ];
    });
  }
}

type IdentifiedRow = StandingRow & { id: number };

/** A branch begins with copies of what was said before it. */
function sameBeginning(
  before: readonly IdentifiedRow[],
  after: readonly IdentifiedRow[],
): { flags: boolean[]; length: number } {
  const differs = after.findIndex(({ said }, index) => said !== before[index]?.said);
  const length = differs < 0 ? after.length : differs;
  return { flags: after.map((_, index) => index < length), length };
}

function firstAndLast(ids: readonly number[]): readonly number[] {
  return ids.length <= MOST_ROWS ? ids : [...ids.slice(0, MOST_HEAD_ROWS), ...ids.slice(MOST_HEAD_ROWS - MOST_ROWS)];
}
