import type { Scope } from "./engine/scope.ts";
import type { Settings } from "./engine/settings.ts";

/** When a job's slots lie. Minutes count from the epoch; a time of day is the agent's wall. */
export type When = { kind: "every"; minutes: number } | { kind: "daily"; at: string };

/** A slot every so many minutes (1 to 1440), at the same instants on every replica and after every restart. */
export function every(minutes: number): When {
  return { kind: "every", minutes };
}

/** A slot a day at "HH:MM" on the agent's wall. */
export function dailyAt(at: string): When {
  return { kind: "daily", at };
}

/** How a run ended. `no_op` says why nothing was to be done; success needs an effect. */
export type JobOutcome =
  | { outcome: "done"; reason?: string }
  | { outcome: "no_op"; reason: string }
  | { outcome: "failed"; reason: string };

/** How late a caught-up slot is still of use, unless the job says otherwise. */
export const RELEVANT_MINUTES = 12 * 60;

/** Handed to a run: `signal` is set when the process wants to stop, so that long work ends after its present step. */
export interface JobContext {
  signal: AbortSignal;
}

export interface Job {
  name: string;
  when(settings: Settings): When;
  /**
   * What becomes of slots that passed while nobody was there. `skip`: only the newest counts, and only until the next one
   * is due. `run_once`: the newest is caught up with, once, within `relevantMinutes`.
   */
  missed: "skip" | "run_once";
  /** How late a caught-up slot is still of use. Default RELEVANT_MINUTES. */
  relevantMinutes?: number;
  /**
   * A sweep claims each of its rows by itself, so it may run on every replica, leaves no row per slot, and may be poked
   * at any time. Other jobs run once per slot over all replicas.
   */
  sweep?: boolean;
  run(scope: Scope, context: JobContext): Promise<JobOutcome>;
}
