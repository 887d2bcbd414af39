import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commandPage } from "../../src/bot/command-page.ts";
import { commandNamed, commands, indexCommands } from "../../src/bot/commands/index.ts";
import { LANGUAGES, textsFor } from "../../src/text/pick.ts";

test("no name or alias stands twice; a second one stops the start with its name", () => {
  const names = commands.flatMap((command) => [command.name, ...command.aliases]);
  expect(names).toEqual([...new Set(names)]);
  const [first] = commands;
  if (first === undefined) throw new Error("no commands");
  expect(() => indexCommands([...commands, first])).toThrow(`/${first.name}`);
});

test.each(commands.map((command) => [command.name, command] as const))("/%s takes its own example", (name, command) => {
  const [word, ...rest] = command.example.split(" ");
  expect(word).toBe(`/${name}`);
  expect(command.takes(rest.join(" "))).toBe(true);
  expect(commandNamed(name)).toBe(command);
  expect(command.usage.startsWith(`/${name}`)).toBe(true);
});

test.each(LANGUAGES)("every command has its words in %s", (language) => {
  for (const command of commands) expect(command.summary(textsFor(language)).trim(), command.name).not.toBe("");
});

test("docs/commands.md says what the table says (npm run docs:commands writes it)", () => {
  expect(readFileSync("docs/commands.md", "utf8")).toBe(commandPage());
});
