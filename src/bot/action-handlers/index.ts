import type { ActionForm, ActionName, ActionPayload, ParsedAction } from "../../cards/actions.ts";
import type { Answer, Tap } from "../tap.ts";
import { adminActions } from "./admin.ts";
import { chatActions } from "./chat.ts";
import { goalActions } from "./goals.ts";
import { itemActions } from "./items.ts";
import { peopleActions } from "./people.ts";
import { proposalActions } from "./proposals.ts";
import { runActions } from "./runs.ts";
import { settingActions } from "./settings.ts";

/** One handler for every action, each with its own payload and form: leaving one out, or inventing one, does not compile. */
export type ActionHandlers = {
  [N in ActionName]: (tap: Tap, payload: ActionPayload<N>, form: ActionForm<N>) => Promise<Answer>;
};

const handlers: ActionHandlers = {
  ...itemActions,
  ...runActions,
  ...adminActions,
  ...goalActions,
  ...settingActions,
  ...peopleActions,
  ...chatActions,
  ...proposalActions,
};

/** Runs the handler of an action that was read from a tap. */
export function runAction(tap: Tap, action: ParsedAction): Promise<Answer> {
  // The compiler cannot follow that handler, payload and form belong to the same name.
  const handle = handlers[action.action] as (tap: Tap, payload: unknown, form: unknown) => Promise<Answer>;
  return handle(tap, action.payload, action.form);
}
