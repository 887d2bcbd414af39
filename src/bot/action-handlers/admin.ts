import { assertMay } from "../../engine/people/person.ts";
import { storePreferences } from "../store-preferences.ts";
import type { ActionHandlers } from "./index.ts";
import { openCard } from "./open-card.ts";

/** Status and preferences. */
export const adminActions: Pick<ActionHandlers, "status.refresh" | "prefs.save"> = {
  "status.refresh": async (tap) => {
    assertMay(tap.who, "status.read");
    return openCard(tap, { subject: { kind: "status", id: "now" } }, ["status"]);
  },
  "prefs.save": async (tap, _payload, { text }) => {
    assertMay(tap.who, "prefs.edit");
    return storePreferences(tap, text);
  },
};
