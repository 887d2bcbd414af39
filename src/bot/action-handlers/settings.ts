import { inTransaction } from "../../engine/db.ts";
import { assertMay } from "../../engine/people/person.ts";
import { changeSettings, isSettingName, settingsOf } from "../../engine/settings.ts";
import { turnCard } from "../../engine/turn-card.ts";
import { groupOf } from "../views/settings-view.ts";
import type { ActionHandlers } from "./index.ts";
import { openCard } from "./open-card.ts";

/** The settings card: its pages and its form. */
export const settingActions: Pick<ActionHandlers, "settings.group" | "settings.save"> = {
  "settings.group": async (tap, { group }) => {
    assertMay(tap.who, "settings.change");
    return openCard(
      tap,
      {
        subject: { kind: "settings", id: tap.post.subjectId },
        view: { viewer: tap.who.openId, group: groupOf(group) },
      },
      ["settings"],
    );
  },
  "settings.save": async (tap, { group }, form) => {
    const { scope, who, post, reader } = tap;
    // Only what stands on this page: a form names nothing else, whatever it says.
    const page = new Set<string>(settingsOf(groupOf(group)));
    const values = Object.fromEntries(
      Object.entries(form)
        .filter(([name]) => isSettingName(name) && page.has(name))
        // Not paused is shown as an empty field, and comes back as one.
        .map(([name, value]) => [name, name === "paused" && value === "" ? false : value]),
    );
    const { changed } = await changeSettings(scope, who, values);
    await inTransaction(scope.db, (tx) =>
      turnCard(tx, scope, post.id, {
        subject: { kind: "settings", id: post.subjectId },
        view: {
          viewer: who.openId,
          group,
          ...(changed.length > 0 && { savedBy: who.openId, savedAt: scope.clock.now().toISOString() }),
        },
      }),
    );
    const content = changed.length === 0 ? reader.t.settings.nothingChanged : reader.t.toast.saved;
    return { toast: { type: changed.length === 0 ? "info" : "success", content }, redraw: true, turned: true };
  },
};
