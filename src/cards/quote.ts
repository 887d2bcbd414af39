import { note } from "./blocks.ts";
import type { Element } from "./card.ts";
import { cutText } from "./cut-text.ts";
import { cleanText } from "./escape.ts";
import type { Look } from "./look.ts";
import { nameOf, type Who } from "./who.ts";

/** A line of evidence: who said what, when. The text is untrusted. */
export type QuoteView = { readonly by: Who; readonly at: Date; readonly text: string };

const QUOTE_CHARS = 200;

/** The quoted line, small and grey, on at most `lines` lines. */
export function quoteLine(quote: QuoteView, look: Look, lines = 2): Element {
  const text = cutText(cleanText(quote.text).replace(/\s+/g, " ").trim(), QUOTE_CHARS);
  return note(look, (t, f) => t.card.matter.quote(nameOf(quote.by)(t, f), f.day(quote.at), text), { lines });
}
