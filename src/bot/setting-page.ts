import { wordFor } from "../cards/word-for.ts";
import type { Language } from "../engine/scope.ts";
import { defaultSetting, settingGroups, settingsOf, settingsTable, writtenSetting } from "../engine/settings.ts";
import { textsFor } from "../text/pick.ts";

/** docs/settings.md: every setting in both languages, made from the table that also checks them. */
export function settingPage(): string {
  return `${(["zh", "en"] as const).map(section).join("\n\n")}\n`;
}

function section(language: Language): string {
  const { settings: t, error } = textsFor(language);
  const { page } = t;
  // What the configuration decides is told as the variable that does.
  const agent = { id: "", zone: "HERALD_TIME_ZONE", language, exclude: ["HERALD_EXCLUDE"] };
  const defaultOf = (name: keyof typeof settingsTable): string =>
    name === "language" ? "HERALD_LANGUAGE" : writtenSetting(defaultSetting(name, agent));
  const groups = settingGroups.flatMap((group) => [
    "",
    `## ${t.group[group]}`,
    "",
    `| ${page.columns.join(" | ")} |`,
    "| --- | --- | --- | --- | --- |",
    ...settingsOf(group).map((name) => {
      const cells = [
        `\`${name}\``,
        wordFor(t.label, name),
        wordFor(error.expected, `settings.${name}`),
        `\`${defaultOf(name)}\``,
        `\`/set ${name} ${settingsTable[name].example}\``,
      ];
      return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
    }),
  ]);
  return [`<a id="${language}"></a>`, "", `# ${t.title}`, "", page.lead, ...groups].join("\n");
}
