import { lookUp } from "../look-up.ts";

/** Names that HTML knows and that people write. Everything else stays as typed. */
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  ensp: "\u2002",
  emsp: "\u2003",
  copy: "©",
  reg: "®",
  trade: "™",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  middot: "·",
  bull: "•",
  times: "×",
  divide: "÷",
  deg: "°",
  plusmn: "±",
  laquo: "«",
  raquo: "»",
  ldquo: "“",
  rdquo: "”",
  lsquo: "‘",
  rsquo: "’",
  larr: "←",
  uarr: "↑",
  rarr: "→",
  darr: "↓",
  yen: "¥",
  euro: "€",
  pound: "£",
  cent: "¢",
  sect: "§",
  para: "¶",
};

/** HTML's oldest names also count without a semicolon, so `&reg` turns into ® in a card. */
const WITHOUT_SEMICOLON = ["amp", "lt", "gt", "quot", "nbsp", "copy", "reg", "times", "divide", "deg", "yen", "sect"];

const PATTERN = /^&(?:#(\d{1,7});|#[xX]([0-9a-fA-F]{1,6});|([a-zA-Z]{2,8});)/;

/**
 * Reads one entity at the start of `rest` (which begins with `&`).
 * @returns the character and how many characters of the source it took, or undefined when it is an ordinary `&`.
 */
export function decodeEntity(rest: string): { readonly text: string; readonly length: number } | undefined {
  const match = PATTERN.exec(rest);
  if (match) {
    const [whole, decimal, hex, name] = match;
    if (name !== undefined) {
      const text = lookUp(NAMED, name);
      if (text !== undefined) return { text, length: whole.length };
    } else {
      const code = decimal !== undefined ? Number.parseInt(decimal, 10) : Number.parseInt(hex ?? "0", 16);
      return { text: characterOf(code), length: whole.length };
    }
  }
  for (const name of WITHOUT_SEMICOLON) {
    if (rest.startsWith(name, 1)) return { text: NAMED[name] ?? "", length: name.length + 1 };
  }
  return undefined;
}

/** Every entity of a short text, such as an attribute's value. */
export function decodeEntities(text: string): string {
  let out = "";
  for (let at = 0; at < text.length; ) {
    const entity = text[at] === "&" ? decodeEntity(text.slice(at, at + 12)) : undefined;
    out += entity ? entity.text : text[at];
    at += entity ? entity.length : 1;
  }
  return out;
}

function characterOf(code: number): string {
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code === 0 || code > 0x10ffff || isSurrogate ? "\ufffd" : String.fromCodePoint(code);
}
