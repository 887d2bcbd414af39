/**
 * The input of a tool call in three strengths: `exact` is the same call, `loose` the same but for what does not change its
 * meaning (flags, waits, limits), and what is left is compared by its words.
 */
export interface CallInput {
  exact: string;
  loose: string;
  /** file or folder it is about */
  path?: string;
  command?: string;
  values: Readonly<Record<string, unknown>>;
}

/** How long the call may take, how much it answers: another value is the same question asked again. */
const SETTINGS =
  /^(?:timeout\w*|time_limit|max_\w+|limit|num_results|count|n|retries|retry|verbose|quiet|format|headers|reason|explanation|description)$/i;
const PATH_KEYS = ["path", "file_path", "filepath", "file", "filename", "directory", "dir", "folder"] as const;
const COMMAND_KEYS = ["command", "cmd", "script", "code"] as const;
const QUERY_KEYS = ["query", "q", "pattern", "search", "keyword", "keywords", "regex", "question"] as const;
const MOST_CHARS = 20_000;

/** Reads the arguments as Hermes stores them (JSON text). Never throws. */
export function readInput(given: string): CallInput {
  const values = asObject(given);
  const command = firstText(values, COMMAND_KEYS);
  const path = firstText(values, PATH_KEYS);
  const fields = Object.keys(values)
    .sort()
    .map((key): [key: string, text: string] => [key, `${key}=${plain(values[key])}`]);
  const exact = joined(fields);
  const bare = fields.filter(
    ([key]) => !SETTINGS.test(key) && !(command !== undefined && (COMMAND_KEYS as readonly string[]).includes(key)),
  );
  const loose = command === undefined ? joined(bare) : `${looseCommand(command)}\u0000${joined(bare)}`;
  return {
    exact,
    loose,
    values,
    ...(path !== undefined && { path: tidyPath(path) }),
    ...(command !== undefined && { command: command.trim() }),
  };
}

/** The words a search looks for; undefined when the input is no search. */
export function queryOf({ values }: CallInput): string | undefined {
  return firstText(values, QUERY_KEYS);
}

/** A path without what does not change it. */
export function tidyPath(path: string): string {
  const bare = path.trim();
  if (!bare.startsWith("./") && !bare.endsWith("/") && !bare.includes("//")) return bare;
  return bare
    .replace(/^\.\//, "")
    .replace(/\/{2,}/g, "/")
    .replace(/(?<=.)\/+$/, "");
}

function asObject(given: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(given.length > MOST_CHARS * 4 ? "{}" : given);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    return { value };
  } catch {
    return { text: given.slice(0, MOST_CHARS) };
  }
}

function firstText(values: Readonly<Record<string, unknown>>, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = values[key];
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return undefined;
}

function joined(fields: readonly (readonly [string, string])[]): string {
  return fields.map(([, text]) => text).join("\u0001");
}

/** White space that is not one space between words. */
const UNEVEN_SPACE = /^\s|\s\s|[^\S ]|\s$/;

function plain(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value ?? null);
  const text = value.length > MOST_CHARS ? `${value.slice(0, MOST_CHARS)}…${value.length}` : value;
  const spaced = UNEVEN_SPACE.test(text) ? text.replace(/\s+/g, " ").trim() : text;
  return spaced.endsWith("/") ? spaced.slice(0, -1) : spaced;
}

/** Without one of these a command has nothing that is taken out. */
const LOOSE_SIGN = /[-|&;>="']|\b(?:sleep|timeout|time|nohup|sudo)\b/;

/** A command without waits, settings in front, redirections, flags and numbers that belong to flags. */
function looseCommand(command: string): string {
  const spaced = UNEVEN_SPACE.test(command) ? command.replace(/\s+/g, " ") : command;
  if (!LOOSE_SIGN.test(spaced)) return spaced.trim();
  return spaced
    .replace(/(?:^|[;&]\s*)sleep [\d.]+[smh]?\s*(?:;|&&)\s*/g, " ")
    .replace(/(?:^|\s)(?:timeout\s+[\d.]+[smh]?|time|nohup|sudo)\s+/g, " ")
    .replace(/^(?:\s*[A-Z_][A-Z0-9_]*=\S+\s+)+/, "")
    .replace(/\s*\|\|\s*true\b|\s*\d?>&\d|\s*2>\s*\/dev\/null|\s*\|\s*(?:head|tail)(?:\s+-?\w+)*/g, "")
    .replace(/\s--?[a-z][\w-]*(?:[= ]\d[\w.]*(?=\s|$))?/gi, "")
    .replace(/\s-\d+(?=\s|$)/g, "")
    .replace(/["']/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Shares of words from which two inputs are nearly the same. */
const QUERY_LIKENESS = 0.75;
const LONG_LIKENESS = 0.9;
const LONG_WORDS = 8;

/** The words of an input, made when first asked for. */
const wordsOf = new WeakMap<CallInput, ReadonlySet<string>>();

/** True when a call with one of these inputs is the other one tried again. */
export function nearlySame(a: CallInput, b: CallInput): boolean {
  if (a.loose === b.loose) return true;
  const [one, other] = [queryOf(a), queryOf(b)];
  const searches = one !== undefined && other !== undefined;
  const [short, long] = a.loose.length < b.loose.length ? [a.loose, b.loose] : [b.loose, a.loose];
  if (short.length < 0.5 * long.length) return false;
  if (searches && a.path !== b.path) return false;
  const [left, right] = [words(a), words(b)];
  if (!searches && Math.min(left.size, right.size) < LONG_WORDS) return false;
  let shared = 0;
  for (const word of left) {
    if (right.has(word)) shared++;
    else if (isSpecific(word)) return false;
  }
  for (const word of right) if (!left.has(word) && isSpecific(word)) return false;
  return (2 * shared) / (left.size + right.size) >= (searches ? QUERY_LIKENESS : LONG_LIKENESS);
}

/** What makes a call another call: a number, a path, a name with a dot. A year added to a search does not. */
function isSpecific(word: string): boolean {
  return (/\d/.test(word) && !/^(?:19|20)\d\d$/.test(word)) || /[/\\.@]/.test(word);
}

function words(input: CallInput): ReadonlySet<string> {
  let known = wordsOf.get(input);
  if (!known) {
    const text = (queryOf(input) ?? input.loose).toLowerCase();
    known = new Set([...(text.match(/[a-z0-9_./\\@:-]+/g) ?? []), ...pairs(text)]);
    wordsOf.set(input, known);
  }
  return known;
}

/** Chinese has no spaces: two signs at a time stand for words. */
function pairs(text: string): string[] {
  const found: string[] = [];
  for (const run of text.match(/\p{Script=Han}+/gu) ?? []) {
    for (let i = 0; i + 1 < run.length; i++) found.push(run.slice(i, i + 2));
  }
  return found;
}
