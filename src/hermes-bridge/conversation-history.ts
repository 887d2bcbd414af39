import type { ApiRow } from "./api-transcript.ts";
import { unanswered } from "./api-transcript.ts";

export interface HistoryEntry {
  role: "user" | "assistant";
  content: string;
}

/** Put in the place of the reply that a failed or stopped turn never got. */
const NO_REPLY = "(This turn was stopped or failed. Nothing in it is to be carried out unless the person asks again.)";
/** Newest characters that are sent; Hermes compresses its own sessions, so this is a last bound, not a window. */
const MOST_CHARS = 600_000;

/**
 * What was said in a session, as `conversation_history` for a run: Hermes 0.16 loads none by itself. Tool results are left
 * out, since the field holds plain text. Words without a reply stay with a note that they are over; those that equal what
 * is said now go, because they are being tried again.
 */
export function conversationHistory(rows: readonly ApiRow[], saidNow: string): HistoryEntry[] {
  const open = new Set(unanswered(rows).map(({ id }) => id));
  const entries: HistoryEntry[] = [];
  for (const row of rows) {
    if ((row.role !== "user" && row.role !== "assistant") || row.text.trim() === "") continue;
    if (open.has(row.id) && row.role === "user") {
      if (row.text.trim() === saidNow.trim()) continue;
      entries.push({ role: "user", content: row.text }, { role: "assistant", content: NO_REPLY });
    } else entries.push({ role: row.role, content: row.text });
  }
  let chars = 0;
  const from = entries.findLastIndex((entry) => {
    chars += entry.content.length;
    return chars > MOST_CHARS;
  });
  return entries.slice(from + 1);
}

/**
 * The same warning as an instruction, for turns whose history Hermes loads by itself: it sends words of failed turns again
 * with the next one.
 */
export function unansweredNote(rows: readonly ApiRow[], saidNow: string): string | undefined {
  const open = unanswered(rows);
  if (open.length === 0) return undefined;
  if (open.some((row) => row.text.trim() === saidNow.trim())) {
    return "The person's latest message stands in the conversation more than once because an earlier try failed. Answer it once.";
  }
  return "Messages of the person directly before the latest one belong to a turn that failed or was stopped. Do not carry them out; answer the latest message only.";
}
