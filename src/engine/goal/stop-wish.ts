import type { TurnResult } from "../ports.ts";
import type { Scope } from "../scope.ts";
import type { GoalTurn } from "./goal.ts";

/** Hermes was asked for the end of a turn, and the turn goes on: after this it counts as stopped. */
const STOP_WITHIN_MS = 30_000;

export interface StopWish {
  /** Looks whether a person wants the turn to end, and passes that on once. */
  look: () => Promise<void>;
  /** Resolves as stopped when the turn was to end and did not. */
  late: Promise<TurnResult>;
  done: () => void;
}

/** A stop is stored by whoever takes the tap; the process that runs or follows the turn asks Hermes. */
export function stopWish(scope: Scope, turn: GoalTurn): StopWish {
  let timer: NodeJS.Timeout | undefined;
  let giveUp: (result: TurnResult) => void = () => {};
  const late = new Promise<TurnResult>((resolve) => {
    giveUp = resolve;
  });
  return {
    late,
    done: () => clearTimeout(timer),
    async look() {
      if (timer !== undefined) return;
      const row = await scope.db.goalTurn.findFirst({
        where: { id: turn.id, agentId: scope.agent.id },
        select: { stopAskedAt: true },
      });
      if (!row?.stopAskedAt) return;
      timer = setTimeout(() => giveUp({ outcome: "stopped", text: "" }), STOP_WITHIN_MS);
      try {
        if (!(await scope.turns.stop(turn.id))) scope.log.info("goal.stop_not_taken", { turn: turn.id });
      } catch (error) {
        scope.log.warn("goal.stop_failed", { turn: turn.id, error: String(error) });
      }
    },
  };
}
