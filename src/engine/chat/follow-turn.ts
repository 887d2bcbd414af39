import type { TurnResult } from "../ports.ts";
import type { Scope } from "../scope.ts";
import { holdTurn, leaveTurn } from "./claim-turn.ts";
import { finishTurn } from "./finish-turn.ts";
import { holdWhile, hurryUp, type TurnParts } from "./run-turn.ts";
import type { Turn } from "./turn.ts";

/** How often the other end is asked whether a turn has ended. */
const ASK_AGAIN_MS = 2_000;
/** Hermes cannot be asked for this long: then the end of the turn is not known. */
const AWAY_MS = 2 * 60_000;

/**
 * A turn that was running when its process died: never begun a second time. Hermes is asked what became of it; while it
 * runs on it is followed, and what nobody can tell is said so, with a button to try again.
 */
export async function followTurn(scope: Scope, left: Turn, parts: TurnParts): Promise<void> {
  const turn = await holdTurn(scope, left);
  if (turn === undefined) return;
  const hurry = hurryUp(scope, turn, () => {});
  parts.inHand.set(turn.id, { stop: hurry.stop });
  const holding = holdWhile(scope, turn);
  try {
    const result = await Promise.race([untilEnded(scope, turn, parts), hurry.late]);
    if (result === undefined) await leaveTurn(scope, holding.current());
    else await finishTurn(scope, turn, { result, pages: parts.pages });
  } finally {
    hurry.done();
    holding.done();
    parts.poke("sync-cards");
  }
}

/** How the turn ended; undefined when this process goes first. */
async function untilEnded(
  scope: Scope,
  turn: Turn,
  { signal, askAgainMs = ASK_AGAIN_MS }: TurnParts,
): Promise<TurnResult | undefined> {
  const lost: TurnResult = { outcome: "lost", text: "" };
  // What was put into another turn has no end of its own.
  if (turn.steeredInto !== null) return lost;
  let awaySince: number | undefined;
  while (!signal.aborted) {
    try {
      const became = await scope.turns.whatBecameOf({
        turnId: turn.id,
        ...(turn.hermesSessionId !== null && { sessionId: turn.hermesSessionId }),
        text: turn.text,
        startedAt: turn.startedAt ?? turn.createdAt,
      });
      if (became === "unknown") return lost;
      if (became !== "running") return became;
      awaySince = undefined;
    } catch (error) {
      const now = scope.clock.now().getTime();
      awaySince ??= now;
      scope.log.info("turn.not_asked", { turn: turn.id, error: String(error) });
      if (now - awaySince >= AWAY_MS) return lost;
    }
    await pause(askAgainMs, signal);
  }
  return undefined;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done, { once: true });
  });
}
