import type { AgentTurns } from "../engine/ports.ts";
import { noTurns } from "./no-hermes.ts";

/** The ways in to Hermes there may be. */
export interface WaysIn {
  /** Herald's adapter in Hermes' gateway; counts only while it is connected */
  platform?: { turns: AgentTurns; connected: () => boolean } | undefined;
  api?: AgentTurns | undefined;
}

/**
 * Turns by the best way in there is at the moment: the platform adapter while it is connected, which can do more, else the
 * API server, else none. What was begun on one way is stopped, steered and answered there.
 */
export function chooseTurns({ platform, api }: WaysIn): AgentTurns {
  const best = (): AgentTurns => (platform?.connected() ? platform.turns : (api ?? platform?.turns ?? noTurns));
  const all = (): AgentTurns[] => [platform?.turns, api].filter((each) => each !== undefined);
  const begunOn = new Map<string, AgentTurns>();
  const way = (turnId: string): readonly AgentTurns[] => {
    const known = begunOn.get(turnId);
    return known ? [known] : all();
  };
  const first = async (ways: readonly AgentTurns[], ask: (turns: AgentTurns) => Promise<boolean>): Promise<boolean> => {
    for (const turns of ways) if (await ask(turns)) return true;
    return false;
  };
  return {
    get way() {
      return best().way;
    },
    abilities: () => best().abilities(),
    run: (request, on, signal) => {
      const turns = begunOn.get(request.turnId) ?? best();
      begunOn.set(request.turnId, turns);
      return turns.run(request, on, signal).finally(() => begunOn.delete(request.turnId));
    },
    whatBecameOf: async (turn) => {
      for (const turns of way(turn.turnId)) {
        const became = await turns.whatBecameOf(turn);
        if (became !== "unknown") return became;
      }
      return "unknown";
    },
    stop: (turnId) => first(way(turnId), (turns) => turns.stop(turnId)),
    steer: (turnId, text) => first(way(turnId), (turns) => turns.steer(turnId, text)),
    answer: (ref, choice) => first(all(), (turns) => turns.answer(ref, choice)),
    health: () => best().health(),
  };
}
