/** A Chinese or Arabic number as people write it in dates, as a part of a pattern (no group of its own). */
export const ZH_NUMBER = "(?:\\d{1,4}|[零〇一二两三四五六七八九十百廿卅]{1,6}|[俩仨])";

const DIGITS: Readonly<Record<string, number>> = {
  零: 0,
  〇: 0,
  一: 1,
  二: 2,
  两: 2,
  // Said for 两个 and 三个; never beside another figure.
  俩: 2,
  仨: 3,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
};
const TENS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 廿: 20, 卅: 30 };

/** 十二 → 12, 廿三 → 23, 二〇二六 → 2026, "12" → 12; undefined for what is no number. */
export function readChineseNumber(text: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  const characters = [...text];
  if (characters.length === 0) return undefined;
  if (characters.every((c) => DIGITS[c] !== undefined)) {
    if (characters.length > 1 && characters.length !== 4 && characters[0] !== "零") return undefined;
    return characters.reduce((sum, c) => sum * 10 + (DIGITS[c] ?? 0), 0);
  }
  let total = 0;
  let digit: number | undefined;
  for (const c of characters) {
    const value = DIGITS[c];
    const unit = TENS[c];
    if (value !== undefined) {
      if (digit !== undefined && digit !== 0) return undefined;
      digit = value;
    } else if (c === "廿" || c === "卅") {
      total += unit ?? 0;
    } else if (unit !== undefined) {
      total += (digit ?? 1) * unit;
      digit = undefined;
    } else return undefined;
  }
  return total + (digit ?? 0);
}

const ENGLISH: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  ninety: 90,
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
  eleventh: 11,
  twelfth: 12,
  thirteenth: 13,
  fourteenth: 14,
  fifteenth: 15,
  sixteenth: 16,
  seventeenth: 17,
  eighteenth: 18,
  nineteenth: 19,
  twentieth: 20,
  thirtieth: 30,
  couple: 2,
  few: 3,
  several: 3,
};

/** "two", "forty-five", "twenty seventh", "a couple of", "2.5", "15th" → the number; undefined for what is none. */
export function readEnglishNumber(text: string): number | undefined {
  const plain = text.trim().replace(/(?<=\d)(?:st|nd|rd|th)$/, "");
  if (/^\d+(?:\.\d+)?$/.test(plain)) return Number(plain);
  let total: number | undefined;
  for (const word of plain.split(/[\s-]+/)) {
    if (word === "of" || word === "the" || (word === "a" && /couple|few/.test(plain))) continue;
    const value = ENGLISH[word];
    if (value === undefined) return undefined;
    total = (total ?? 0) + value;
  }
  return total;
}

const UNITS_EN = "one|two|three|four|five|six|seven|eight|nine";
/** Cardinal words up to ninety-nine, as a part of a pattern. */
export const EN_CARDINAL = `(?:(?:twenty|thirty|forty|fifty|sixty|ninety)(?:[- ](?:${UNITS_EN}))?|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|${UNITS_EN})`;
const ORDINAL_UNITS = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth";
/** Ordinal words up to thirty-first, as a part of a pattern. */
export const EN_ORDINAL = `(?:(?:twenty|thirty)[- ](?:${ORDINAL_UNITS})|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth|${ORDINAL_UNITS})`;
