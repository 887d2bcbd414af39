import type { TurnResult } from "../ports.ts";
import type { Scope } from "../scope.ts";
import type { Goal, GoalTurn } from "./goal.ts";
import { stopWish } from "./stop-wish.ts";

/** How often what was left running is asked about, and how long nobody may answer before its end counts as unknown. */
const ASK_AGAIN_MS = 2_000;
const AWAY_MS = 2 * 60_000;

/**
 * How a turn ended whose process is gone: Hermes is asked, again and again while it runs, and a person's wish for its end
 * is passed on. Never begun a second time.
 * @returns undefined when this process goes first
 */
export async function followGoalTurn(
  scope: Scope,
  goal: Goal,
  turn: GoalTurn,
  leaving: AbortSignal,
): Promise<TurnResult | undefined> {
  const lost: TurnResult = { outcome: "lost", text: "" };
  const stop = stopWish(scope, turn);
  let awaySince: number | undefined;
  try {
    while (!leaving.aborted) {
      const now = scope.clock.now().getTime();
      await stop.look();
      try {
        const became = await scope.turns.whatBecameOf({
          turnId: turn.id,
          ...(turn.hermesSessionId !== null && { sessionId: turn.hermesSessionId }),
          text: turn.sent === "" ? goal.text : turn.sent,
          startedAt: turn.startedAt,
        });
        if (became === "unknown") return lost;
        if (became !== "running") return became;
        awaySince = undefined;
      } catch (error) {
        awaySince ??= now;
        scope.log.info("goal.not_asked", { goal: goal.id, error: String(error) });
        if (now - awaySince >= AWAY_MS) return lost;
      }
      const late = await Promise.race([pause(ASK_AGAIN_MS, leaving), stop.late]);
      if (late !== undefined) return late;
    }
    return undefined;
  } finally {
    stop.done();
  }
}

function pause(ms: number, signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve(undefined);
    }
    signal.addEventListener("abort", done, { once: true });
  });
}
