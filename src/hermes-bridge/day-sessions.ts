import type { DayRow, DaySession } from "../engine/evolution/day-session.ts";
import { CopyFinder, type SettledCopies } from "./copy-finder.ts";
import { readContent, readIdentifiedCalls } from "./read-content.ts";
import { type KnownSession, SessionLookup, secondsToDate } from "./session-lookup.ts";
import type { SessionChat } from "./sessions-json.ts";
import type { OpenStore, StateDbFile } from "./state-db-file.ts";

/** Sessions looked up by one statement. */
const SESSIONS_AT_ONCE = 500;
/** Rows of one session read by one statement; a longer session is read in pieces of half of it. */
const ROWS_AT_ONCE = 400;
/** Of a content, in bytes. Enough to tell what a tool answered; reads of larger files are told apart by their length too. */
const MAX_BYTES = 65_536;
/** Longest chain of compressions that is followed, as Hermes itself does. */
const MOST_PARTS = 100;

type ListedSession = [
  id: string,
  startedAt: number,
  endReason: string | null,
  model: string | null,
  apiCalls: number | null,
  inputTokens: number | null,
  outputTokens: number | null,
];

type StoredRow = [
  id: number,
  role: string | null,
  content: Uint8Array | string | null,
  length: number | null,
  timestamp: number | null,
  toolName: string | null,
  toolCallId: string | null,
  toolCalls: string | null,
  finishReason: string | null,
  observed: number | null,
];

export interface DayReading {
  file: StateDbFile;
  chats: ReadonlyMap<string, SessionChat>;
  settledCopies: SettledCopies;
  isOurs: (session: KnownSession) => boolean;
  leaveOutSources: readonly string[];
}

/**
 * The sessions that began within [from, to), each with all of its visible rows. Every statement is its own short read, so
 * a tap never waits for more than one of them; memory holds one session and the names of five hundred.
 */
export async function* daySessions(reading: DayReading, from: Date, to: Date): AsyncGenerator<DaySession, void> {
  const until = to.getTime() / 1000;
  let at = from.getTime() / 1000;
  let seenAt = 0;
  for (;;) {
    const page = await reading.file.read((store) =>
      store.rows<ListedSession>(
        `SELECT ${listColumns(store)} FROM sessions s WHERE s.started_at >= ? AND s.started_at < ?
         ${withoutSources(reading.leaveOutSources.length)}
         ORDER BY s.started_at, s.rowid LIMIT ${SESSIONS_AT_ONCE} OFFSET ?`,
        at,
        until,
        ...reading.leaveOutSources,
        seenAt,
      ),
    );
    if (!page) return;
    for (const listed of page) {
      const whole = await readSession(reading, listed);
      if (whole) yield whole;
    }
    const last = page.at(-1);
    if (page.length < SESSIONS_AT_ONCE || last === undefined) return;
    const same = page.filter(([, startedAt]) => startedAt === last[1]).length;
    seenAt = last[1] === at ? seenAt + same : same;
    at = last[1];
  }
}

/** A session with its chain, and its rows when they are few: what one short read can tell. */
interface Opening {
  parts: ListedSession[];
  known: KnownSession[];
  /** of the first part; undefined when they have to be read in pieces */
  rows: DayRow[] | undefined;
}

/** Undefined for what is no session of its own here: of another profile, or the continuation of another one. */
async function readSession(reading: DayReading, listed: ListedSession): Promise<DaySession | undefined> {
  const opening = await reading.file.read((store) => openSession(reading, store, listed));
  const first = opening?.known[0];
  if (!opening || !first) return undefined;
  const { parts, known } = opening;
  const rows: DayRow[] = opening.rows ?? [];
  for (const part of opening.rows ? known.slice(1) : known) {
    for await (const piece of rowsOf(reading, part)) rows.push(...piece);
  }
  const apiCalls = parts.map(([, , , , calls]) => calls);
  const model = parts.findLast(([, , , name]) => name !== null)?.[3];
  return {
    session: first,
    parts: parts.map(([part]) => part),
    ...(model && { model }),
    ...(apiCalls.some((calls) => calls !== null) && { apiCalls: sum(apiCalls) }),
    inputTokens: sum(parts.map((part) => part[5])),
    outputTokens: sum(parts.map((part) => part[6])),
    rewinds: sum(known.map((part) => part.rewinds)),
    rows,
  };
}

function openSession(reading: DayReading, store: OpenStore, listed: ListedSession): Opening | undefined {
  const { chats, isOurs } = reading;
  const lookup = new SessionLookup(store, chats);
  const first = lookup.session(listed[0]);
  if (!isOurs(first) || first.continues !== undefined) return undefined;
  const parts = [listed];
  for (let last = listed; last[2] === "compression" && parts.length < MOST_PARTS; ) {
    const next = continuationOf(store, lookup, last[0]);
    if (!next) break;
    parts.push(next);
    last = next;
  }
  return { parts, known: parts.map(([part]) => lookup.session(part)), rows: fewRows(reading, store, first) };
}

/** The session that goes on where a compression ended this one; the newest when there are several. */
function continuationOf(store: OpenStore, lookup: SessionLookup, id: string): ListedSession | undefined {
  const children = store.rows<ListedSession>(
    `SELECT ${listColumns(store)} FROM sessions s WHERE likelihood(s.parent_session_id = ?, 0.00001)`,
    id,
  );
  return children.filter(([child]) => lookup.session(child).continues === id).sort((a, b) => b[1] - a[1])[0];
}

async function* rowsOf(reading: DayReading, session: KnownSession): AsyncGenerator<DayRow[], void> {
  const short = await reading.file.read((store) => fewRows(reading, store, session));
  if (short) {
    yield short;
    return;
  }
  const ids = await reading.file.read((store) =>
    store
      .rows<[number]>("SELECT m.id FROM messages m WHERE m.session_id = ?", session.id)
      .map(([id]) => id)
      .sort((a, b) => a - b),
  );
  for (let start = 0; ids && start < ids.length; start += ROWS_AT_ONCE / 2) {
    const some = ids.slice(start, start + ROWS_AT_ONCE / 2);
    const piece = await reading.file.read((store) => {
      const sql = `SELECT ${rowColumns(store)} FROM messages m WHERE m.id = ? AND ${store.shape.visible}`;
      const rows = some.map((id) => store.row<StoredRow>(sql, id)).filter((row) => row !== undefined);
      return told(reading, store, session, rows);
    });
    if (piece) yield piece;
  }
}

/** All rows of a session that has few; undefined for one that has more. */
function fewRows(reading: DayReading, store: OpenStore, session: KnownSession): DayRow[] | undefined {
  const rows = store.rows<StoredRow>(
    `SELECT ${rowColumns(store)} FROM messages m WHERE m.session_id = ? AND ${store.shape.visible} LIMIT ${ROWS_AT_ONCE}`,
    session.id,
  );
  return rows.length < ROWS_AT_ONCE ? told(reading, store, session, rows) : undefined;
}

function told(reading: DayReading, store: OpenStore, session: KnownSession, rows: readonly StoredRow[]): DayRow[] {
  const mayHoldCopies = Boolean(session.continues ?? session.branchOf) || store.shape.message.has("compacted");
  const copies = mayHoldCopies ? new CopyFinder(store, reading.settledCopies) : undefined;
  const found: DayRow[] = [];
  for (const row of [...rows].sort((a, b) => a[0] - b[0])) {
    const [id, role, content, length, timestamp, toolName, toolCallId, toolCalls, finishReason, observed] = row;
    if (copies?.isCopy(session, id)) continue;
    const calls = readIdentifiedCalls(toolCalls);
    found.push({
      id: String(id),
      role: role ?? "unknown",
      text: readContent(content),
      wholeLength: length ?? 0,
      at: secondsToDate(timestamp) ?? new Date(0),
      observed: observed === 1,
      ...(toolName && { toolName }),
      ...(toolCallId && { toolCallId }),
      ...(calls && { toolCalls: calls }),
      ...(finishReason && { finishReason }),
    });
  }
  return found;
}

function sum(numbers: readonly (number | null)[]): number {
  return numbers.reduce<number>((total, each) => total + (each ?? 0), 0);
}

function listColumns({ shape }: OpenStore): string {
  const or = (name: string): string => (shape.session.has(name) ? `s.${name}` : "NULL");
  const names = ["end_reason", "model", "api_call_count", "input_tokens", "output_tokens"];
  return ["s.id", "s.started_at", ...names.map(or)].join(", ");
}

function rowColumns({ shape }: OpenStore): string {
  const or = (name: string): string => (shape.message.has(name) ? `m.${name}` : "NULL");
  return [
    "m.id",
    "m.role",
    // As many characters as bytes: plain ASCII without a NUL, which the driver may hand over as a string. Twice as fast.
    `CASE WHEN typeof(m.content) = 'text' AND length(m.content) = length(CAST(m.content AS BLOB))
      AND length(m.content) <= ${MAX_BYTES} THEN m.content ELSE substr(CAST(m.content AS BLOB), 1, ${MAX_BYTES}) END`,
    "length(CAST(m.content AS BLOB))",
    "m.timestamp",
    ...["tool_name", "tool_call_id", "tool_calls", "finish_reason", "observed"].map(or),
  ].join(", ");
}

function withoutSources(count: number): string {
  if (count === 0) return "";
  return `AND coalesce(s.source, '') NOT IN (${new Array(count).fill("?").join(", ")})`;
}
