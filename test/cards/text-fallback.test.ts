import { describe, expect, test } from "vitest";
import { parseAction } from "../../src/cards/actions.ts";
import { itemListCard } from "../../src/cards/item-list-card.ts";
import { prefsCard } from "../../src/cards/prefs-card.ts";
import { reminderCard } from "../../src/cards/reminder-card.ts";
import { cardAsText } from "../../src/cards/text-fallback.ts";
import { cardCases } from "./card-cases.ts";
import { controlsOf, LOOKS } from "./looks.ts";
import { itemListViews } from "./other-views.ts";
import { reminderViews } from "./reminder-views.ts";

test("a refused reminder becomes text with a number for everything that can be chosen", () => {
  const { text, choices } = cardAsText(reminderCard(reminderViews.fresh, LOOKS.zh), LOOKS.zh);
  expect(text).toBe(
    [
      "有件事还没收尾",
      "报价单说好今天下班前发给王总，还没看到发出。",
      "",
      "给客户发报价单",
      "你答应周二下班前发出，现在还没有发送的记录。",
      "#3 · 截止 5月6日 周二 18:00（3 小时后） · 已有 3 天",
      "你 5月3日说：“周二下班前我把报价单发给王总”",
      "[1] 完成  [2] 稍后提醒：1 小时后  [3] 稍后提醒：今天晚上  [4] 稍后提醒：明天  [5] 稍后提醒：下周  [6] 不做了  [7] 让 Hermes 继续  [8] 少提这类",
      "",
      "回复数字即可操作。",
    ].join("\n"),
  );
  expect(choices).toHaveLength(8);
});

test("typing 2 does what the second choice of the card does", () => {
  const { choices } = cardAsText(reminderCard(reminderViews.fresh, LOOKS.zh), LOOKS.zh);
  expect(parseAction(choices[1])).toEqual({
    action: "item.snooze",
    post: LOOKS.zh.post,
    payload: { item: "itm_quote", rev: 3, until: "1h" },
    form: undefined,
  });
});

describe.each(cardCases)("$name as text", ({ draw }) => {
  test.each([LOOKS.zh, LOOKS.en])("shows words only, and each number means one control ($language)", (look) => {
    const card = draw(look);
    const { text, choices } = cardAsText(card, look);
    expect(text).not.toMatch(/<person|&#\d+;|undefined|\[object/);
    const numbered = controlsOf(card).filter((control) => control.tag !== "picker_datetime" && !control.submit);
    const meant = numbered.map(({ value, option }) => parseAction(value, { option }));
    expect(choices.map((choice) => parseAction(choice))).toEqual(meant);
    for (let n = 1; n <= choices.length; n++) expect(text).toContain(`[${n}]`);
    expect(text).not.toContain(`[${choices.length + 1}]`);
  });
});

test("a form says that a command has to be used instead", () => {
  const { text, choices } = cardAsText(prefsCard({ text: "周末安静", mayEdit: true }, LOOKS.zh), LOOKS.zh);
  expect(text).toContain("周末安静");
  expect(text).toContain("请改用命令");
  expect(choices).toEqual([]);
});

test("the numbers of matters stand beside the typed commands", () => {
  const view = itemListViews.open;
  const { text } = cardAsText(itemListCard(view ?? expect.fail(), LOOKS.en), LOOKS.en);
  expect(text).toContain("3. 给客户发报价单");
  expect(text).toContain("/done 3");
});

test("text that stood harmlessly on a card mentions nobody and links nowhere as a message", () => {
  const { text } = cardAsText(reminderCard(reminderViews.hostile, LOOKS.zh), LOOKS.zh);
  expect(text).toContain("＜at id=all>");
  expect(text).not.toMatch(/<\/?at|\*\*|\]\(/);
});
