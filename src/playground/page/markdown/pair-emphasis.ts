import type { Inline } from "./tree.ts";

/** Either a finished node, or a run of `*`, `_` or `~` that may open or close emphasis. */
export type Piece =
  | { readonly node: Inline }
  | { readonly run: string; readonly before: string; readonly after: string };

type Slot = { node: Inline } | Delimiter;
type Delimiter = { mark: string; left: number; whole: number; opens: boolean; closes: boolean };

const PUNCTUATION = /[\p{P}\p{S}]/u;

/** CommonMark's rules for pairing `*`, `_` (one or two) and GFM's `~~`; runs without a partner stay as text. */
export function pairEmphasis(pieces: readonly Piece[]): Inline[] {
  const slots: Slot[] = pieces.map((piece) => ("run" in piece ? delimiterOf(piece) : { node: piece.node }));

  /** Below this place no run can open emphasis for a closing run of that kind: looked through once, not again. */
  const searchedTo = new Map<string, number>();

  for (let close = 0; close < slots.length; close += 1) {
    const closer = slots[close];
    if (!closer || "node" in closer || !closer.closes) continue;
    const kind = `${closer.mark}${closer.opens}${closer.whole % 3}${closer.left > 1}`;
    const floor = searchedTo.get(kind) ?? 0;
    let open = close - 1;
    while (closer.left > 0 && open >= floor) {
      const opener = slots[open];
      if (!opener || "node" in opener || !pairs(opener, closer)) {
        open -= 1;
        continue;
      }
      const used = width(opener, closer);
      const inside = settle(slots.slice(open + 1, close));
      const node = wrap(opener.mark, used, inside);
      opener.left -= used;
      closer.left -= used;
      slots.splice(open + 1, close - open - 1, { node });
      close = open + 2;
      for (const [each, place] of searchedTo) if (place > open) searchedTo.set(each, open);
      if (opener.left === 0) {
        slots.splice(open, 1);
        close -= 1;
        open -= 1;
      }
    }
    if (closer.left > 0) searchedTo.set(kind, close);
  }
  return settle(slots);
}

function delimiterOf(piece: { run: string; before: string; after: string }): Delimiter {
  const { run, before, after } = piece;
  const mark = run[0] ?? "*";
  const leftFlank = !/\s/.test(after) && (!PUNCTUATION.test(after) || /\s/.test(before) || PUNCTUATION.test(before));
  const rightFlank = !/\s/.test(before) && (!PUNCTUATION.test(before) || /\s/.test(after) || PUNCTUATION.test(after));
  const word = mark === "_";
  return {
    mark,
    left: run.length,
    whole: run.length,
    opens: leftFlank && (!word || !rightFlank || PUNCTUATION.test(before)),
    closes: rightFlank && (!word || !leftFlank || PUNCTUATION.test(after)),
  };
}

function pairs(opener: Delimiter, closer: Delimiter): boolean {
  if (opener.mark !== closer.mark || !opener.opens || opener.left === 0) return false;
  if (opener.mark === "~") return opener.left >= 2 && closer.left >= 2;
  // CommonMark's rule of three: `*a**b*` must not pair its middle run with the outer ones.
  const ambiguous = opener.closes || closer.opens;
  return !ambiguous || (opener.whole + closer.whole) % 3 !== 0 || (opener.whole % 3 === 0 && closer.whole % 3 === 0);
}

function width(opener: Delimiter, closer: Delimiter): number {
  return opener.left >= 2 && closer.left >= 2 ? 2 : 1;
}

function wrap(mark: string, used: number, children: readonly Inline[]): Inline {
  if (mark === "~") return { kind: "strike", children };
  return { kind: used === 2 ? "strong" : "em", children };
}

/** Finished nodes with left-over delimiters as text, neighbouring texts joined. */
function settle(slots: readonly Slot[]): Inline[] {
  const out: Inline[] = [];
  for (const slot of slots) {
    const node: Inline = "node" in slot ? slot.node : { kind: "text", text: slot.mark.repeat(slot.left) };
    const last = out.at(-1);
    if (node.kind === "text" && last?.kind === "text")
      out[out.length - 1] = { kind: "text", text: last.text + node.text };
    else if (node.kind !== "text" || node.text) out.push(node);
  }
  return out;
}
