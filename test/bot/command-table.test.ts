import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commandPage } from "../../src/bot/command-page.ts";
import { commandNamed, commands, indexCommands } from "../../src/bot/commands/index.ts";
import { settingPage } from "../../src/bot/setting-page.ts";
import { readTimes } from "../../src/engine/natural-time.ts";
import { LANGUAGES, textsFor } from "../../src/text/pick.ts";

test("no name or alias stands twice; a second one stops the start with its name", () => {
  const names = commands.flatMap((command) => [command.name, ...command.aliases]);
  expect(names).toEqual([...new Set(names)]);
  const [first] = commands;
  if (first === undefined) throw new Error("no commands");
  expect(() => indexCommands([...commands, first])).toThrow(`/${first.name}`);
});

const examples = commands.flatMap((command) =>
  LANGUAGES.map((language) => [command.example[language], language, command] as const),
);

test.each(examples)(
  "%s (%s) is taken by its own command, and one time is read in it where one belongs",
  (example, language, command) => {
    const [word, ...rest] = example.split(" ");
    expect(word).toBe(`/${command.name}`);
    expect(command.takes(rest.join(" "))).toBe(true);
    expect(commandNamed(command.name)).toBe(command);
    expect(command.usage.startsWith(`/${command.name}`)).toBe(true);
    if (/<when>|\[when\]/.test(command.usage)) {
      const times = readTimes(rest.join(" ").replace(/^\d+ /, ""), new Date("2026-12-01T02:00:00Z"), "Asia/Shanghai");
      expect(times.filter((time) => !time.past)).toHaveLength(1);
    }
    if (language === "en") expect(example).not.toMatch(/\p{Script=Han}/u);
  },
);

test.each(LANGUAGES)("every command has its words in %s", (language) => {
  for (const command of commands) expect(command.summary(textsFor(language)).trim(), command.name).not.toBe("");
});

test("docs/commands.md says what the table says (npm run docs:commands writes it)", () => {
  expect(readFileSync("docs/commands.md", "utf8")).toBe(commandPage());
});

test("docs/settings.md says what the table says (npm run docs:settings writes it)", () => {
  expect(readFileSync("docs/settings.md", "utf8")).toBe(settingPage());
});
