import { expect, test } from "vitest";
import { prefsCard } from "../../src/cards/prefs-card.ts";
import { reminderCard } from "../../src/cards/reminder-card.ts";
import { checkCard } from "../helpers/check-card.ts";
import { LOOKS } from "./looks.ts";
import { reminderViews } from "./reminder-views.ts";

type Json = Record<string, unknown>;

/** Puts a value at a path of keys and indexes. */
function put(root: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(root)) return root.map((inner, index) => (index === key ? put(inner, rest, value) : inner));
  const object = root as Json;
  return { ...object, [key]: put(object[key], rest, value) };
}

const card = reminderCard(reminderViews.fresh, LOOKS.both);
const controls = card.body.elements.findIndex((element) => element.tag === "column_set");
const button = ["body", "elements", controls, "columns", 0, "elements", 0];
const select = ["body", "elements", controls, "columns", 1, "elements", 0];
const many = (n: number): Json[] => Array.from({ length: n }, () => ({ tag: "hr" }));
const deep = (n: number): Json =>
  n === 0
    ? { tag: "hr" }
    : { tag: "collapsible_panel", header: { title: { tag: "plain_text", content: "x" } }, elements: [deep(n - 1)] };
const table = "| a |\n|---|\n| 1 |\n\n";

test("the card it is tried on is a good one", () => {
  expect(checkCard(card)).toEqual([]);
});

test.each<[string, readonly (string | number)[], unknown]>([
  ["an unknown property on top", ["elements"], []],
  ["no schema", ["schema"], undefined],
  ["the old schema", ["schema"], "1.0"],
  ["update_multi unstated", ["config"], { width_mode: "default" }],
  ["an unknown header colour", ["header", "template"], "pink"],
  ["an empty title", ["header", "title", "content"], " "],
  [
    "four header tags",
    ["header", "text_tag_list"],
    Array(4).fill({ tag: "text_tag", text: { tag: "plain_text", content: "x" } }),
  ],
  ["an element without a tag", ["body", "elements", 0], { content: "x" }],
  ["the old button container", ["body", "elements", 0], { tag: "action", actions: [] }],
  ["the old note", ["body", "elements", 0], { tag: "note", elements: [] }],
  ["a rounded column", ["body", "elements", controls, "columns", 0, "corner_radius"], "8px"],
  ["a button that does nothing", [...button, "behaviors"], []],
  ["a button value that is a string", [...button, "behaviors", 0, "value"], "done"],
  ["an unknown button style", [...button, "type"], "big"],
  ["a confirm without a title", [...button, "confirm"], { text: { tag: "plain_text", content: "x" } }],
  ["a label over 100 characters", [...button, "text", "content"], "x".repeat(101)],
  ["a submit outside of a form", [...button, "form_action_type"], "submit"],
  ["two options of one value", [...select, "options", 0, "value"], "tomorrow"],
  ["a select narrower than 100 px", [...select, "width"], "80px"],
  ["a lone surrogate", ["body", "elements", 0, "text", "content"], "\uD83D"],
  ["U+0000", ["body", "elements", 0, "text", "content"], "a\u0000"],
  ["an element id with a dash", ["body", "elements", 0, "element_id"], "a-b"],
  ["201 elements", ["body", "elements"], many(201)],
  ["six containers inside each other", ["body", "elements"], [deep(6)]],
  ["over 28,000 bytes", ["body", "elements"], [{ tag: "markdown", content: "长".repeat(9_400) }]],
  ["four markdown tables", ["body", "elements"], [2, 2].map((n) => ({ tag: "markdown", content: table.repeat(n) }))],
  ["an open code fence", ["body", "elements", 0], { tag: "markdown", content: "```\nx" }],
  ["a form in a panel", ["body", "elements"], [{ ...deep(1), elements: [{ tag: "form", name: "f", elements: [] }] }]],
  ["one language missing", ["body", "elements", 0, "text", "i18n_content"], { zh_cn: "好" }],
])("a card with %s is refused", (_, path, value) => {
  expect(checkCard(put(card, path, value))).not.toEqual([]);
});

test("a form with two controls of one name is refused", () => {
  const good = prefsCard({ text: "x", mayEdit: true }, LOOKS.zh);
  expect(checkCard(good)).toEqual([]);
  const form = good.body.elements.findIndex((element) => element.tag === "form");
  expect(checkCard(put(good, ["body", "elements", form, "elements", 0, "name"], "save"))).not.toEqual([]);
  expect(checkCard(put(good, ["body", "elements", form, "elements", 0, "max_length"], 5_000))).not.toEqual([]);
});
