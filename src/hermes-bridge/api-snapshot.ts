import type { HistorySession } from "../engine/ports.ts";
import { isCompressionNote } from "../engine/proactive/human-message.ts";
import { type ListedSession, listSessions } from "./api-sessions.ts";
import { type ApiRow, readTranscript } from "./api-transcript.ts";
import { ApiAway, type HermesApi } from "./hermes-api.ts";

/** A row with its number in Hermes' store, which rises over all sessions in the order of writing. */
export interface SnapshotRow {
  number: number;
  row: ApiRow;
  session: HistorySession;
  /** written by a compression or copied by a branch: nobody said it there */
  copy: boolean;
}

export interface Snapshot {
  sessions: readonly ListedSession[];
  /** of the sessions that were read, by number */
  rows: readonly SnapshotRow[];
  head: number;
}

interface Kept {
  stamp: string;
  /** undefined: too old to have been read */
  rows: readonly SnapshotRow[] | undefined;
}

/** The list is read until it stands still; a Hermes that writes faster than this is read later. */
const MOST_LOOKS = 5;

/**
 * Reads the visible rows of every session that may have news, so that together they are one moment: row numbers rise over
 * all sessions, and a row that was written into one session while another was being read would be passed over. So the list
 * is read again afterwards, until no session has changed meanwhile.
 */
export class ApiSnapshots {
  readonly #api: HermesApi;
  readonly #kept = new Map<string, Kept>();

  constructor(api: HermesApi) {
    this.#api = api;
  }

  /**
   * @param since ms; sessions that were not active since then are read only when they changed while this process looked on
   * @throws ApiAway
   */
  async take(since: number): Promise<Snapshot> {
    let sessions = await listSessions(this.#api);
    for (let look = 0; look < MOST_LOOKS; look++) {
      for (const listed of sessions) await this.#read(listed, since);
      const again = await listSessions(this.#api);
      const stands = again.every(({ session, stamp }) => this.#kept.get(session.id)?.stamp === stamp);
      sessions = again;
      if (!stands) continue;
      const listed = new Set(again.map(({ session }) => session.id));
      for (const id of this.#kept.keys()) if (!listed.has(id)) this.#kept.delete(id);
      const rows = [...this.#kept.values()].flatMap((kept) => kept.rows ?? []).sort((a, b) => a.number - b.number);
      return { sessions: again, rows, head: rows.at(-1)?.number ?? 0 };
    }
    throw new ApiAway("unsteady", false);
  }

  async #read(listed: ListedSession, since: number): Promise<void> {
    const { session, stamp, lastActive } = listed;
    const kept = this.#kept.get(session.id);
    const isRecent = lastActive === undefined || lastActive >= since;
    if (kept && kept.stamp === stamp && (kept.rows !== undefined || !isRecent)) return;
    if (!kept && !isRecent) {
      this.#kept.set(session.id, { stamp, rows: undefined });
      return;
    }
    const transcript = await readTranscript(this.#api, session.id);
    const copies = await this.#branchCopies(listed, transcript?.rows ?? []);
    const rows = (transcript?.rows ?? []).flatMap((row, index): SnapshotRow[] => {
      const number = Number(row.id);
      if (!Number.isSafeInteger(number)) return [];
      return [{ number, row, session, copy: index < copies || isCompressionNote(row.text) }];
    });
    this.#kept.set(session.id, { stamp, rows });
  }

  /** A branch begins with copies of what was said before it; how many of its rows those are. */
  async #branchCopies({ parentId }: ListedSession, rows: readonly ApiRow[]): Promise<number> {
    if (parentId === undefined || rows.length === 0) return 0;
    const parent = (await readTranscript(this.#api, parentId))?.rows ?? [];
    const differs = rows.findIndex((row, index) => {
      const before = parent[index];
      return before === undefined || row.role !== before.role || row.text !== before.text;
    });
    return differs < 0 ? rows.length : differs;
  }
}
