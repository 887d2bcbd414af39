import { textsFor } from "../../text/pick.ts";
import { oneLine } from "../clean-text.ts";
import type { Goal } from "./goal.ts";
import type { Step } from "./next-step.ts";

const TEXT_CHARS = 60;

/** The line an end is told by: what happened, why, and how to go on. */
export function goalLine(
  goal: Pick<Goal, "language" | "budget" | "text" | "number">,
  step: Exclude<Step, { go: "continue" | "check" }>,
): string {
  const { goal: t } = textsFor(goal.language);
  // There may be several goals in a chat.
  const which = `#${goal.number} ${oneLine(goal.text, TEXT_CHARS)}`;
  switch (step.go) {
    case "done":
      return `${t.done(step.reason)}\n${which}\n${t.card.evidence(t.evidence[step.evidence])}`;
    case "blocked":
      return `${t.blocked(step.reason)}\n${which}\n${t.resumeHow}`;
    case "pause": {
      const why = [t.cause[step.cause], step.reason].filter((part) => part !== undefined && part !== "").join("\n");
      return `${t.paused(step.counters.turnsUsed, goal.budget)}\n${which}\n${why}\n${t.resumeHow}`;
    }
  }
}
