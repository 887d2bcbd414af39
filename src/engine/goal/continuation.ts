import { textsFor } from "../../text/pick.ts";
import { ownTurnMarks } from "../proactive/human-message.ts";
import type { Goal, GoalCriterion } from "./goal.ts";
import { BLOCKED_MARK, DONE_MARK } from "./judge-by-rules.ts";

/** What the next turn is for. */
export type TurnPurpose = "first" | "continue" | "check";

/**
 * The text of a goal's turn: a plain message, so that nothing of the session's prompt or tools changes and its cache holds.
 * Always the newest wording of goal and conditions. `judged` says whether a model will judge the reply; without one the
 * agent is asked to mark its own end.
 */
export function continuation(
  goal: Pick<Goal, "text" | "language" | "reason" | "check">,
  criteria: readonly Pick<GoalCriterion, "number" | "text">[],
  purpose: TurnPurpose,
  judged: boolean,
): string {
  const { prompt } = textsFor(goal.language).goal;
  const list = criteria.map(({ number, text }) => `${number}. ${text}`);
  const parts =
    purpose === "check"
      ? [prompt.check(goal.check ?? "")]
      : purpose === "first"
        ? [goal.text]
        : [prompt.go(goal.text, goal.reason ?? "")];
  if (list.length > 0) parts.push([prompt.criteria, ...list].join("\n"));
  if (!judged) parts.push(prompt.marks(DONE_MARK, BLOCKED_MARK));
  // So that nobody takes it for a person speaking: the goal has a card of its own, and needs no reminder.
  return [ownTurnMarks.goal, ...parts].join("\n\n");
}
