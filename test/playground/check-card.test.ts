import { describe, expect, test } from "vitest";
import { CARD_LIMITS, checkCard } from "../../src/playground/check-card.ts";

const plain = (content: string, more: object = {}) => ({ tag: "plain_text", content, ...more });
const button = (more: object = {}) => ({
  tag: "button",
  text: plain("完成", { i18n_content: { zh_cn: "完成", en_us: "Done" } }),
  type: "primary",
  behaviors: [{ type: "callback", value: { v: 1, action: "item.done" } }],
  ...more,
});
const card = (...elements: unknown[]) => ({ schema: "2.0", config: { update_multi: true }, body: { elements } });
const nested = (depth: number): unknown =>
  depth === 0
    ? { tag: "markdown", content: "最里面" }
    : { tag: "collapsible_panel", header: { title: plain("折叠") }, elements: [nested(depth - 1)] };

const form = (...elements: unknown[]) => ({ tag: "form", name: "snooze", elements });
const submit = (more: object = {}) => button({ name: "go", form_action_type: "submit", ...more });

describe("cards the platform takes", () => {
  test.each([
    ["blank", { schema: "2.0" }],
    [
      "with header, tags, summary and both languages",
      {
        schema: "2.0",
        config: {
          update_multi: true,
          enable_forward: false,
          width_mode: "default",
          summary: { content: "有 2 件事", i18n_content: { en_us: "2 things" } },
          locales: ["zh_cn", "en_us"],
        },
        header: {
          title: plain("还没完成的事"),
          subtitle: { tag: "lark_md", content: "今天 9:00" },
          text_tag_list: [{ tag: "text_tag", text: plain("提醒"), color: "blue" }],
          template: "wathet",
          icon: { tag: "standard_icon", token: "bell_outlined", color: "blue" },
          padding: "12px 8px 12px 8px",
        },
        body: { direction: "vertical", padding: "12px", vertical_spacing: "8px", elements: [{ tag: "hr" }] },
      },
    ],
    [
      "with columns of buttons, an overflow and a confirmation",
      card({
        tag: "column_set",
        flex_mode: "flow",
        horizontal_spacing: "8px",
        columns: [
          {
            tag: "column",
            width: "auto",
            elements: [button({ confirm: { title: plain("确定?"), text: plain("不能撤销") } })],
          },
          {
            tag: "column",
            width: "weighted",
            weight: 1,
            elements: [
              {
                tag: "overflow",
                options: [{ text: plain("明天"), value: "tomorrow" }],
                behaviors: [{ type: "callback", value: {} }],
              },
            ],
          },
        ],
      }),
    ],
    [
      "with a form of every kind of field",
      card(
        form(
          { tag: "input", name: "why", placeholder: plain("为什么"), max_length: 200 },
          {
            tag: "select_static",
            name: "kind",
            options: [
              { text: plain("一"), value: "1" },
              { text: plain("二"), value: "2" },
            ],
          },
          { tag: "picker_datetime", name: "when", initial_datetime: "2026-03-02 09:00" },
          { tag: "column_set", columns: [{ tag: "column", elements: [submit()] }] },
        ),
      ),
    ],
    ["nested five deep", card(nested(5))],
    [
      "with a table and three markdown tables",
      card(
        { tag: "table", page_size: 5, columns: [{ name: "a", data_type: "text" }], rows: [{ a: "1" }] },
        { tag: "markdown", content: "|a|b|\n|-|-|\n|1|2|\n\n|a|b|\n|:-|-:|\n|1|2|" },
        { tag: "markdown", content: "```\n|a|\n|-|\n```\n|a|b|\n|---|---|" },
      ),
    ],
    [
      "with a callback value that looks like a component",
      card(button({ behaviors: [{ type: "callback", value: { tag: "form" } }] })),
    ],
  ])("%s", (_, value) => {
    expect(checkCard(value)).toEqual([]);
  });

  test("exactly 200 elements, text of buttons counted", () => {
    expect(checkCard(card(...Array.from({ length: CARD_LIMITS.elements / 2 }, () => button())))).toEqual([]);
  });
});

describe("cards it refuses", () => {
  const breaches: [string, unknown, number][] = [
    ["no object", "text", 200621],
    ["no schema", { body: { elements: [] } }, 200621],
    ["another top-level property", { schema: "2.0", elements: [] }, 200621],
    ["a misspelt property deep inside", card(button({ behaviours: [] })), 200621],
    ["an unknown component", card({ tag: "progress" }), 200621],
    ["the note of version 1", card({ tag: "note", elements: [] }), 200861],
    [
      "the button row of version 1 in a column",
      card({ tag: "column_set", columns: [{ tag: "column", elements: [{ tag: "action" }] }] }),
      200861,
    ],
    [
      "a column's corner radius",
      card({ tag: "column_set", columns: [{ tag: "column", corner_radius: "8px", elements: [] }] }),
      200621,
    ],
    [
      "a form inside a container",
      card({ tag: "collapsible_panel", header: { title: plain("x") }, elements: [form(submit())] }),
      200621,
    ],
    ["a form without a submit button", card(form({ tag: "input", name: "a" })), 200621],
    ["a form field without a name", card(form({ tag: "input" }, submit())), 200530],
    ["two form fields of one name", card(form({ tag: "input", name: "go" }, submit())), 200530],
    ["an unknown header colour", { schema: "2.0", header: { title: plain("x"), template: "pink" } }, 200621],
    [
      "four header tags",
      {
        schema: "2.0",
        header: {
          title: plain("x"),
          text_tag_list: Array.from({ length: 4 }, () => ({ tag: "text_tag", text: plain("t") })),
        },
      },
      200621,
    ],
    ["update_multi false", { schema: "2.0", config: { update_multi: false } }, 200621],
    ["a button text of 101 characters", card(button({ text: plain("好".repeat(101)) })), 200621],
    [
      "a translated button text of 101 characters",
      card(button({ text: plain("好", { i18n_content: { en_us: "x".repeat(101) } }) })),
      200621,
    ],
    [
      "a text in a language that does not exist",
      card(button({ text: plain("好", { i18n_content: { en: "x" } }) })),
      200621,
    ],
    ["a callback value that is a string", card(button({ behaviors: [{ type: "callback", value: "done" }] })), 200621],
    ["a confirmation without a title", card(button({ confirm: { text: plain("x") } })), 200621],
    [
      "two options of one value",
      card({
        tag: "select_static",
        options: [
          { text: plain("a"), value: "1" },
          { text: plain("b"), value: "1" },
        ],
      }),
      200621,
    ],
    ["an element id over 20 characters", card({ tag: "hr", element_id: "a".repeat(21) }), 200621],
    ["one element id twice", card({ tag: "hr", element_id: "a" }, { tag: "hr", element_id: "a" }), 300301],
    ["a picture without alt text", card({ tag: "img", img_key: "img_x" }), 200621],
    [
      "a link that is a script",
      card(button({ behaviors: [{ type: "open_url", default_url: "javascript:alert(1)" }] })),
      200621,
    ],
    ["201 elements", card(...Array.from({ length: 201 }, () => ({ tag: "hr" }))), 11310],
    ["six containers deep", card(nested(6)), 200621],
    [
      "six tables",
      card(
        ...Array.from({ length: 6 }, () => ({ tag: "table", columns: [{ name: "a", data_type: "text" }], rows: [] })),
      ),
      11310,
    ],
    [
      "four markdown tables over two texts",
      card(...Array.from({ length: 2 }, () => ({ tag: "markdown", content: "|a|\n|-|\n\n|a|\n|-|" }))),
      11310,
    ],
    [
      "a table row with an unknown column",
      card({ tag: "table", columns: [{ name: "a", data_type: "text" }], rows: [{ b: 1 }] }),
      200914,
    ],
    ["over 30 KB of UTF-8", card({ tag: "markdown", content: "好".repeat(10_300) }), 200860],
    ["audio that may be forwarded", card({ tag: "audio", file_key: "file_x" }), 200621],
  ];

  test.each(breaches)("%s", (_, value, code) => {
    expect(checkCard(value).map((problem) => problem.code)).toContain(code);
  });
});
