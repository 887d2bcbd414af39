import { OWN_SESSION_PREFIX } from "../engine/own-session.ts";
import { readSettings } from "../engine/settings.ts";
import { BUDGET_CHARS, MOST_HINTS } from "../engine/strategy/advise-turn.ts";
import { strategyFeed } from "../engine/strategy/strategy-feed.ts";
import { promptSections } from "./prompt-sections.ts";
import type { BridgeRoute } from "./tool-routes.ts";

/** What the plugin keeps a copy of, so that no turn waits for Herald: the prompt sections and the rules in force. */
export const adviceRoute: BridgeRoute = {
  method: "GET",
  path: "/bridge/advice",
  async handle(scope) {
    return {
      status: 200,
      body: {
        sections: promptSections(await readSettings(scope)),
        ownSessions: [OWN_SESSION_PREFIX],
        rules: await strategyFeed(scope),
        budget: BUDGET_CHARS,
        most: MOST_HINTS,
      },
    };
  },
};
