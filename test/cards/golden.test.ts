import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parseAction } from "../../src/cards/actions.ts";
import { checkCard } from "../helpers/check-card.ts";
import { cardCases } from "./card-cases.ts";
import { controlsOf, LOOKS } from "./looks.ts";

const folder = fileURLToPath(new URL("golden/", import.meta.url));

/** `UPDATE_GOLDEN=1 npx vitest run test/cards/golden.test.ts` writes the files anew; look at the difference before committing. */
const updating = process.env.UPDATE_GOLDEN === "1";

const languages = ["zh", "en", "both"] as const;

describe.each(cardCases)("$name", ({ name, draw }) => {
  test.each(languages)("looks as agreed and breaks no documented limit (%s)", (language) => {
    const card = draw(LOOKS[language]);
    expect(checkCard(card)).toEqual([]);
    const file = `${folder}${name}.${language}.json`;
    if (updating) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, `${JSON.stringify(card, null, 2)}\n`);
    }
    expect(card).toEqual(JSON.parse(readFileSync(file, "utf8")));
  });

  test("carries the same button values in every language", () => {
    const [zh, ...others] = languages.map((language) => controlsOf(draw(LOOKS[language])));
    for (const other of others) expect(other).toEqual(zh);
  });

  test("has no control that its own reader would refuse", () => {
    for (const control of controlsOf(draw(LOOKS.zh))) {
      const option = control.tag === "picker_datetime" ? "2025-05-07 09:00 +0800" : control.option;
      const value: unknown = JSON.parse(JSON.stringify(control.value));
      const parsed = parseAction(value, { option, formValue: { text: "少提周报" } });
      expect(parsed, JSON.stringify(control)).toMatchObject({ post: LOOKS.zh.post });
    }
  });
});

test("no golden file is left without a card that makes it", () => {
  const expected = cardCases.flatMap(({ name }) => languages.map((language) => `${name}.${language}.json`));
  expect(readdirSync(folder).sort()).toEqual(expected.sort());
});
