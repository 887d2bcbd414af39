import { createHash } from "node:crypto";
import { cut, oneLine } from "../clean-text.ts";
import type { Evidence } from "../evidence.ts";
import { maskSecrets } from "../mask-secrets.ts";
import type { FailureKind } from "./failure-kind.ts";
import type { SessionFacts, ToolCall } from "./session-facts.ts";
import type { SessionFindings } from "./session-findings.ts";

export const causeKinds = [
  "failure",
  "loop",
  "chain",
  "reads",
  "searches",
  "redundant",
  "slow",
  "correction",
  "success",
  "statement",
] as const;
export type CauseKind = (typeof causeKinds)[number];

/** Something that was seen in sessions of one date, told apart by what caused it and where: the unit of evidence. */
export interface Cause {
  kind: CauseKind;
  /** the same over nights, whatever words describe it */
  key: string;
  /** where it holds: a tool, a host, a command, a kind of work */
  scope: string;
  /** in plain words: the command, the file, what was said */
  about: string;
  failure?: FailureKind;
  count: number;
  /** at most fifty */
  sessions: string[];
  /** sessions in which the same thing went well */
  successes: number;
  quotes: Evidence[];
  from: Date;
  to: Date;
  /** time it took, as far as the hooks told */
  ms: number;
}

const MOST_SESSIONS = 50;
const MOST_QUOTES = 3;
const QUOTE_CHARS = 160;
/** Causes held at once; the rarest are let go first. */
const MOST_CAUSES = 4_000;
/** A call longer than this counts as slow. */
const SLOW_MS = 60_000;

/** Cause and scope without their words: what a refusal is remembered by. */
export function fingerprintOf(key: string): string {
  return createHash("sha256").update(key.toLowerCase()).digest("base64url").slice(0, 22);
}

/** Collects causes over the sessions of a date. Memory is bounded whatever the number of sessions. */
export class CauseTally {
  readonly #causes = new Map<string, Cause>();
  readonly #went = new Map<string, number>();

  /** `quality` is the session's score: what worked is only learned from sessions that went well. */
  add(facts: SessionFacts, findings: SessionFindings, quality: number): void {
    const failed = new Set<string>();
    const well = new Set<string>();
    const places = facts.calls.map(placeOf);
    for (const [at, call] of facts.calls.entries()) {
      const place = places[at] ?? call.tool;
      if (!call.failure) {
        well.add(place);
        if ((call.durationMs ?? 0) >= SLOW_MS) this.#slow(facts, call);
        continue;
      }
      failed.add(place);
      const { kind, message } = call.failure;
      this.#note(
        facts,
        { kind: "failure", key: `failure|${place}|${kind}`, scope: place, about: () => place, failure: kind },
        () => [callQuote(facts, call, message)],
        [call],
      );
    }
    for (const place of well) this.#went.set(place, (this.#went.get(place) ?? 0) + (failed.has(place) ? 0 : 1));
    this.#waste(facts, findings);
    for (const id of facts.signals.corrections) {
      const said = facts.said.find((each) => each.id === id);
      if (!said) continue;
      const scope = facts.category;
      this.#note(facts, { kind: "correction", key: `correction|${scope}`, scope, about: () => said.text }, () => [
        userQuote(facts, said),
      ]);
    }
    for (const said of facts.said) {
      const statement = statementOf(said.text);
      if (statement === undefined) continue;
      const key = `statement|${statement.toLowerCase().replace(/[\s\p{P}]+/gu, "")}`;
      this.#note(facts, { kind: "statement", key, scope: "user", about: () => statement }, () => [
        userQuote(facts, said),
      ]);
    }
    this.#success(facts, places, quality);
  }

  /** What was seen, most often seen first. */
  causes(): Cause[] {
    for (const cause of this.#causes.values()) {
      if (cause.kind === "failure") cause.successes = this.#went.get(cause.scope) ?? 0;
    }
    return [...this.#causes.values()].sort((a, b) => b.sessions.length - a.sessions.length || b.count - a.count);
  }

  #waste(facts: SessionFacts, findings: SessionFindings): void {
    for (const { calls } of findings.loops) {
      const [first] = calls;
      if (!first) continue;
      const place = placeOf(first);
      this.#note(
        facts,
        { kind: "loop", key: `loop|${place}`, scope: place, about: () => aboutCall(first) },
        () => [callQuote(facts, first, aboutCall(first))],
        calls,
      );
    }
    for (const { calls } of findings.chains) {
      const [first] = calls;
      if (!first?.failure) continue;
      const { failure } = first;
      const place = placeOf(first);
      this.#note(
        facts,
        {
          kind: "chain",
          key: `chain|${place}|${first.failure.kind}`,
          scope: place,
          about: () => aboutCall(first),
          failure: first.failure.kind,
        },
        () => [callQuote(facts, first, failure.message)],
        calls,
      );
    }
    for (const { path, calls, wasted } of findings.reads.same) {
      const [first] = calls;
      if (!first) continue;
      this.#note(
        facts,
        { kind: "reads", key: `reads|${first.tool}`, scope: first.tool, about: () => path },
        () => [callQuote(facts, first, path)],
        calls,
        wasted,
      );
    }
    for (const { query, calls } of findings.searches) {
      const [first] = calls;
      if (!first) continue;
      this.#note(
        facts,
        { kind: "searches", key: `searches|${first.tool}`, scope: first.tool, about: () => query },
        () => [callQuote(facts, first, query)],
        calls,
        calls.length - 1,
      );
    }
    for (const { kind, calls } of findings.redundant) {
      const [first] = calls;
      if (!first) continue;
      const about = (): string => calls.map(aboutCall).join(" → ");
      this.#note(
        facts,
        { kind: "redundant", key: `redundant|${kind}`, scope: kind, about },
        () => [callQuote(facts, first, about())],
        calls,
      );
    }
  }

  #slow(facts: SessionFacts, call: ToolCall): void {
    const place = placeOf(call);
    this.#note(
      facts,
      { kind: "slow", key: `slow|${place}`, scope: place, about: () => aboutCall(call) },
      () => [callQuote(facts, call, aboutCall(call))],
      [call],
    );
  }

  /** A way of working that went well: its steps in order, the same step in a row once. */
  #success(facts: SessionFacts, places: readonly string[], quality: number): void {
    const { signals, category, outcome } = facts;
    if (outcome !== "completed" || quality < 0.8 || signals.corrections.length + signals.frustration.length > 0) return;
    const steps: string[] = [];
    if (facts.calls.some((call) => call.failure)) return;
    for (const step of places) if (steps.at(-1) !== step) steps.push(step);
    const wish = facts.said[0];
    if (steps.length < 3 || steps.length > 8 || !wish) return;
    const about = steps.join(" → ");
    this.#note(
      facts,
      { kind: "success", key: `success|${category}|${about}`, scope: category, about: () => about },
      () => [userQuote(facts, wish)],
      facts.calls,
    );
  }

  #note(
    facts: SessionFacts,
    what: Pick<Cause, "kind" | "key" | "scope" | "failure"> & { about: () => string },
    quotes: () => readonly Evidence[],
    calls: readonly ToolCall[] = [],
    count = 1,
  ): void {
    const times = calls.map((call) => call.at);
    const [from, to] = [times[0] ?? facts.startedAt, times.at(-1) ?? facts.startedAt];
    const ms = calls.reduce((total, call) => total + (call.durationMs ?? 0), 0);
    const known = this.#causes.get(what.key);
    if (!known) {
      if (this.#causes.size >= MOST_CAUSES) this.#letGo();
      const { about, ...rest } = what;
      this.#causes.set(what.key, {
        ...rest,
        about: masked(about(), 200),
        count,
        sessions: [facts.id],
        successes: 0,
        quotes: [...quotes()],
        from,
        to,
        ms,
      });
      return;
    }
    known.count += count;
    known.ms += ms;
    if (from < known.from) known.from = from;
    if (to > known.to) known.to = to;
    if (known.sessions.at(-1) !== facts.id) {
      if (known.sessions.length < MOST_SESSIONS) known.sessions.push(facts.id);
      if (known.quotes.length < MOST_QUOTES) known.quotes.push(...quotes().slice(0, 1));
    }
  }

  #letGo(): void {
    const rare = [...this.#causes].sort(([, a], [, b]) => a.count - b.count).slice(0, MOST_CAUSES / 2);
    for (const [key] of rare) this.#causes.delete(key);
  }
}

/** What a call works on, the same over sessions: tool and host, tool and the command's first words, or the tool. */
export function placeOf(call: ToolCall): string {
  const { command } = call.input;
  if (command !== undefined) return `${call.tool} ${commandHead(command)}`;
  const host =
    call.failure?.host ?? /\bhttps?:\/\/(?:[^\s/@"']*@)?([\w.-]+)/i.exec(String(call.input.values.url ?? ""))?.[1];
  return host === undefined ? call.tool : `${call.tool} ${host.toLowerCase()}`;
}

/** The program of a command and its first word that is no flag and no path: "npm ci", "git push", "ls". */
export function commandHead(command: string): string {
  const bare = command
    .replace(/^(?:\s*cd\s+\S+\s*(?:&&|;)\s*)+/, "")
    .replace(/^(?:\s*[A-Z_][A-Z0-9_]*=\S+\s+)+/, "")
    .replace(/^\s*(?:sudo|time|nohup)\s+/, "");
  const [program = "", ...rest] = bare.trim().split(/\s+/, 4);
  const name = program.split("/").at(-1) ?? program;
  const word = rest[0];
  const second = word !== undefined && /^[a-z][a-z0-9:-]{1,20}$/i.test(word) ? word : undefined;
  const third = second === "run" && /^[a-z][\w:-]{1,20}$/i.test(rest[1] ?? "") ? rest[1] : undefined;
  return [name, second, third]
    .filter((each) => each !== undefined)
    .join(" ")
    .slice(0, 60);
}

/** A call in one line, as people would name it. */
export function aboutCall({ tool, input }: ToolCall): string {
  const { command, path } = input;
  const named = command ?? path ?? firstValue(input.values);
  return masked(named === undefined ? tool : `${tool}: ${named}`, 120);
}

function firstValue(values: Readonly<Record<string, unknown>>): string | undefined {
  const value = Object.values(values).find((each) => typeof each === "string" && each !== "");
  return typeof value === "string" ? value : undefined;
}

function callQuote(facts: SessionFacts, call: ToolCall, text: string): Evidence {
  return quote(facts, { messageId: call.id, role: "tool", at: call.at, text });
}

function userQuote(facts: SessionFacts, said: SessionFacts["said"][number]): Evidence {
  return quote(facts, { messageId: said.id, role: "user", at: said.at, text: said.text });
}

function quote(
  facts: SessionFacts,
  { text, ...line }: { messageId: string; role: string; at: Date; text: string },
): Evidence {
  return {
    sessionId: facts.id,
    ...line,
    quote: masked(text, QUOTE_CHARS),
    source: facts.source,
    ...(facts.chatType && { chatType: facts.chatType }),
    ...(facts.chatId && { chatId: facts.chatId }),
  };
}

function masked(text: string, most: number): string {
  return oneLine(maskSecrets(cut(text, 2_000), { personal: true }), most);
}

const STATEMENT =
  /(?:^|[。！!；;\n])\s*(?:请|帮我|麻烦)?(?:记住|记一下|以后(?:都|请|默认|一律|遇到)|从现在起|今后)[，,：:\s]*([^。！？!?\n]{6,120})|\b(?:please\s+)?(?:remember\s+(?:that\s+)?|from\s+now\s+on,?\s+|always\s+(?=use|write|reply|answer|keep))([^.!?\n]{8,160})/i;

/** A lasting wish or fact that the person stated as such. */
function statementOf(text: string): string | undefined {
  const match = STATEMENT.exec(text.slice(0, 2_000));
  const said = (match?.[1] ?? match?.[2])?.trim();
  return said !== undefined && said.length >= 6 ? said : undefined;
}
