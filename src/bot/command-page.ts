import { rights } from "../engine/people/person.ts";
import type { Language } from "../engine/scope.ts";
import { type Texts, textsFor } from "../text/pick.ts";
import type { Command } from "./command.ts";
import { commands } from "./commands/index.ts";

/** docs/commands.md: every command in both languages, made from the table that also dispatches them. */
export function commandPage(): string {
  const parts = (["zh", "en"] as const).map((language) => section(language, textsFor(language)));
  return `${parts.join("\n\n")}\n`;
}

function section(language: Language, t: Texts): string {
  const { title, lead, columns } = t.command.page;
  const rows = commands.map((command) => row(command, language, t));
  return [
    `<a id="${language}"></a>`,
    "",
    `# ${title}`,
    "",
    lead,
    "",
    `| ${columns.join(" | ")} |`,
    `|${columns.map(() => " --- ").join("|")}|`,
    ...rows,
  ].join("\n");
}

const WHO = { member: "everyone", admin: "admin", owner: "owner" } as const;

function row(command: Command, language: Language, t: Texts): string {
  const who = t.command.who[WHO[rights[command.needs].least]];
  const names = [command.usage, ...command.aliases.map((alias) => `/${alias}`)].map(code).join("<br>");
  return `| ${names} | ${command.summary(t)} | ${code(command.example[language])} | ${who} |`;
}

/** A bar inside a table cell would end it, also in code. */
function code(text: string): string {
  return `\`${text.replaceAll("|", "\\|")}\``;
}
