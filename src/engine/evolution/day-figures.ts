import { z } from "zod";
import { aboutCall } from "./causes.ts";
import { failureKinds } from "./failure-kind.ts";
import { type FailureGroup, groupFailures } from "./find-errors.ts";
import { chainKinds } from "./find-waste.ts";
import { EXPECTED, type Norms, type Quality } from "./quality.ts";
import type { SessionFacts, ToolCall } from "./session-facts.ts";
import type { SessionFindings } from "./session-findings.ts";

const count = z.number().int();
const counts = z.record(z.string(), count);

/** The figures of one date, as they are stored, shown and given to a model. */
export const dayFiguresSchema = z.object({
  sessions: z.object({
    total: count,
    completed: count,
    interrupted: count,
    failed: count,
    bySource: counts,
  }),
  score: z.object({
    average: z.number().nullable(),
    parts: z
      .object({ completion: z.number(), efficiency: z.number(), cost: z.number(), satisfaction: z.number() })
      .nullable(),
    byCategory: z.record(z.string(), z.object({ sessions: count, average: z.number() })),
  }),
  iterations: z.object({ total: count, average: z.number(), ideal: z.number() }),
  tools: z.object({
    total: count,
    failed: count,
    unanswered: count,
    byTool: z.array(z.object({ tool: z.string(), calls: count, failed: count })),
  }),
  failures: z.array(
    z.object({
      tool: z.string(),
      kind: z.enum(failureKinds),
      host: z.string().optional(),
      count,
      sessions: count,
      from: z.coerce.date(),
      to: z.coerce.date(),
      sample: z.string(),
      /** passing | lasting */
      lasting: z.boolean(),
    }),
  ),
  loops: z.object({ count, calls: count, top: z.array(z.object({ about: z.string(), calls: count })) }),
  chains: z.object({ count, top: z.array(z.object({ about: z.string(), failures: count })) }),
  longest: z.array(z.object({ about: z.string(), session: z.string(), ms: z.number() })),
  reads: z.object({ wasted: count, changed: count, top: z.array(z.object({ path: z.string(), wasted: count })) }),
  searches: z.object({ repeated: count }),
  redundant: z.object({ count, byKind: z.record(z.string(), count) }),
  inefficient: z.array(
    z.object({ session: z.string(), iterations: count, ideal: z.number(), calls: count, expected: z.number() }),
  ),
  signals: z.object({ corrections: count, frustration: count, thanks: count }),
  api: z.object({ failedTurns: count, events: count }),
  budgetExhausted: count,
  tokens: count,
  /** how many sessions the hooks saw; the rest is rebuilt from Hermes' session store */
  telemetry: z.object({ seen: count, rebuilt: count }),
});
export type DayFigures = z.infer<typeof dayFiguresSchema>;

const TOP = 10;
const SHOWN_TOOLS = 12;
/** A session took this many times what it should have. */
const INEFFICIENT = 2;

/** Adds sessions up. What it keeps is bounded: sums, and the top ten of each. */
export class DayTally {
  readonly #norms: Norms;
  readonly #sessions = { total: 0, completed: 0, interrupted: 0, failed: 0 };
  readonly #bySource = new Map<string, number>();
  readonly #scores = { composite: 0, completion: 0, efficiency: 0, cost: 0, satisfaction: 0 };
  readonly #byCategory = new Map<string, { sessions: number; sum: number }>();
  readonly #byTool = new Map<string, { calls: number; failed: number }>();
  readonly #groups = new Map<string, FailureGroup>();
  readonly #sums = {
    iterations: 0,
    ideal: 0,
    calls: 0,
    failed: 0,
    unanswered: 0,
    loopCalls: 0,
    loops: 0,
    chains: 0,
    wasted: 0,
    changed: 0,
    searches: 0,
    corrections: 0,
    frustration: 0,
    thanks: 0,
    failedTurns: 0,
    apiEvents: 0,
    budget: 0,
    tokens: 0,
    seen: 0,
  };
  readonly #redundant = new Map<string, number>();
  #loops: { about: string; calls: number }[] = [];
  #chains: { about: string; failures: number }[] = [];
  #reads: { path: string; wasted: number }[] = [];
  #longest: { about: string; session: string; ms: number }[] = [];
  #inefficient: DayFigures["inefficient"] = [];

  constructor(norms: Norms) {
    this.#norms = norms;
  }

  add(facts: SessionFacts, findings: SessionFindings, quality: Quality): void {
    const sums = this.#sums;
    this.#sessions.total++;
    this.#sessions[facts.outcome]++;
    this.#bySource.set(facts.source, (this.#bySource.get(facts.source) ?? 0) + 1);
    for (const part of Object.keys(this.#scores) as (keyof Quality)[]) this.#scores[part] += quality[part];
    const category = this.#byCategory.get(facts.category) ?? { sessions: 0, sum: 0 };
    this.#byCategory.set(facts.category, {
      sessions: category.sessions + 1,
      sum: category.sum + quality.composite,
    });
    const norm = this.#norms[facts.category] ?? EXPECTED[facts.category];
    sums.iterations += facts.iterations;
    sums.ideal += Math.min(norm.iterations, Math.max(facts.iterations, 0));
    sums.calls += facts.calls.length;
    sums.unanswered += facts.unanswered;
    sums.corrections += facts.signals.corrections.length;
    sums.frustration += facts.signals.frustration.length;
    sums.thanks += facts.signals.thanks.length;
    sums.failedTurns += facts.failedTurns.length;
    sums.apiEvents += facts.apiErrors;
    sums.budget += facts.budgetExhausted ? 1 : 0;
    sums.tokens += facts.tokens;
    sums.seen += facts.telemetry ? 1 : 0;
    this.#calls(facts);
    this.#waste(findings);
    if (facts.iterations >= INEFFICIENT * norm.iterations || facts.calls.length >= INEFFICIENT * norm.toolCalls) {
      this.#inefficient = top(
        [
          ...this.#inefficient,
          {
            session: facts.id,
            iterations: facts.iterations,
            ideal: norm.iterations,
            calls: facts.calls.length,
            expected: norm.toolCalls,
          },
        ],
        (each) => each.iterations + each.calls,
      );
    }
  }

  figures(): DayFigures {
    const { total } = this.#sessions;
    const sums = this.#sums;
    const mean = (sum: number): number => (total === 0 ? 0 : round(sum / total));
    const { composite, ...parts } = this.#scores;
    return {
      sessions: { ...this.#sessions, bySource: Object.fromEntries(this.#bySource) },
      score: {
        average: total === 0 ? null : mean(composite),
        parts:
          total === 0
            ? null
            : {
                completion: mean(parts.completion),
                efficiency: mean(parts.efficiency),
                cost: mean(parts.cost),
                satisfaction: mean(parts.satisfaction),
              },
        byCategory: Object.fromEntries(
          [...this.#byCategory].map(([name, { sessions, sum }]) => [
            name,
            { sessions, average: round(sum / sessions) },
          ]),
        ),
      },
      iterations: { total: sums.iterations, average: mean(sums.iterations), ideal: mean(sums.ideal) },
      tools: {
        total: sums.calls,
        failed: sums.failed,
        unanswered: sums.unanswered,
        byTool: [...this.#byTool]
          .map(([tool, each]) => ({ tool, ...each }))
          .sort((a, b) => b.calls - a.calls)
          .slice(0, SHOWN_TOOLS),
      },
      failures: [...this.#groups.values()]
        .sort((a, b) => b.count - a.count)
        .slice(0, TOP)
        .map(({ sessions, sampleSession: _s, sampleCall: _c, ...group }) => ({
          ...group,
          sessions: sessions.size,
          lasting: false,
        })),
      loops: { count: sums.loops, calls: sums.loopCalls, top: this.#loops },
      chains: { count: sums.chains, top: this.#chains },
      longest: this.#longest,
      reads: { wasted: sums.wasted, changed: sums.changed, top: this.#reads },
      searches: { repeated: sums.searches },
      redundant: {
        count: [...this.#redundant.values()].reduce((all, each) => all + each, 0),
        byKind: Object.fromEntries(
          chainKinds.flatMap((kind) => (this.#redundant.has(kind) ? [[kind, this.#redundant.get(kind) ?? 0]] : [])),
        ),
      },
      inefficient: this.#inefficient,
      signals: { corrections: sums.corrections, frustration: sums.frustration, thanks: sums.thanks },
      api: { failedTurns: sums.failedTurns, events: sums.apiEvents },
      budgetExhausted: sums.budget,
      tokens: sums.tokens,
      telemetry: { seen: sums.seen, rebuilt: total - sums.seen },
    };
  }

  #calls(facts: SessionFacts): void {
    for (const call of facts.calls) {
      const tool = this.#byTool.get(call.tool) ?? { calls: 0, failed: 0 };
      tool.calls++;
      if (call.failure) {
        tool.failed++;
        this.#sums.failed++;
      }
      this.#byTool.set(call.tool, tool);
      if (call.durationMs !== undefined) this.#time(facts, call, call.durationMs);
    }
    groupFailures(this.#groups, facts);
  }

  /** Most calls are not among the ten longest: nothing is made for them. */
  #time(facts: SessionFacts, call: ToolCall, ms: number): void {
    if (this.#longest.length >= TOP && ms <= (this.#longest.at(-1)?.ms ?? 0)) return;
    this.#longest = top([...this.#longest, { about: aboutCall(call), session: facts.id, ms }], (each) => each.ms);
  }

  #waste({ loops, chains, reads, searches, redundant }: SessionFindings): void {
    const sums = this.#sums;
    for (const loop of loops) {
      sums.loops++;
      sums.loopCalls += loop.calls.length;
      const [first] = loop.calls;
      if (first)
        this.#loops = top(
          [...this.#loops, { about: aboutCall(first), calls: loop.calls.length }],
          (each) => each.calls,
        );
    }
    for (const chain of chains) {
      sums.chains++;
      const about = chain.calls.map((call) => call.tool).join(" → ");
      this.#chains = top([...this.#chains, { about, failures: chain.calls.length }], (each) => each.failures);
    }
    const { same, changed } = reads;
    sums.changed += changed.length;
    for (const { path, wasted } of same) {
      sums.wasted += wasted;
      this.#reads = top([...this.#reads, { path, wasted }], (each) => each.wasted);
    }
    for (const { calls: again } of searches) sums.searches += again.length - 1;
    for (const { kind } of redundant) this.#redundant.set(kind, (this.#redundant.get(kind) ?? 0) + 1);
  }
}

function top<T>(list: T[], weight: (each: T) => number): T[] {
  return list.sort((a, b) => weight(b) - weight(a)).slice(0, TOP);
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
