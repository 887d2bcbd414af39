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

/** Rules by what stands at a place (a digit, a Chinese character, a Latin word); found once, from the patterns. */
const known = new Map<string, readonly Tagged[]>();
const MOST_KNOWN = 20_000;

/** What a pattern says without its looks ahead and behind. */
const saysOf = (rule: Rule): string => rule.pattern.source.replace(/\(\?<?[!=][^()]*\)/g, "");
const withSays = (rules: readonly Tagged[]): readonly (readonly [Tagged, string])[] =>
  rules.map((t) => [t, saysOf(t[0])] as const);
const HAN_RULES = withSays([...ZH, ...ANY]);
const LATIN_RULES = withSays([...EN, ...ANY]);
const DIGIT_RULES: Readonly<Record<FigureOrder, readonly Tagged[]>> = {
  "m/d": [...FIGURES["m/d"], ...ZH, ...EN].filter(([r]) => saysOf(r).includes("\\d")),
  "d/m": [...FIGURES["d/m"], ...ZH, ...EN].filter(([r]) => saysOf(r).includes("\\d")),
};

/**
 * The rules that may match where `word` stands: those whose pattern holds its first letters. A cheap test that never
 * says no wrongly, since patterns spell their words out.
 */
function rulesFor(word: string, order: FigureOrder): readonly Tagged[] {
  const code = word.charCodeAt(0);
  if (isDigit(code)) return DIGIT_RULES[order];
  const cached = known.get(word);
  if (cached) return cached;
  const holds = (says: string): boolean => says.includes(word.slice(0, 3));
  const rules = (isHan(code) ? HAN_RULES : LATIN_RULES).filter(([, says]) => holds(says)).map(([tagged]) => tagged);
  if (known.size < MOST_KNOWN) known.set(word, rules);
  return rules;
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
      if (long && !/^20\d{6}$/.test(long[0])) {
        at += long[0].length;
        continue;
      }
    }
    if (!isHan(code) && !isDigit(code) && !isLetter(code) && folded[at] !== "@") {
      at += 1;
      continue;
    }
    const next = pastWord(folded, at, code);
    const rules = rulesFor(isLetter(code) ? folded.slice(at, next) : folded.charAt(at), order);
    const piece = rules.length === 0 ? undefined : longestAt(folded, at, rules);
    if (piece) pieces.push(piece);
    at = piece ? piece.to : next;
  }
  return pieces;
}

function longestAt(folded: string, at: number, rules: readonly Tagged[]): Piece | undefined {
  let best: Piece | undefined;
  for (const [r, lang] of rules) {
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
