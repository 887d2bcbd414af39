import { EN_CLOCK, EN_SPANS } from "./en-clock.ts";
import { EN_DAYS } from "./en-days.ts";
import { type FigureOrder, figureDates, ZONE_RULES } from "./figure-dates.ts";
import type { Piece } from "./frame.ts";
import { applyRule, type Rule } from "./rules.ts";
import { ZH_CLOCK, ZH_SPANS } from "./zh-clock.ts";
import { ZH_DAYS } from "./zh-days.ts";

type Lang = Piece["lang"];
type Tagged = readonly [Rule, Lang];

const tag = (rules: readonly Rule[], lang: Lang): readonly Tagged[] => rules.map((r) => [r, lang] as const);
const ZH = tag([...ZH_DAYS, ...ZH_CLOCK, ...ZH_SPANS], "zh");
const EN = tag([...EN_DAYS, ...EN_CLOCK, ...EN_SPANS], "en");
const ANY = tag(ZONE_RULES, "any");
const FIGURES: Readonly<Record<FigureOrder, readonly Tagged[]>> = {
  "m/d": tag(figureDates("m/d"), "any"),
  "d/m": tag(figureDates("d/m"), "any"),
};

const isHan = (code: number): boolean => code >= 0x3007 && code <= 0x9fff;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isLetter = (code: number): boolean => code >= 97 && code <= 122;

/** Which rules can match at all where a character of this kind stands; found once by looking at the patterns' fronts. */
const byFirst = new Map<string, readonly Tagged[]>();

/** Could the pattern begin with this character? Asked of the pattern itself, with the rest of the text left open. */
function rulesFor(character: string, order: FigureOrder): readonly Tagged[] {
  const code = character.charCodeAt(0);
  const key = `${order}${isDigit(code) ? "0" : character}`;
  const known = byFirst.get(key);
  if (known) return known;
  const all = isDigit(code) ? [...FIGURES[order], ...ZH, ...EN] : isHan(code) ? [...ZH, ...ANY] : [...EN, ...ANY];
  const rules = all.filter(([r]) => mayBeginWith(r.pattern.source, isDigit(code) ? /\d/ : character));
  if (byFirst.size < 4000) byFirst.set(key, rules);
  return rules;
}

/** A cheap test with no false "no": the character (or a class that could hold it) stands somewhere in the pattern. */
function mayBeginWith(source: string, character: string | RegExp): boolean {
  if (typeof character !== "string") return source.includes("\\d") || /\d/.test(source.replace(/\{[\d,]+\}/g, ""));
  return source.includes(character) || /\[[^\]]*[a-z]-[a-z]/.test(source);
}

const LONG_NUMBER = /\d{5,}/y;

/**
 * All pieces of a folded text, left to right, each the longest that begins where it does. Work grows with the length
 * of the text: patterns are sticky and bounded, words and long numbers are passed over whole.
 */
export function scanPieces(folded: string, order: FigureOrder): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  while (at < folded.length) {
    const code = folded.charCodeAt(at);
    if (isDigit(code)) {
      LONG_NUMBER.lastIndex = at;
      const long = LONG_NUMBER.exec(folded);
      if (long) {
        at += long[0].length;
        continue;
      }
    }
    if (!isHan(code) && !isDigit(code) && !isLetter(code) && folded[at] !== "@") {
      at += 1;
      continue;
    }
    const piece = longestAt(folded, at, order);
    if (piece) {
      pieces.push(piece);
      at = piece.to;
    } else at = pastWord(folded, at, code);
  }
  return pieces;
}

function longestAt(folded: string, at: number, order: FigureOrder): Piece | undefined {
  let best: Piece | undefined;
  for (const [r, lang] of rulesFor(folded.charAt(at), order)) {
    const piece = applyRule(r, folded, at, lang);
    if (piece && (!best || piece.to > best.to || (piece.to === best.to && best.latent && !piece.latent))) best = piece;
  }
  return best;
}

/** The next place where something can begin: after a whole Latin word or number, or the next character. */
function pastWord(folded: string, at: number, code: number): number {
  let next = at + 1;
  if (isLetter(code)) {
    while (next < folded.length && isLetter(folded.charCodeAt(next))) next += 1;
  } else if (isDigit(code)) {
    while (next < folded.length && isDigit(folded.charCodeAt(next))) next += 1;
  }
  return next;
}
