import { editorialTurn } from "../engine/proactive/editorial-gate.ts";
import { tick } from "../engine/proactive/tick.ts";
import type { BridgeRoute } from "./tool-routes.ts";

/**
 * What the script of a Hermes cron job asks: stages 1 and 2 now, and whether there is anything to judge. With `wake` the run
 * waits for the agent that the job wakes, which decides by the two tools; `text` is what it is told.
 */
export function wakeRoute(changed: () => void): BridgeRoute {
  return {
    method: "POST",
    path: "/bridge/wake",
    async handle(scope) {
      const { outcome, reason, key } = await tick(scope, { handOver: true });
      changed();
      if (outcome !== "handed_over" || key === undefined)
        return { status: 200, body: { wake: false, outcome, reason } };
      return { status: 200, body: { wake: true, text: editorialTurn(key).text } };
    },
  };
}
