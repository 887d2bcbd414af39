import { RE2JS } from "re2js";

/** Compiled patterns kept; the one not used for longest goes first. */
export const CACHED_PATTERNS = 128;
/** Characters of a text that rules look at. */
export const LOOKED_AT = 2_000;

/** Whether a pattern occurs in a text without line breaks. */
type Finder = (text: string) => boolean;

/**
 * Patterns come from models and people: they are compiled and run by RE2, which has no backtracking, so no pattern can
 * make the process hang. Look-ahead and back-references do not exist there.
 */
export class PatternCache {
  readonly #most: number;
  /** In the order of last use: a Map keeps the order in which keys were put in. */
  readonly #compiled = new Map<string, Finder | undefined>();

  constructor(most = CACHED_PATTERNS) {
    this.#most = most;
  }

  get size(): number {
    return this.#compiled.size;
  }

  /** Whether the pattern occurs in the text, small and capital letters alike. A pattern that does not compile never does. */
  matches(pattern: string, text: string): boolean {
    return this.#pattern(pattern)?.(text) ?? false;
  }

  #pattern(pattern: string): Finder | undefined {
    const known = this.#compiled.get(pattern);
    if (known !== undefined || this.#compiled.has(pattern)) {
      this.#compiled.delete(pattern);
      this.#compiled.set(pattern, known);
      return known;
    }
    const compiled = compile(pattern);
    if (this.#compiled.size >= this.#most) {
      const oldest = this.#compiled.keys().next();
      if (!oldest.done) this.#compiled.delete(oldest.value);
    }
    this.#compiled.set(pattern, compiled);
    return compiled;
  }
}

/** RE2 takes a millisecond for a long text: a pattern of plain pieces is looked for as text, which takes none. */
function compile(pattern: string): Finder | undefined {
  const ways = plainPieces(pattern)?.map((pieces) => pieces.map((piece) => piece.toLowerCase()));
  if (ways) return (text) => ways.some((pieces) => standInOrder(pieces, text.toLowerCase()));
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
    return (text) => compiled.matcher(text).find();
  } catch {
    return undefined;
  }
}

function standInOrder(pieces: readonly string[], text: string): boolean {
  let at = 0;
  for (const piece of pieces) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return true;
}

/** Why a pattern cannot be used, in the engine's words; undefined when it can. */
function patternProblem(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A pattern taken apart into choices of plain pieces that occur in order; undefined when it says more than that. */
export function plainPieces(pattern: string): string[][] | undefined {
  if (patternProblem(pattern) !== undefined) return undefined;
  const choices = splitChoices(pattern.replace(/^\(\?i\)/, ""));
  const ways = choices.map((choice) => {
    const pieces = choice.split(/(?<!\\)\.\*\??/).map(plainText);
    return pieces.some((piece) => piece === undefined)
      ? undefined
      : pieces.filter((piece): piece is string => piece !== undefined && piece !== "");
  });
  const known = ways.filter((way): way is string[] => way !== undefined && way.length > 0);
  return known.length === ways.length ? known : undefined;
}

/** At the outermost "|"; a group around the whole is taken off first. */
function splitChoices(pattern: string): string[] {
  const inner = /^\((?:\?:)?([^()]*)\)$/.exec(pattern)?.[1] ?? pattern;
  return inner.split(/(?<!\\)\|/);
}

/** The text a piece of a pattern stands for; undefined when it has any sign with a meaning. */
function plainText(piece: string): string | undefined {
  const text = piece.replace(/\\([.+*?()[\]{}|^$\\/-])/g, (_, sign: string) => `\u0000${sign}`);
  if (/(?<!\u0000)[.+*?()[\]{}|^$\\]/.test(text)) return undefined;
  return text.replaceAll("\u0000", "");
}
