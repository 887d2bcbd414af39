import { z } from "zod";

/** Sessions of the same kinds of work before anything is said of a change. */
export const MIN_SAMPLES = 10;
/** Of one kind of work, before it alone can take a change back. */
export const MIN_CATEGORY_SAMPLES = 8;
/** So much better counts as better. */
export const BETTER_BY = 0.02;
/** So much worse, over all or in one kind of work, takes the change back. */
export const WORSE_BY = 0.06;
/** Averages falling at so many judgings in a row, each with new sessions, and below what was before: taken back, too. */
export const FALLING_TIMES = 3;
/** After so many days, or so many sessions, without either: nobody can say. */
export const TRIAL_DAYS = 30;
export const TRIAL_SAMPLES = 200;
/** Days before the change that give the baseline. */
export const BASELINE_DAYS = 28;

export const unitCategoriesSchema = z
  .array(z.object({ category: z.string(), baseline: z.number(), samples: z.number().int() }))
  .catch([]);
export type UnitCategory = z.infer<typeof unitCategoriesSchema>[number];

export const evaluationsSchema = z
  .array(z.object({ at: z.coerce.date(), samples: z.number().int(), score: z.number() }))
  .catch([]);
export type Evaluation = z.infer<typeof evaluationsSchema>[number];

export type Verdict =
  | { verdict: "too_early"; samples: number; need: number }
  | { verdict: "going_on" }
  | { verdict: "promoted"; by: number }
  /** `category` names the kind of work in which it got worse, when it was one */
  | { verdict: "reverted"; because: "worse" | "falling"; by: number; category?: string }
  | { verdict: "inconclusive" };

export interface UnitFacts {
  openedAt: Date;
  baseline: readonly UnitCategory[];
  /** earlier judgings, oldest first */
  evaluations: readonly Evaluation[];
  /** sessions since, of the kinds of work compared */
  current: readonly { category: string; score: number }[];
}

/**
 * What the sessions since a change say about it. Compared is like with like: each kind of work with its own past, and the
 * whole as the mean of the kinds, weighted by the sessions since. One kind that got worse is enough to take it back,
 * whatever the others did.
 */
export function judge({ openedAt, baseline, evaluations, current }: UnitFacts, now: Date): Verdict {
  const known = new Map(baseline.filter(({ samples }) => samples > 0).map((each) => [each.category, each]));
  const groups = new Map<string, number[]>();
  for (const { category, score } of current) {
    if (known.has(category)) groups.set(category, [...(groups.get(category) ?? []), score]);
  }
  const samples = [...groups.values()].reduce((sum, scores) => sum + scores.length, 0);
  let worst: { category: string; by: number } | undefined;
  let change = 0;
  for (const [category, scores] of groups) {
    const before = known.get(category);
    if (!before) continue;
    const by = mean(scores) - before.baseline;
    change += by * (scores.length / samples);
    const enough = scores.length >= MIN_CATEGORY_SAMPLES && before.samples >= MIN_CATEGORY_SAMPLES;
    if (enough && by <= -WORSE_BY && by < (worst?.by ?? 0)) worst = { category, by };
  }
  if (worst) return { verdict: "reverted", because: "worse", by: round(-worst.by), category: worst.category };
  const old = now.getTime() - openedAt.getTime() >= TRIAL_DAYS * 86_400_000;
  if (samples < MIN_SAMPLES)
    return old ? { verdict: "inconclusive" } : { verdict: "too_early", samples, need: MIN_SAMPLES };
  if (change <= -WORSE_BY) return { verdict: "reverted", because: "worse", by: round(-change) };
  if (change < 0 && isFalling(evaluations, { samples, score: scoreOf(current, known) })) {
    return { verdict: "reverted", because: "falling", by: round(-change) };
  }
  if (change >= BETTER_BY) return { verdict: "promoted", by: round(change) };
  return old || samples >= TRIAL_SAMPLES ? { verdict: "inconclusive" } : { verdict: "going_on" };
}

/** The mean of the sessions that count. */
export function scoreOf(
  current: UnitFacts["current"],
  known: ReadonlyMap<string, unknown> | ReadonlySet<string>,
): number {
  return round(mean(current.filter(({ category }) => known.has(category)).map(({ score }) => score)));
}

function isFalling(evaluations: readonly Evaluation[], now: { samples: number; score: number }): boolean {
  const seen = [...evaluations, now].filter((each, at, all) => at === 0 || each.samples > (all[at - 1]?.samples ?? 0));
  const last = seen.slice(-(FALLING_TIMES + 1));
  return last.length > FALLING_TIMES && last.every((each, at) => at === 0 || each.score < (last[at - 1]?.score ?? 0));
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
