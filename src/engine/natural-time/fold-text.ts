import { simplifiedOf } from "./traditional.ts";

/** Dashes, quotes and tildes people's keyboards make, and the plain sign each is read as. */
const SIGNS: Readonly<Record<string, string>> = {
  "—": "-",
  "–": "-",
  "−": "-",
  "－": "-",
  "〜": "~",
  "～": "~",
  "’": "'",
  "‘": "'",
  "′": "'",
  "　": " ",
  "\u00a0": " ",
  "\u202f": " ",
  "﹕": ":",
};

/**
 * Text as the readers match it: full-width signs narrow, traditional characters simplified, Latin letters small.
 * Every character becomes exactly one, so a position in the result is the same position in the original.
 */
export function foldText(text: string): string {
  let folded = "";
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) folded += code >= 65 && code <= 90 ? String.fromCharCode(code + 32) : text.charAt(i);
    else folded += foldCharacter(text.charAt(i), code);
  }
  return folded;
}

function foldCharacter(character: string, code: number): string {
  const sign = SIGNS[character];
  if (sign !== undefined) return sign;
  if (code >= 0xff01 && code <= 0xff5e) {
    const narrow = String.fromCharCode(code - 0xfee0).toLowerCase();
    // The comma and the full stop stay Chinese: they end clauses, while a narrow one may stand inside a number.
    return narrow === "," || narrow === "." ? character : narrow;
  }
  return simplifiedOf(character);
}
