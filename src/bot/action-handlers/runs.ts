import { assertMay } from "../../engine/people/person.ts";
import { askToLook } from "../ask-to-look.ts";
import type { ActionHandlers } from "./index.ts";
import { openCard } from "./open-card.ts";

const RUN_CARDS = ["run", "run-list", "document"] as const;

/** Looking at runs: pages turn in place, so that a chat is not filled with cards. */
export const runActions: Pick<ActionHandlers, "run.show" | "run.list" | "run.document" | "tick.run"> = {
  "run.show": async (tap, { run }) => {
    assertMay(tap.who, "runs.read");
    return openCard(tap, { subject: { kind: "run", id: run } }, RUN_CARDS);
  },
  "run.list": async (tap, { page }) => {
    assertMay(tap.who, "runs.read");
    return openCard(tap, { subject: { kind: "run-list", id: "latest" }, view: { page } }, RUN_CARDS);
  },
  "run.document": async (tap, { run, name, page }) => {
    assertMay(tap.who, "runs.read");
    return openCard(tap, { subject: { kind: "document", id: `${run}/${name}` }, view: { page: page ?? 1 } }, RUN_CARDS);
  },
  "tick.run": async (tap) => {
    assertMay(tap.who, "tick.run");
    await askToLook(tap);
    return { toast: { type: "info", content: tap.reader.t.toast.looking }, redraw: false, wakes: ["handle-messages"] };
  },
};
