import { queryOf } from "./call-input.ts";
import type { ToolCall } from "./session-facts.ts";

export interface RepeatedReads {
  path: string;
  calls: readonly ToolCall[];
  /** reads beyond the first; 0 when the content had changed, which is no waste */
  wasted: number;
}

const READS = /^(?:read_file|read|view_file|cat_file|open_file|get_file|file_read)$/i;
const WRITES = /^(?:write_file|create_file|file_write)$/i;
const EDITS = /^(?:patch|edit|edit_file|apply_patch|str_replace\w*)$/i;
const SEARCHES =
  /^(?:search_files|grep|glob|find_files|web_search|search|search_web|session_search|google_search|tavily_search|x_search)$|_search$|^search_/i;
const TERMINAL = /^(?:terminal|shell|bash|run_command|exec)$/i;

/**
 * The same part of a file read again in one session. `same`: with the same content, so all but the first were for nothing.
 * `changed`: it said something else, so the reading was needed.
 */
export function repeatedReads(calls: readonly ToolCall[]): { same: RepeatedReads[]; changed: RepeatedReads[] } {
  const parts = new Map<string, ToolCall[]>();
  for (const call of calls) {
    if (!READS.test(call.tool) || call.failure || call.input.path === undefined) continue;
    const { offset = "", limit = "", start_line: start = "", end_line: end = "" } = call.input.values;
    const key = [call.input.path, offset, limit, start, end].join("\u0000");
    const known = parts.get(key);
    if (known) known.push(call);
    else parts.set(key, [call]);
  }
  const same: RepeatedReads[] = [];
  const changed: RepeatedReads[] = [];
  for (const reads of parts.values()) {
    const [first] = reads;
    if (reads.length < 2 || first?.input.path === undefined) continue;
    const path = first.input.path;
    const contents = new Map<string, ToolCall[]>();
    let last = "";
    for (const read of reads) {
      const content = read.unchanged && last !== "" ? last : `${read.resultLength} ${read.result}`;
      last = content;
      contents.set(content, [...(contents.get(content) ?? []), read]);
    }
    for (const again of contents.values()) {
      if (again.length > 1) same.push({ path, calls: again, wasted: again.length - 1 });
    }
    if (contents.size > 1) {
      changed.push({ path, calls: [...contents.values()].flatMap(([one]) => one ?? []), wasted: 0 });
    }
  }
  return { same, changed };
}

/** The same search again in a session. */
export function repeatedSearches(calls: readonly ToolCall[]): { query: string; calls: readonly ToolCall[] }[] {
  const searches = new Map<string, ToolCall[]>();
  for (const call of calls) {
    if (!SEARCHES.test(call.tool) || queryOf(call.input) === undefined) continue;
    const key = `${call.tool}\u0000${call.input.loose.toLowerCase()}`;
    const known = searches.get(key);
    if (known) known.push(call);
    else searches.set(key, [call]);
  }
  return [...searches.values()]
    .filter((group) => group.length > 1)
    .map((group) => ({ query: group[0] ? (queryOf(group[0].input) ?? "") : "", calls: group }));
}

export const chainKinds = ["small_commands", "read_then_cat", "write_then_read", "read_instead_of_search"] as const;
export type ChainKind = (typeof chainKinds)[number];

export interface RedundantChain {
  kind: ChainKind;
  calls: readonly ToolCall[];
}

/** Commands that only look, each of which another command could have taken along. */
const LOOKS =
  /^(?:ls|pwd|cat|head|tail|wc|file|stat|du|df|date|whoami|which|echo|env|printenv|uname|id|hostname|tree|find|git (?:status|branch|log|diff|show|remote|rev-parse)|node -v|node --version|npm -v|python3? --version|ps|free|uptime)\b[^;&|]*(?:\|\s*(?:head|tail|wc|sort|grep)\b[^;&|]*)?$/;
const FEW = 3;
/** Files read one after the other before a search would have been shorter. */
const MANY_READS = 4;

/** Calls that a shorter chain would replace. */
export function redundantChains(calls: readonly ToolCall[]): RedundantChain[] {
  return [...smallCommands(calls), ...readAgainOtherwise(calls), ...readsForSearch(calls)];
}

function smallCommands(calls: readonly ToolCall[]): RedundantChain[] {
  return runs(
    calls,
    (call) => TERMINAL.test(call.tool) && !call.failure && LOOKS.test(call.input.command ?? ""),
    FEW,
    // Asked for in one breath they went out together already.
    (run) => new Set(run.map((call) => call.asked)).size > 1 && new Set(run.map((call) => call.input.exact)).size > 1,
  ).map((run) => ({ kind: "small_commands", calls: run }));
}

/** A file that was just read is printed again, or one that was just written whole is read again. */
function readAgainOtherwise(calls: readonly ToolCall[]): RedundantChain[] {
  const chains: RedundantChain[] = [];
  const seen = new Map<string, { call: ToolCall; how: "read" | "written" }>();
  for (const call of calls) {
    const { path, command } = call.input;
    if (call.failure) continue;
    const printed = TERMINAL.test(call.tool)
      ? /^(?:cat|less|more)\s+(?:-\w+\s+)*["']?([^\s"'|;&<>]+)["']?\s*(?:\|.*)?$/.exec(command ?? "")?.[1]
      : undefined;
    const target = printed ?? path;
    if (target === undefined) continue;
    const name = target.replace(/^\.\//, "");
    const before = seen.get(name);
    if (printed !== undefined && before?.how === "read") {
      chains.push({ kind: "read_then_cat", calls: [before.call, call] });
    } else if (before?.how === "written" && (printed !== undefined || READS.test(call.tool))) {
      chains.push({ kind: "write_then_read", calls: [before.call, call] });
      seen.delete(name);
      continue;
    }
    if (READS.test(call.tool)) seen.set(name, { call, how: "read" });
    else if (WRITES.test(call.tool)) seen.set(name, { call, how: "written" });
    else if (EDITS.test(call.tool)) seen.delete(name);
  }
  return chains;
}

/** Many files, or one file page by page, read in a row and nothing done with them but go on reading. */
function readsForSearch(calls: readonly ToolCall[]): RedundantChain[] {
  return runs(
    calls,
    (call) => READS.test(call.tool) && !call.failure,
    MANY_READS,
    (run) =>
      new Set(run.map((call) => call.input.exact)).size >= MANY_READS &&
      new Set(run.map((call) => call.asked)).size > 1,
  ).map((run) => ({ kind: "read_instead_of_search", calls: run }));
}

/** Stretches of calls in one turn that all fit. */
function runs(
  calls: readonly ToolCall[],
  fits: (call: ToolCall) => boolean,
  least: number,
  counts: (run: readonly ToolCall[]) => boolean,
): ToolCall[][] {
  const found: ToolCall[][] = [];
  let run: ToolCall[] = [];
  const close = (): void => {
    if (run.length >= least && counts(run)) found.push(run);
    run = [];
  };
  for (const call of calls) {
    if (run.length > 0 && run[0]?.turn !== call.turn) close();
    if (fits(call)) run.push(call);
    else close();
  }
  close();
  return found;
}
