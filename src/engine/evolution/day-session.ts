import type { HistorySession } from "../ports.ts";

/** A row of a session as the nightly look back reads it. */
export interface DayRow {
  id: string;
  /** user | assistant | tool | system; unknown values pass through */
  role: string;
  /** plain text; results of tools up to 64 KB, then cut (see `wholeLength`) */
  text: string;
  /** Bytes of the content in the store: what was cut has more than `text`. */
  wholeLength: number;
  /** As written in the row. Hermes 0.16 writes all rows of a turn at its end: a call's own time cannot be told by it. */
  at: Date;
  toolName?: string;
  /** of a result: the call it answers */
  toolCallId?: string;
  /** of an assistant's row; `id` is missing in old stores */
  toolCalls?: readonly { id?: string; name: string; arguments: string }[];
  finishReason?: string;
  observed: boolean;
}

/** One session with all that is visible of it: a chain of compressions is one, under its first id. */
export interface DaySession {
  session: HistorySession;
  /** ids of the chain, the first one first */
  parts: readonly string[];
  model?: string;
  /** model calls of the whole chain as Hermes counted them; undefined when its store has no such column */
  apiCalls?: number;
  inputTokens: number;
  outputTokens: number;
  /** how often its people took something back */
  rewinds: number;
  /** in the order of writing, without copies made by compressions */
  rows: readonly DayRow[];
}
