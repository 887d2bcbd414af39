import { cutText, ELLIPSIS } from "./cut-text.ts";
import { LIMITS } from "./limits.ts";
import { closingFence, looksLikeFence, readMarkdownLines } from "./markdown-lines.ts";

/** A part of a long text. */
export type MarkdownPart = {
  /** The slice as it stood in the source: all slices joined are the source, character by character. */
  readonly source: string;
  /** The slice as it is to be shown: code that goes on is closed here and opened there, a table that goes on has its head again. */
  readonly shown: string;
};

/** Characters of a fence's first line that are repeated where its block goes on: the mark and the language. */
const REOPENED_CHARS = 24;

/** Bytes kept for what is repeated where something goes on: a closing and an opening fence, or the head of a table. */
const REPEATED_BYTES = { least: 160, most: 600 } as const;

const graphemes = new Intl.Segmenter("zh", { granularity: "grapheme" });

/**
 * Splits a long text into parts of at most `maxBytes` (UTF-8, counted as they travel: encoded as JSON inside JSON), each
 * with at most as many tables as a card takes. It splits before headings and paragraphs where it can, between lines where it
 * must, inside a line (between graphemes) only when a single line is too long. Nothing is lost, no fence is left open.
 */
export function splitMarkdown(source: string, maxBytes: number): MarkdownPart[] {
  const repeated = Math.max(REPEATED_BYTES.least, Math.min(REPEATED_BYTES.most, Math.floor(maxBytes / 10)));
  const room = Math.max(64, maxBytes - repeated);
  const parts: MarkdownPart[] = [];
  let pieces: Piece[] = [];
  let bytes = 0;
  let firstTable = 0;
  let goesOnWith = "";

  const close = (count: number): void => {
    const taken = pieces.slice(0, count);
    pieces = pieces.slice(count);
    bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
    firstTable = pieces.find((piece) => piece.table > 0)?.table ?? 0;
    const text = taken.map((piece) => piece.text).join("");
    const [first] = taken;
    // A long line cut in two must not come to mean something else where it goes on.
    const harmless = goesOnWith === "" && first?.continues && looksLikeFence(first.text) ? ELLIPSIS : "";
    const shown = goesOnWith + harmless + text;
    parts.push({ source: text, shown: shown + missingFence(shown) });
    goesOnWith = opening(taken.at(-1), pieces[0], repeated);
  };

  for (const piece of piecesOf(source, room)) {
    pieces.push(piece);
    bytes += piece.bytes;
    if (piece.table > 0) firstTable ||= piece.table;
    const tooManyTables = piece.table > 0 && piece.table - firstTable >= LIMITS.markdownTables;
    if (pieces.length > 1 && tooManyTables) close(bestBorder(pieces));
    while (pieces.length > 1 && bytes > room) close(bestBorder(pieces));
  }
  while (pieces.length > 0) close(pieces.length);
  return parts;
}

/** What the next part begins with so that a code block or a table that goes on there still reads as one. */
function opening(last: Piece | undefined, next: Piece | undefined, most: number): string {
  if (!last || !next) return "";
  if (next.block > 0 && next.block === last.block) return `${cutText(next.opener ?? "", REOPENED_CHARS)}\n`;
  const goesOn = next.table > 0 && next.table === last.table && !next.continues;
  return goesOn && travelBytes(next.tableHead) <= most ? next.tableHead : "";
}

/** What closes the fence that the text leaves open. */
function missingFence(text: string): string {
  const after = readMarkdownLines(`${text}${text.endsWith("\n") ? "" : "\n"}.`).at(-1);
  if (!after?.code || !after.opener) return "";
  return `${text.endsWith("\n") ? "" : "\n"}${closingFence(after.opener)}`;
}

type Piece = {
  readonly text: string;
  readonly bytes: number;
  readonly opener: string | undefined;
  /** Number of the code block the piece stands in; 0 outside. */
  readonly block: number;
  readonly table: number;
  /** First two lines of the table, in pieces that come after them. */
  readonly tableHead: string;
  /** The piece goes on within a line. */
  readonly continues: boolean;
  /** How good it is to begin a part here: 3 heading, 2 after a blank line, 1 anywhere, 0 inside code or a table. */
  readonly begin: number;
};

/**
 * How many of the pieces go into the part: up to the best border in its second half; if none stands there but one inside of
 * code or a table, up to the last better one before; else all but the last piece.
 */
function bestBorder(pieces: readonly Piece[]): number {
  const total = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
  let best = 0;
  let rank = 0;
  let lastBetter = 0;
  let passed = 0;
  pieces.forEach((piece, index) => {
    if (index > 0 && piece.begin > 0) lastBetter = index;
    if (index > 0 && piece.begin > 0 && passed >= total / 2 && piece.begin >= rank) {
      best = index;
      rank = piece.begin;
    }
    passed += piece.bytes;
  });
  return best || lastBetter || pieces.length - 1;
}

function piecesOf(source: string, room: number): Piece[] {
  const pieces: Piece[] = [];
  let block = 0;
  let afterBlank = true;
  let table = 0;
  let tableHead: string[] = [];
  for (const line of readMarkdownLines(source)) {
    const startsCode = line.code && line.block !== block;
    const startsTable = line.table > 0 && line.table !== table;
    if (startsTable) tableHead = [];
    const head = line.table > 0 && tableHead.length === 2 ? tableHead.join("") : "";
    if (line.table > 0 && tableHead.length < 2) tableHead.push(line.text);
    const inside = (line.code && !startsCode) || (line.table > 0 && !startsTable);
    const begin = inside ? 0 : /^#{1,6} /.test(line.text) ? 3 : afterBlank ? 2 : 1;
    for (const [index, text] of chunks(line.text, room).entries()) {
      pieces.push({
        text,
        bytes: travelBytes(text),
        opener: line.opener,
        block: line.block,
        table: line.table,
        tableHead: head,
        continues: index > 0,
        begin: index > 0 ? 0 : begin,
      });
    }
    block = line.block;
    table = line.table;
    afterBlank = line.text.trim() === "";
  }
  return pieces;
}

/** A line as it is, or in pieces of at most `room` bytes cut between graphemes. Looks at each character once. */
function chunks(line: string, room: number): string[] {
  if (travelBytes(line) <= room) return [line];
  const segments = graphemes.segment(line);
  const result: string[] = [];
  let from = 0;
  let bytes = 0;
  for (let at = 0; at < line.length; at++) {
    bytes += travelBytesAt(line, at);
    if (bytes <= room || at === from) continue;
    const start = segments.containing(at)?.index ?? at;
    // A grapheme that fills more than a piece is cut all the same, between characters.
    const cut = start > from ? start : at - from > 1 && isSecondHalf(line, at) ? at - 1 : at;
    result.push(line.slice(from, cut));
    from = cut;
    bytes = 0;
    at = cut - 1;
  }
  result.push(line.slice(from));
  return result;
}

/** What one UTF-16 unit adds to `travelBytes`. */
function travelBytesAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === 0x22 || code === 0x5c) return 4;
  if (code < 0x20) return code >= 0x08 && code <= 0x0d && code !== 0x0b ? 3 : 7;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  if (code < 0xd800 || code > 0xdfff) return 3;
  if (code < 0xdc00) return isSecondHalf(text, at + 1) ? 2 : 7;
  return isSecondHalf(text, at) ? 2 : 7;
}

/** Whether the unit there is the second half of a pair. */
function isSecondHalf(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
}

/** UTF-8 bytes of the text as it travels: quoted once in the card's JSON, and that once more in the message. */
function travelBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(text))) - 6;
}
