import { isCompressionNote } from "../engine/proactive/human-message.ts";
import { compactionCopies, type SaidRow } from "./compaction-copies.ts";
import { readContent } from "./read-content.ts";
import type { KnownSession } from "./session-lookup.ts";
import type { OpenStore } from "./state-db-file.ts";

/** Rows of either side that are compared: the copied end is short, the copied beginning shorter. */
const MOST_ROWS = 400;
const FIRST_ROWS = 8;
const MOST_REMEMBERED = 500;

/** Copies at the start of sessions that continue a compressed one, once nothing can be added to them. */
export type SettledCopies = Map<string, { firstRow: number; copies: ReadonlySet<number> }>;

/**
 * Finds the rows which a compression of the conversation copied: at the start of a session that continues another, or in
 * the session itself where newer stores mark the replaced rows `compacted`. Looks at old rows of such sessions only, and
 * at each continued session's start once.
 */
export class CopyFinder {
  readonly #store: OpenStore;
  readonly #settled: SettledCopies;
  readonly #found = new Map<string, ReadonlySet<number>>();

  constructor(store: OpenStore, settled: SettledCopies) {
    this.#store = store;
    this.#settled = settled;
  }

  isCopy(session: KnownSession, rowId: number): boolean {
    let copies = this.#found.get(session.id);
    if (!copies) {
      copies = new Set([...this.#atStart(session), ...this.#within(session)]);
      this.#found.set(session.id, copies);
    }
    return copies.has(rowId);
  }

  #atStart(session: KnownSession): ReadonlySet<number> {
    if (!session.continues && !session.branchOf) return new Set();
    const settled = this.#settled.get(session.id);
    // A session that was rewritten has other rows.
    if (settled && this.#store.row("SELECT 1 FROM messages m WHERE m.id = ?", settled.firstRow)) return settled.copies;
    const after = this.#said(this.#ids(session.id).slice(0, MOST_ROWS));
    const flags = session.continues
      ? compactionCopies(this.#visible(firstAndLast(this.#ids(session.continues))), after)
      : sameBeginning(this.#visible(this.#ids(session.branchOf ?? "").slice(0, MOST_ROWS)), after);
    const copies = new Set(after.filter((_, index) => flags[index]).map(({ id }) => id));
    const firstRow = after[0]?.id;
    if (firstRow !== undefined && flags.at(-1) === false) {
      if (this.#settled.size >= MOST_REMEMBERED) this.#settled.clear();
      this.#settled.set(session.id, { firstRow, copies });
    }
    return copies;
  }

  #within(session: KnownSession): ReadonlySet<number> {
    const copies = new Set<number>();
    if (!this.#store.shape.message.has("compacted")) return copies;
    const replaced = this.#store.row(
      "SELECT 1 FROM messages m WHERE m.session_id = ? AND m.active = 0 AND m.compacted = 1 LIMIT 1",
      session.id,
    );
    if (!replaced) return copies;
    const rows = this.#said(firstAndLast(this.#ids(session.id)));
    const borders = generations(rows);
    borders.forEach((border, index) => {
      const before = rows.slice(0, border).filter(({ visible }) => visible);
      const after = rows.slice(border, borders[index + 1]);
      compactionCopies(before, after).forEach((copy, at) => {
        const id = after[at]?.id;
        if (copy && id !== undefined) copies.add(id);
      });
    });
    return copies;
  }

  #visible(ids: readonly number[]): IdentifiedRow[] {
    return this.#said(ids).filter(({ visible }) => visible);
  }

  /** In the order of writing; sorted here because the index by session is ordered by time. */
  #ids(sessionId: string): number[] {
    const rows = this.#store.rows<[number]>("SELECT m.id FROM messages m WHERE m.session_id = ?", sessionId);
    return rows.map(([id]) => id).sort((a, b) => a - b);
  }

  /** Undone rows too: a copy may have been undone, and the rows after it are still found by it. */
  #said(ids: readonly number[]): IdentifiedRow[] {
    const { visible, summary, active } = this.#store.shape;
    const sql = `SELECT m.role, substr(CAST(m.content AS BLOB), 1, 2000), length(CAST(m.content AS BLOB)), m.timestamp,
      ${summary}, ${active}, ${visible} FROM messages m WHERE m.id = ? AND m.role IN ('user', 'assistant')`;
    return ids.flatMap((id) => {
      const row = this.#store.row<[string, Uint8Array | null, number, number | null, number, number, number]>(sql, id);
      const text = row ? readContent(row[1]).trim() : "";
      if (!row || text === "") return [];
      const isSummary = row[4] === 1 || isCompressionNote(text);
      return [
        {
          id,
          said: `${row[0]} ${row[2]} ${text}`,
          at: row[3],
          summary: isSummary,
          active: row[5] === 1,
          visible: row[6] === 1 || isSummary,
        },
      ];
    });
  }
}

type IdentifiedRow = SaidRow & { id: number; active: boolean; visible: boolean };

/** A branch begins with copies of what was said before it. */
function sameBeginning(before: readonly SaidRow[], after: readonly SaidRow[]): boolean[] {
  const differs = after.findIndex(({ said }, index) => said !== before[index]?.said);
  return after.map((_, index) => differs < 0 || index < differs);
}

function firstAndLast(ids: readonly number[]): readonly number[] {
  return ids.length <= MOST_ROWS ? ids : [...ids.slice(0, FIRST_ROWS), ...ids.slice(FIRST_ROWS - MOST_ROWS)];
}

/** Where each rewriting of the session by a compression begins: before its summary, at the copies of the beginning. */
function generations(rows: readonly IdentifiedRow[]): number[] {
  const borders = new Set<number>();
  rows.forEach(({ summary }, at) => {
    if (!summary) return;
    let head = Math.min(FIRST_ROWS, at);
    while (head > 0 && !repeatsBeginning(rows, at - head, head)) head--;
    if (at - head > 0) borders.add(at - head);
  });
  const firstActive = rows.findIndex(({ active }) => active);
  if (firstActive > 0) borders.add(firstActive);
  return [...borders].sort((a, b) => a - b);
}

function repeatsBeginning(rows: readonly IdentifiedRow[], from: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (rows[from + i]?.said !== rows[i]?.said) return false;
  return true;
}
