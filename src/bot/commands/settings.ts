import { z } from "zod";
import { EngineError } from "../../engine/errors.ts";
import {
  changeSettings,
  defaultSetting,
  isSettingName,
  readSettings,
  type SettingName,
  settingGroups,
  settingNames,
  settingsTable,
  writtenSetting,
} from "../../engine/settings.ts";
import { nearestName } from "../../text/nearest-name.ts";
import type { Texts } from "../../text/pick.ts";
import { defineCommand } from "../command.ts";

/** The word that brings a default back. */
const DEFAULT = /^(?:default|默认)$/i;

export const settings = defineCommand({
  name: "settings",
  needs: "settings.change",
  usage: `/settings [${settingGroups.join("|")}]`,
  summary: (t) => t.settings.summary.settings,
  example: "/settings reminders",
  expects: "settings.group",
  args: z
    .string()
    .toLowerCase()
    .transform((word) => (word === "" ? settingGroups[0] : word))
    .pipe(z.enum(settingGroups)),
  run: async ({ who, messageId }, group) => ({
    card: { subject: { kind: "settings", id: messageId }, view: { viewer: who.openId, group } },
  }),
});

export const set = defineCommand({
  name: "set",
  needs: "settings.change",
  usage: "/set <name> [value|default]",
  summary: (t) => t.settings.summary.set,
  example: "/set dailyMessages 3",
  expects: "settings.name",
  args: z.string().transform((rest, context) => {
    const [, word = "", value = ""] = /^(\S+)(?:\s*[=：:]\s*|\s+|$)([\s\S]*)$/.exec(rest.normalize("NFC").trim()) ?? [];
    if (word === "") {
      context.addIssue({ code: "custom", message: "name" });
      return z.NEVER;
    }
    return { name: settingNamed(word) ?? word, value };
  }),
  async run({ scope, who, reader: { t } }, { name, value }) {
    if (!isSettingName(name)) {
      const near = nearestName(name, settingNames);
      throw near === undefined
        ? new EngineError("not_found", { what: "setting", given: name })
        : new EngineError("not_found", { what: "setting", given: name, near: [near] });
    }
    if (value === "") {
      const now = (await readSettings(scope))[name];
      const byDefault = t.settings.default(written(t, defaultSetting(name, scope.agent)));
      return { line: `${lineOf(t, name, now)} · ${byDefault}\n/set ${name} ${settingsTable[name].example}` };
    }
    const { changed } = await changeSettings(scope, who, { [name]: DEFAULT.test(value) ? null : value });
    if (changed.length === 0)
      return { line: `${t.settings.nothingChanged} ${lineOf(t, name, (await readSettings(scope))[name])}` };
    const lines = changed.map((change) =>
      t.settings.fromTo(t.settings.label[change.name], written(t, change.before), written(t, change.after)),
    );
    return { line: t.settings.changed(lines.join("\n")) };
  },
});

/** However it is cased. */
function settingNamed(word: string): SettingName | undefined {
  return settingNames.find((name) => name.toLowerCase() === word.toLowerCase());
}

function lineOf(t: Texts, name: SettingName, value: unknown): string {
  return t.settings.line(t.settings.label[name], name, written(t, value));
}

function written(t: Texts, value: unknown): string {
  return writtenSetting(value) || t.settings.none;
}
