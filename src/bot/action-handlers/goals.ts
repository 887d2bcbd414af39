import { inTransaction } from "../../engine/db.ts";
import { clearGoal } from "../../engine/goal/clear-goal.ts";
import { assertMaySteer, goalById } from "../../engine/goal/find-goal.ts";
import { pauseGoal } from "../../engine/goal/pause-goal.ts";
import { raiseBudget } from "../../engine/goal/raise-budget.ts";
import { resumeGoal } from "../../engine/goal/resume-goal.ts";
import { stopGoalTurn } from "../../engine/goal/stop-goal-turn.ts";
import { addCriterion } from "../../engine/goal/subgoals.ts";
import { turnCard } from "../../engine/turn-card.ts";
import type { Answer } from "../tap.ts";
import type { ActionHandlers } from "./index.ts";
import { openCard } from "./open-card.ts";

type GoalActions =
  | "goal.pause"
  | "goal.resume"
  | "goal.stop"
  | "goal.clear"
  | "goal.raise"
  | "goal.criterion"
  | "goal.details"
  | "goal.show";

/** The card of a goal. Who may is asked by each operation, at the operator of the tap. */
export const goalActions: Pick<ActionHandlers, GoalActions> = {
  "goal.pause": async ({ scope, who, reader: { t } }, { goal }) => {
    const { outcome } = await pauseGoal(scope, who, goal);
    return changed(outcome === "already" ? t.goal.alreadyPaused : t.goal.toast.paused);
  },
  "goal.resume": async ({ scope, who, reader: { t } }, { goal }) => {
    const { outcome } = await resumeGoal(scope, who, goal);
    return changed(outcome === "already" ? t.goal.alreadyActive : t.goal.toast.resumed, ["advance-goals"]);
  },
  "goal.stop": async ({ scope, who, reader: { t } }, { goal }) => {
    const { outcome } = await stopGoalTurn(scope, who, goal);
    const runs = outcome === "asked" || outcome === "already";
    return changed(runs ? t.goal.toast.stopped : t.goal.toast.nothingRuns, ["advance-goals"]);
  },
  "goal.clear": async ({ scope, who, reader: { t } }, { goal }) => {
    await clearGoal(scope, who, goal);
    return changed(t.goal.toast.cleared);
  },
  "goal.raise": async ({ scope, who, reader: { t } }, { goal, budget }) => {
    const now = await raiseBudget(scope, who, { goalId: goal, seenBudget: budget });
    return changed(t.goal.toast.raised(now.budget), ["advance-goals"]);
  },
  "goal.criterion": async ({ scope, who, reader: { t } }, { goal }, { text }) => {
    await addCriterion(scope, who, goal, text);
    return changed(t.goal.toast.added);
  },
  "goal.details": async (tap, { goal, open }) => {
    assertMaySteer(tap.who, await goalById(tap.scope, goal));
    await inTransaction(tap.scope.db, (tx) =>
      turnCard(tx, tap.scope, tap.post.id, {
        subject: { kind: "goal", id: goal },
        view: { ...tap.post.view, details: open },
      }),
    );
    return { toast: { type: "info", content: tap.reader.t.toast.refreshed }, redraw: true, turned: true };
  },
  "goal.show": async (tap, { goal }) => {
    assertMaySteer(tap.who, await goalById(tap.scope, goal));
    return openCard(tap, { subject: { kind: "goal", id: goal }, view: { viewer: tap.who.openId } }, []);
  },
};

function changed(content: string, wakes?: readonly string[]): Answer {
  return { toast: { type: "success", content }, redraw: true, ...(wakes && { wakes }) };
}
