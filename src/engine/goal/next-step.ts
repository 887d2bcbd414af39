import type { EvidenceClass, Goal, PauseCause } from "./goal.ts";
import { FAILURES_IN_ROW, SAME_IN_ROW, TOTAL_TURNS, UNREADABLE_IN_ROW } from "./limits.ts";

/** What a turn was, once it is over and looked at. */
export type TurnOutcome =
  /** judged by a model or the rules */
  | {
      is: "judged";
      verdict: "continue" | "done" | "blocked";
      reason: string;
      evidence: EvidenceClass;
      /** it says the same as the one before, or hardly anything */
      same: boolean;
      /** of a turn that ran the check: whether it was seen to run, and how it ended */
      check?: "passed" | "failed" | "not_run";
    }
  /** the judge could not be asked, or did not answer in its form */
  | { is: "unjudged"; because: "no_answer" | "unreadable"; same: boolean }
  | { is: "empty" }
  | { is: "failed"; why: string }
  | { is: "stopped" }
  | { is: "lost" };

/** The counters of a goal, as they are after a turn. */
export type Counters = Pick<Goal, "turnsUsed" | "failedInRow" | "unreadableInRow" | "sameInRow">;

export type Step =
  | { go: "continue"; reason: string | undefined; counters: Counters }
  /** the person's check is run in the next turn */
  | { go: "check"; reason: string; counters: Counters }
  | { go: "done"; reason: string; evidence: EvidenceClass; counters: Counters }
  | { go: "blocked"; reason: string; counters: Counters }
  | { go: "pause"; cause: PauseCause; reason: string | undefined; counters: Counters };

/**
 * What comes after a turn. Failed and lost turns are no progress and use up no budget, but so many in a row pause the goal
 * with their own reason; a judge that cannot be asked never stops the work (the budget does); one that cannot be read does
 * after a few times. `counts` is false for a turn a person asked for, which is judged but is none of the goal's own.
 */
export function nextStep(
  goal: Counters & Pick<Goal, "budget" | "turnsTotal" | "check" | "checkState">,
  outcome: TurnOutcome,
  counts: boolean,
): Step {
  const counters = count(goal, outcome, counts);
  const end = endOf(goal, outcome, counters);
  if (end !== undefined) return end;
  const reason = reasonOf(outcome);
  const pause = (cause: PauseCause, why = reason): Step => ({ go: "pause", cause, reason: why, counters });
  if (outcome.is === "failed" && counters.failedInRow >= FAILURES_IN_ROW) return pause("turns_failing", outcome.why);
  if (outcome.is === "lost" && counters.failedInRow >= FAILURES_IN_ROW) return pause("turns_failing", undefined);
  if (counters.unreadableInRow >= UNREADABLE_IN_ROW) return pause("judge_unreadable");
  if (counters.sameInRow >= SAME_IN_ROW) return pause("no_progress");
  if (counters.turnsUsed >= goal.budget) return pause("out_of_budget");
  if (goal.turnsTotal >= TOTAL_TURNS) return pause("total_cap");
  return { go: "continue", reason, counters };
}

function endOf(
  goal: Counters & Pick<Goal, "budget" | "turnsTotal" | "check" | "checkState">,
  outcome: TurnOutcome,
  counters: Counters,
): Step | undefined {
  if (outcome.is !== "judged") return undefined;
  if (outcome.verdict === "blocked") return { go: "blocked", reason: outcome.reason, counters };
  if (outcome.check === "not_run" && goal.checkState === "asked") {
    return { go: "pause", cause: "check_not_run", reason: outcome.reason, counters };
  }
  if (outcome.verdict !== "done") return undefined;
  // What a check that was taken back or replaced meanwhile has shown is no proof of what is asked for now.
  const isPresent = goal.checkState === "asked";
  const evidence = outcome.check === undefined ? outcome.evidence : "claimed";
  if (goal.check === null) return { go: "done", reason: outcome.reason, evidence, counters };
  if (outcome.check === "passed" && isPresent)
    return { go: "done", reason: outcome.reason, evidence: "checked", counters };
  // The check failed: the work goes on. It was not run yet: it is run now, unless the budget is used up.
  if (outcome.check === "failed" || counters.turnsUsed >= goal.budget || goal.turnsTotal >= TOTAL_TURNS)
    return undefined;
  return { go: "check", reason: outcome.reason, counters };
}

function count(goal: Counters, outcome: TurnOutcome, counts: boolean): Counters {
  const failed = outcome.is === "failed" || outcome.is === "lost";
  // An empty reply is a turn that was spent and said nothing; a stopped one was taken back by a person.
  const spent = counts && !failed && outcome.is !== "stopped";
  const same = outcome.is === "empty" || ((outcome.is === "judged" || outcome.is === "unjudged") && outcome.same);
  return {
    turnsUsed: goal.turnsUsed + (spent ? 1 : 0),
    failedInRow: failed ? goal.failedInRow + 1 : outcome.is === "stopped" ? goal.failedInRow : 0,
    unreadableInRow:
      outcome.is === "unjudged" && outcome.because === "unreadable"
        ? goal.unreadableInRow + 1
        : outcome.is === "judged"
          ? 0
          : goal.unreadableInRow,
    // What a person is answered says nothing about whether the goal moves.
    sameInRow: !counts || failed || outcome.is === "stopped" ? goal.sameInRow : same ? goal.sameInRow + 1 : 0,
  };
}

function reasonOf(outcome: TurnOutcome): string | undefined {
  if (outcome.is === "judged") return outcome.reason;
  return outcome.is === "failed" ? outcome.why : undefined;
}
