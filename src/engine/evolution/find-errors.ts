import { nearlySame, queryOf, tidyPath } from "./call-input.ts";
import type { FailureKind } from "./failure-kind.ts";
import type { SessionFacts, ToolCall } from "./session-facts.ts";

/** More calls than this with one input are a loop. */
export const LOOP_CALLS = 3;
/** Shorter than eight words at least an input is not compared by them. */
const COMPARED_CHARS = 40;
/** Inputs looked at when a call is compared with what came before: sessions can be very long. */
const MOST_GROUPS = 60;

export interface RetryLoop {
  tool: string;
  /** the calls, oldest first */
  calls: readonly ToolCall[];
  /** not to the letter the same */
  near: boolean;
}

/** Calls of one tool with the same, or nearly the same, input, more than twice in a session: whatever came back. */
export function retryLoops(calls: readonly ToolCall[]): RetryLoop[] {
  const byTool = new Map<string, ToolCall[][]>();
  const byLoose = new Map<string, ToolCall[]>();
  for (const call of calls) {
    const groups = byTool.get(call.tool) ?? [];
    byTool.set(call.tool, groups);
    const { loose } = call.input;
    const key = `${call.tool}\u0000${loose}`;
    const same = byLoose.get(key);
    // Only searches and long inputs are compared by their words: for all others another input is another call.
    const compared = same === undefined && (loose.length >= COMPARED_CHARS || queryOf(call.input) !== undefined);
    const group =
      same ??
      (compared
        ? groups.slice(-MOST_GROUPS).find(([first]) => first && nearlySame(first.input, call.input))
        : undefined);
    if (group) group.push(call);
    else groups.push([call]);
    if (same === undefined) byLoose.set(key, group ?? groups.at(-1) ?? []);
  }
  const loops: RetryLoop[] = [];
  for (const [tool, groups] of byTool) {
    for (const group of groups) {
      if (group.length < LOOP_CALLS) continue;
      loops.push({ tool, calls: group, near: group.some((call) => call.input.exact !== group[0]?.input.exact) });
    }
  }
  return loops;
}

export interface ErrorChain {
  /** the failure that came first, and those that followed from it */
  calls: readonly ToolCall[];
}

/** Work whose product others need: when it fails, what comes after fails for want of it. */
const PRODUCES =
  /\b(?:build|compile|tsc|make|install|ci|gen(?:erate)?|prepare|bundle|clone|pull|checkout|fetch|download|curl|wget|unzip|tar|mkdir|touch|create|new|init|start|up|run|serve|login|auth|connect|migrate|export|apply|cp|mv|write|save|upload)\b|create|write|upload|open|login|connect|start|generate|download|clone|build/i;
/** What failing for want of something looks like. */
const LACKS: ReadonlySet<FailureKind> = new Set(["not_found", "invalid_input", "auth", "nonzero_exit"]);
const MISSING =
  /cannot find|can't find|could not find|no such|not found|does ?n[o']t exist|missing|is required|undefined|null|not running|refused|not logged in|no module|unresolved|unable to (?:open|locate|find)|找不到|不存在|缺少|未登录|没有/i;
/** A value the earlier call should have given. */
const EMPTY_VALUE = /:\s*(?:null|""|"undefined"|"null"|"None"|undefined)/;
/** Failures further apart than this many calls are not tied by a kind of work alone. */
const NEAR_CALLS = 4;

/**
 * A failure and the later failures of the session that it caused: the later one names what the earlier one was to make, or
 * comes right after it and lacks something. The same call tried again is no chain, and neither are failures that merely
 * stand near each other.
 */
export function errorChains(calls: readonly ToolCall[]): ErrorChain[] {
  const failed = calls.map((call, at) => ({ call, at })).filter(({ call }) => call.failure !== undefined);
  const chains: { calls: ToolCall[] }[] = [];
  const chainOf = new Map<ToolCall, { calls: ToolCall[] }>();
  for (const [index, { call, at }] of failed.entries()) {
    for (let before = index - 1; before >= Math.max(0, index - 12); before--) {
      const earlier = failed[before];
      if (
        !earlier ||
        !causes(earlier.call, call, { between: calls.slice(earlier.at + 1, at), apart: at - earlier.at })
      ) {
        continue;
      }
      let chain = chainOf.get(earlier.call);
      if (!chain) {
        chain = { calls: [earlier.call] };
        chains.push(chain);
        chainOf.set(earlier.call, chain);
      }
      chain.calls.push(call);
      chainOf.set(call, chain);
      break;
    }
  }
  return chains;
}

function causes(
  earlier: ToolCall,
  later: ToolCall,
  { between, apart }: { between: readonly ToolCall[]; apart: number },
): boolean {
  if (earlier.turn !== later.turn) return false;
  if (earlier.tool === later.tool && nearlySame(earlier.input, later.input)) return false;
  // Tried again with success in between: what it was to make is there.
  if (between.some((call) => !call.failure && call.tool === earlier.tool && nearlySame(call.input, earlier.input))) {
    return false;
  }
  const lacks = LACKS.has(later.failure?.kind ?? "other") || MISSING.test(later.failure?.message ?? "");
  if (!lacks) return false;
  if (namesProductOf(earlier, later)) return true;
  const wentWell = between.some((call) => !call.failure);
  if (wentWell || apart > NEAR_CALLS) return false;
  if (EMPTY_VALUE.test(rawValues(later))) return true;
  const sameField = fieldOf(earlier) !== undefined && fieldOf(earlier) === fieldOf(later);
  return sameField && PRODUCES.test(workOf(earlier)) && MISSING.test(later.failure?.message ?? "");
}

/** The later failure speaks of a file or name that the earlier call was about. */
function namesProductOf(earlier: ToolCall, later: ToolCall): boolean {
  const about = namesIn(`${earlier.input.command ?? ""} ${earlier.input.path ?? ""} ${rawValues(earlier)}`);
  if (about.size === 0) return false;
  const wanted = namesIn(`${later.failure?.message ?? ""} ${later.input.path ?? ""} ${later.input.command ?? ""}`);
  const missed = namesIn(later.failure?.message ?? "");
  for (const name of about) if (wanted.has(name) && (missed.has(name) || missed.size === 0)) return true;
  return false;
}

/** Names specific enough to tie two calls: paths, files, hosts, ids. */
function namesIn(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [word] of text.slice(0, 3_000).matchAll(/[\w~@-]*[./][\w./~@-]*\w|\b[A-Z]{2,}-\d+\b/g)) {
    const tidy = tidyPath(word).replace(/^(?:\.\.?\/)+/, "");
    if (tidy.length >= 5 && !/^\d+(?:\.\d+)*$/.test(tidy)) names.add(tidy.toLowerCase());
  }
  return names;
}

function rawValues({ input }: ToolCall): string {
  return JSON.stringify(input.values).slice(0, 3_000);
}

/** What kind of thing a call works on: the first word of a command, or of a tool's name (`ticket_create` → ticket). */
function fieldOf(call: ToolCall): string | undefined {
  const { command } = call.input;
  if (command === undefined) return /^([a-z]{3,})_/i.exec(call.tool)?.[1]?.toLowerCase();
  return /^(?:cd \S+ ?&& ?)?(?:sudo )?([\w./-]+)/.exec(command)?.[1]?.toLowerCase();
}

function workOf(call: ToolCall): string {
  return `${call.tool.replaceAll("_", " ")} ${call.input.command ?? ""}`;
}

/** Failures of one cause over all sessions of a date. */
export interface FailureGroup {
  tool: string;
  kind: FailureKind;
  host?: string;
  count: number;
  sessions: Set<string>;
  from: Date;
  to: Date;
  /** one message, as the tool wrote it */
  sample: string;
  sampleSession: string;
  sampleCall: string;
}

/** Adds a session's failures to the groups: by tool, kind and host. */
export function groupFailures(groups: Map<string, FailureGroup>, facts: SessionFacts): void {
  for (const { tool, failure, at, id } of facts.calls) {
    if (!failure) continue;
    const { kind, host, message } = failure;
    const key = `${tool}\u0000${kind}\u0000${host ?? ""}`;
    const known = groups.get(key);
    if (!known) {
      groups.set(key, {
        tool,
        kind,
        ...(host !== undefined && { host }),
        count: 1,
        sessions: new Set([facts.id]),
        from: at,
        to: at,
        sample: message.slice(0, 400),
        sampleSession: facts.id,
        sampleCall: id,
      });
      continue;
    }
    known.count++;
    known.sessions.add(facts.id);
    if (at < known.from) known.from = at;
    if (at > known.to) known.to = at;
  }
}
