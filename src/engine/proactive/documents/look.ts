import { DateTime, IANAZone } from "luxon";
import type { Texts } from "../../../text/pick.ts";
import type { Evidence } from "../../evidence.ts";
import { looksLikeInstruction } from "../flag-instructions.ts";

/** What every document is written with: the texts of the agent's language, and the zone and moment of the run. */
export interface DocumentLook {
  texts: Texts["engine"];
  zone: string;
  now: Date;
}

/** Local wall clock with the offset, so that it is unambiguous for people and for models: 2026-11-30 14:02 +08:00. */
export function stamp(at: Date, look: DocumentLook): string {
  const ms = at.getTime();
  const offset = offsetMinutes(ms, look.zone);
  const local = new Date(ms + offset * 60_000);
  // A year of four digits, which is all but nonsense.
  if (!(local.getTime() >= 0 && local.getTime() < FOUR_DIGITS_END)) {
    return DateTime.fromJSDate(at, { zone: look.zone }).toFormat("yyyy-MM-dd HH:mm ZZ");
  }
  const iso = local.toISOString();
  const sign = offset < 0 ? "-" : "+";
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((n) =>
    String(n).padStart(2, "0"),
  );
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} ${sign}${hours}:${minutes}`;
}

const FOUR_DIGITS_END = Date.UTC(10_000, 0, 1);
const QUARTER_MS = 15 * 60_000;
const offsets = new Map<string, number>();
const MOST_OFFSETS = 4_096;

/** Asking for a zone's offset costs more than all else about a stamp; it changes at full quarters of an hour only. */
function offsetMinutes(ms: number, zone: string): number {
  const key = `${Math.floor(ms / QUARTER_MS)} ${zone}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const offset = IANAZone.create(zone).offset(ms);
  if (offsets.size >= MOST_OFFSETS) offsets.clear();
  offsets.set(key, offset);
  return offset;
}

/**
 * Somebody else's text inside a document. Every line is quoted, so that none can pass for a heading, a source number or the
 * end of the document; text that reads like an order is marked.
 */
export function quoted(text: string, look: DocumentLook): string {
  const lines = text
    .trim()
    .split(/\r\n?|\n|\u2028|\u2029/u)
    .map((line) => `  > ${line}`);
  return looksLikeInstruction(text) ? [`  ${look.texts.documents.untrusted}`, ...lines].join("\n") : lines.join("\n");
}

/** Somebody else's text that must stay on one line, such as a title. */
export function inline(text: string): string {
  return text
    .replace(/\s+/gu, " ")
    .replace(/\[(item|source):/giu, "($1:")
    .trim();
}

/** Where and by whom a line was said. */
export function said(evidence: Evidence, look: DocumentLook): string {
  const place = [evidence.source, evidence.chatType].filter(Boolean).join(" ");
  return [stamp(evidence.at, look), evidence.role, place && `(${place})`].filter(Boolean).join(" ");
}

/** A heading and its entries, or the word for none. */
export function section(heading: string, entries: readonly string[], look: DocumentLook): string {
  return `${heading}\n\n${entries.length > 0 ? entries.join("\n") : look.texts.documents.nothing}\n`;
}
