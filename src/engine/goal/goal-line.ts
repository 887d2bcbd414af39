import { textsFor } from "../../text/pick.ts";
import type { Goal } from "./goal.ts";
import type { Step } from "./next-step.ts";

/** The line an end is told by: what happened, why, and how to go on. */
export function goalLine(
  goal: Pick<Goal, "language" | "budget" | "text">,
  step: Exclude<Step, { go: "continue" | "check" }>,
): string {
  const { goal: t } = textsFor(goal.language);
  switch (step.go) {
    case "done":
      return `${t.done(step.reason)}\n${t.card.evidence(t.evidence[step.evidence])}`;
    case "blocked":
      return `${t.blocked(step.reason)}\n${t.resumeHow}`;
    case "pause": {
      const why = [t.cause[step.cause], step.reason].filter((part) => part !== undefined && part !== "").join("\n");
      return `${t.paused(step.counters.turnsUsed, goal.budget)}\n${why}\n${t.resumeHow}`;
    }
  }
}
