import { expect, test } from "vitest";
import { en } from "../src/text/en.ts";
import { LANGUAGES, textsFor } from "../src/text/pick.ts";
import { zh } from "../src/text/zh.ts";

type Leaf = { readonly path: string; readonly value: unknown };

/** Every text of a language with the path of its keys. */
function leaves(value: unknown, path = ""): Leaf[] {
  if (typeof value !== "object" || value === null) return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, path ? `${path}.${key}` : key));
}

const chinese = leaves(zh);
const english = leaves(en);

/** Chinese words that stand in English texts on purpose: examples of what a person may type. */
const MAY_HOLD_CHINESE: readonly string[] = [];

test("both languages have the same keys in the same order", () => {
  expect(english.map((leaf) => leaf.path)).toEqual(chinese.map((leaf) => leaf.path));
});

test("a text that takes something takes the same in both languages", () => {
  const shape = ({ path, value }: Leaf): string =>
    `${path}: ${typeof value === "function" ? `function of ${value.length}` : typeof value}`;
  expect(english.map(shape)).toEqual(chinese.map(shape));
});

test.each(LANGUAGES)("no text is empty (%s)", (language) => {
  for (const { path, value } of leaves(textsFor(language))) {
    expect(said(value).trim(), path).not.toBe("");
  }
});

test("no Chinese is left in English texts", () => {
  const left = english.filter(
    ({ path, value }) => /\p{Script=Han}/u.test(said(value)) && !MAY_HOLD_CHINESE.includes(path),
  );
  expect(left.map((leaf) => leaf.path)).toEqual([]);
});

test("English texts have no Chinese punctuation, Chinese sentences no English full stop", () => {
  expect(english.filter(({ value }) => /[，。：；！？（）【】]/.test(said(value))).map((leaf) => leaf.path)).toEqual(
    [],
  );
  expect(
    chinese.filter(({ value }) => /\p{Script=Han}[.,;!?](\s|$)/u.test(said(value))).map((leaf) => leaf.path),
  ).toEqual([]);
});

/** Stands for any record: every field reads as "2". */
const anyRecord: unknown = new Proxy({}, { get: (_, key) => (key === Symbol.toPrimitive ? () => "2" : "2") });

/** The text, a function's with plain arguments put in: words, numbers, records or lists, whichever it takes. */
function said(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "function") return "";
  for (const argument of ["2", 2, anyRecord, ["2"]]) {
    try {
      const result: unknown = value(...Array.from({ length: value.length }, () => argument));
      if (result !== undefined) return typeof result === "string" ? result : JSON.stringify(result);
    } catch {
      // It takes something else.
    }
  }
  return expect.fail("a text could not be written with any plain argument");
}
