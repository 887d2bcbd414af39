import type { Momentum } from "../tracking/item.ts";
import { isNamedTime, isTimely, type MatterState } from "./disturb-rules.ts";
import type { Candidate } from "./run.ts";

/** A candidate with the item it is about, when it has one. */
export interface Ranked {
  candidate: Candidate;
  state: MatterState | undefined;
}

const BY_MOMENTUM: Readonly<Record<Momentum, number>> = { time_sensitive: 30, stalled: 20, waiting: 15, on_track: 10 };

/** A date ahead lifts a matter by so much, less by a point for every six hours until it. */
const NEAR_DATE = 20;
const HOURS_A_POINT = 6;

/**
 * The most pressing first: what the person asked for now, then what is due (soonest first), then by momentum and
 * the date ahead, kinds the
 * person wants less of later, what was never mentioned before what was. Ties keep the order of the numbers.
 */
export function rankCandidates(
  candidates: readonly Ranked[],
  now: Date,
  weights: Readonly<Partial<Record<string, number>>>,
): Ranked[] {
  return [...candidates].sort(
    (a, b) => urgency(b, now, weights) - urgency(a, now, weights) || a.candidate.index - b.candidate.index,
  );
}

function urgency({ candidate, state }: Ranked, now: Date, weights: Readonly<Partial<Record<string, number>>>): number {
  if (!state) return BY_MOMENTUM.on_track;
  if (isNamedTime(state, now)) return 2000;
  const weight = weights[candidate.matterKind] ?? 1;
  const unheard = state.lastRemindedAt ? 0 : 5;
  const hours = state.dueAt ? (state.dueAt.getTime() - now.getTime()) / 3_600_000 : Number.POSITIVE_INFINITY;
  if (isTimely(state, now)) return 1000 - Math.abs(hours) + unheard;
  const near = hours > 0 ? Math.max(0, NEAR_DATE - hours / HOURS_A_POINT) : 0;
  return (BY_MOMENTUM[state.momentum] + near + unheard) * weight;
}
