import type { SettingField, SettingGroup, SettingsView } from "../../cards/settings-card.ts";
import type { CardPost } from "../../engine/card-posts.ts";
import { may } from "../../engine/people/person.ts";
import {
  choicesOf,
  defaultSetting,
  readSettings,
  settingGroups,
  settingsOf,
  writtenSetting,
} from "../../engine/settings.ts";
import { type ViewContext, whoIs } from "./view-context.ts";
import { viewerActor } from "./viewer.ts";

/** One page of the settings as they stand now. */
export async function settingsView(context: ViewContext, post: CardPost): Promise<SettingsView> {
  const { scope } = context;
  const viewer = await viewerActor(scope, post.view);
  const { savedBy, savedAt } = post.view ?? {};
  const group = groupOf(post.view?.group);
  const settings = await readSettings(scope);
  const fields = settingsOf(group).map((name): SettingField => {
    // Not paused is an empty field: there is no instant to show.
    const value = name === "paused" && settings.paused === false ? "" : writtenSetting(settings[name]);
    const byDefault = writtenSetting(defaultSetting(name, scope.agent));
    const choices = choicesOf(name);
    return { name, value, ...(byDefault !== value && value !== "" && { byDefault }), ...(choices && { choices }) };
  });
  return {
    group,
    fields,
    ...(typeof savedBy === "string" && typeof savedAt === "string"
      ? { saved: { by: whoIs(context, savedBy, new Map()), at: new Date(savedAt) } }
      : {}),
    mayChange: viewer !== undefined && may(viewer.actor, "settings.change"),
  };
}

/** The page of this name; the first when there is none. */
export function groupOf(name: unknown): SettingGroup {
  return settingGroups.find((group) => group === name) ?? "reminders";
}
