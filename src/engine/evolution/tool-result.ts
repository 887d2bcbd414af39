/** What the result of a tool call says about how it went. */
export interface ToolResult {
  failed: boolean;
  /** what the tool said went wrong: its error text, else what the command printed */
  message: string;
  /** a command's exit code, when the result has one */
  exitCode?: number;
  /** the tool said that the file is what it was when it was read before */
  unchanged: boolean;
}

/** A result longer than this is not parsed: the two fields that matter are looked for at its ends. */
const PARSED_CHARS = 20_000;
const END_CHARS = 3_000;
const MESSAGE_CHARS = 4_000;
const UNCHANGED = /"dedup"\s*:\s*true|\b(?:file )?unchanged since\b|content (?:is )?unchanged/i;
const OK: ToolResult = { failed: false, message: "", unchanged: false };

/**
 * Reads a result as Hermes stores it: a failure is an error text, or an exit code that is not zero, in a JSON object.
 * Anything else went well as far as can be told. Never throws.
 */
export function readResult(text: string): ToolResult {
  if (!text.trimStart().startsWith("{")) return OK;
  if (!text.includes('"error"') && !text.includes('"exit_code"')) {
    return UNCHANGED.test(text.slice(0, END_CHARS)) ? { ...OK, unchanged: true } : OK;
  }
  if (isPlainlyFine(text)) {
    const unchanged = UNCHANGED.test(text.slice(0, END_CHARS));
    return text.includes('"exit_code"') ? { ...OK, exitCode: 0, unchanged } : { ...OK, unchanged };
  }
  const { error, exitCode, output } = text.length <= PARSED_CHARS ? parsed(text) : looked(text);
  const failed = error !== "" || (exitCode !== undefined && exitCode !== 0);
  return {
    failed,
    message: failed ? clip(error === "" ? output : error) : "",
    ...(exitCode !== undefined && { exitCode }),
    unchanged: !failed && UNCHANGED.test(text.slice(0, END_CHARS)),
  };
}

/**
 * Most results: each of the two fields at most once, and it says nothing bad. Inside a text their names stand with
 * backslashes, so they are found without parsing.
 */
function isPlainlyFine(text: string): boolean {
  return says(text, '"error"', /^\s*:\s*(?:null|false|"")\s*[,}]/) && says(text, '"exit_code"', /^\s*:\s*0\s*[,}]/);
}

function says(text: string, name: string, fine: RegExp): boolean {
  const at = text.indexOf(name);
  if (at < 0) return true;
  const after = at + name.length;
  return text.indexOf(name, after) < 0 && fine.test(text.slice(after, after + 24));
}

type Fields = { error: string; exitCode: number | undefined; output: string };

function parsed(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return looked(text);
  }
  const { error, exit_code: code, output, stderr } = value as Record<string, unknown>;
  const printed = [output, stderr].filter((each) => typeof each === "string").join("\n");
  return { error: errorText(error), exitCode: typeof code === "number" ? code : undefined, output: printed };
}

function errorText(error: unknown): string {
  if (typeof error === "string") return error.trim();
  if (error === undefined || error === null || error === false) return "";
  return error === true ? "error" : JSON.stringify(error);
}

/** What was cut, or is no JSON any more: the fields are found by their names. */
function looked(text: string): Fields {
  const ends = text.length <= 2 * END_CHARS ? text : `${text.slice(0, END_CHARS)}\n${text.slice(-END_CHARS)}`;
  const error = /"error"\s*:\s*"((?:[^"\\]|\\.){1,2000})/.exec(ends)?.[1] ?? "";
  const code = /"exit_code"\s*:\s*(-?\d{1,6})/.exec(ends)?.[1];
  return { error: error.trim(), exitCode: code === undefined ? undefined : Number(code), output: ends };
}

/** Beginning and end: what went wrong stands in one of them. */
function clip(text: string): string {
  return text.length <= MESSAGE_CHARS ? text : `${text.slice(0, MESSAGE_CHARS / 2)}\n${text.slice(-MESSAGE_CHARS / 2)}`;
}
