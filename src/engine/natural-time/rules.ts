import type { Frame, Piece } from "./frame.ts";

/** What a rule reads out of its match; undefined = it was no time after all. */
export type Reading = Frame | { frame: Frame; end?: Frame; latent?: true; bare?: true; lone?: false };

/** One way of writing one kind of time. Patterns are sticky, have bounded repeats, and match folded text. */
export interface Rule {
  readonly name: string;
  readonly pattern: RegExp;
  readonly read: (match: RegExpExecArray, text: string) => Reading | undefined;
}

/** A rule from a pattern's source; `v` reads a group as text ("" when it took no part). */
export function rule(
  name: string,
  source: string,
  read: (v: (group: number) => string, text: string, at: { from: number; to: number }) => Reading | undefined,
): Rule {
  return {
    name,
    pattern: new RegExp(source, "y"),
    read: (match, text) =>
      read((group) => match[group] ?? "", text, { from: match.index, to: match.index + match[0].length }),
  };
}

/** The piece a rule reads at a position, if any. */
export function applyRule(rule: Rule, text: string, at: number, lang: Piece["lang"]): Piece | undefined {
  rule.pattern.lastIndex = at;
  const match = rule.pattern.exec(text);
  if (!match || match[0].length === 0) return undefined;
  const reading = rule.read(match, text);
  if (!reading) return undefined;
  const span = { from: at, to: at + match[0].length, lang };
  return "frame" in reading ? { ...span, ...reading } : { ...span, frame: reading };
}
