import { describe, expect, test } from "vitest";
import { ACTIONS, type ActionName, type ActionPayload, parseAction } from "../../src/cards/actions.ts";
import { actionButton, actionMenu, actionPicker, actionSelect } from "../../src/cards/buttons.ts";
import { LOOKS } from "./looks.ts";

const item = { item: "itm_1", rev: 4 };

const payloads: { readonly [N in ActionName]: ActionPayload<N> } = {
  "item.done": item,
  "item.drop": item,
  "item.snooze": { ...item, until: "next_week" },
  "item.snoozeAt": item,
  "item.carryOn": item,
  "item.fewer": item,
  "item.undo": { decision: "dec_9" },
  "items.page": { list: "closed", page: 2 },
  "run.show": { run: "run_1" },
  "run.document": { run: "run_1", name: "conversation.md", page: 2 },
  "run.list": { page: 1 },
  "status.refresh": {},
  "prefs.save": {},
  "settings.group": { group: "reminders" },
  "settings.save": { group: "reminders" },
  "people.grant": { openId: "ou_1", role: "member" },
  "people.revoke": { openId: "ou_1" },
  "audit.list": { page: 2 },
  "goal.pause": { goal: "goal_1" },
  "goal.resume": { goal: "goal_1" },
  "goal.stop": { goal: "goal_1" },
  "goal.clear": { goal: "goal_1" },
  "goal.raise": { goal: "goal_1", budget: 20 },
  "goal.criterion": { goal: "goal_1" },
  "goal.details": { goal: "goal_1", open: true },
  "goal.show": { goal: "goal_1" },
  "proposal.approve": { proposal: "prop_1", rev: 2 },
  "proposal.reject": { proposal: "prop_1", rev: 2 },
  "proposal.why": { proposal: "prop_1", reason: "too_risky" },
  "proposal.whyWords": { proposal: "prop_1" },
  "proposal.later": { proposal: "prop_1" },
  "proposal.show": { proposal: "prop_1" },
  "proposal.revert": { proposal: "prop_1" },
  "proposals.approveLow": { seen: [{ proposal: "prop_1", rev: 2 }] },
  "report.show": { date: "2026-11-29" },
  "report.again": { date: "2026-11-29" },
  "strategy.switch": { strategy: "loop-1", on: false },
  "pending.adopt": { pending: "w1" },
  "kind.resume": { kind: "skill_create" },
  "tick.run": {},
  "turn.stop": { turn: "turn_1" },
  "turn.retry": { turn: "turn_1" },
  "question.answer": { question: "0f3a", choice: 0 },
  "question.say": { question: "0f3a" },
};

const names = Object.keys(ACTIONS) as ActionName[];
const entered = { option: "2025-06-10 19:19 +0800", formValue: { text: "晚上别打扰" } };

/** What comes back from the platform: the value, once through JSON. */
const sent = (control: { behaviors?: readonly { value: unknown }[] }): unknown =>
  JSON.parse(JSON.stringify(control.behaviors?.[0]?.value));

describe("a tap", () => {
  test.each(names)("on a button of %s is read as what the button carries", (name) => {
    const value = sent(actionButton(name, payloads[name], LOOKS.zh, { label: () => "x" }));
    expect(parseAction(value, entered)).toMatchObject({
      action: name,
      post: LOOKS.zh.post,
      payload: payloads[name],
    });
  });

  test("on a menu or a select means the chosen entry", () => {
    const choices = [
      { key: "drop", label: () => "x", action: { action: "item.drop", payload: item } },
      { key: "undo", label: () => "y", action: { action: "item.undo", payload: { decision: "d" } } },
    ] as const;
    for (const control of [actionMenu(LOOKS.zh, choices), actionSelect(LOOKS.zh, () => "z", choices)]) {
      expect(parseAction(sent(control), { option: "undo" })).toMatchObject({ action: "item.undo" });
      expect(parseAction(sent(control), { option: "drop" })).toMatchObject({ action: "item.drop", payload: item });
      for (const option of ["", "other", "__proto__", "constructor", 1, undefined]) {
        expect(parseAction(sent(control), { option })).toBeUndefined();
      }
    }
  });

  test("on a picker carries the picked instant, with the person's own offset", () => {
    const value = sent(actionPicker("item.snoozeAt", item, LOOKS.en, () => "when"));
    expect(parseAction(value, { option: "2025-06-10 19:19 +0800" })).toMatchObject({
      form: { at: new Date("2025-06-10T11:19:00Z") },
    });
    for (const option of ["tomorrow", "2025-06-10 19:19", "2025-13-45 19:19 +0800", undefined, 3]) {
      expect(parseAction(value, { option })).toBeUndefined();
    }
  });

  test("on a form's submit carries the entered text, an empty one included", () => {
    const value = sent(actionButton("prefs.save", {}, LOOKS.zh, { label: () => "x" }));
    expect(parseAction(value, { formValue: { text: "晚上别打扰" } })).toMatchObject({ form: { text: "晚上别打扰" } });
    expect(parseAction(value, { formValue: {} })).toMatchObject({ form: { text: "" } });
    expect(parseAction(value, {})).toBeUndefined();
  });

  test.each([
    ["an unknown action", { v: 1, post: "p", action: "old.action", payload: {} }],
    ["a name every object has", { v: 1, post: "p", action: "constructor", payload: {} }],
    ["another version", { v: 2, post: "p", action: "tick.run", payload: {} }],
    ["no version", { post: "p", action: "tick.run", payload: {} }],
    ["no post", { v: 1, action: "tick.run", payload: {} }],
    ["a payload that lacks a field", { v: 1, post: "p", action: "item.done", payload: { item: "i" } }],
    ["a payload with more than it should", { v: 1, post: "p", action: "item.done", payload: { ...item, all: true } }],
    ["an id that is no id", { v: 1, post: "p", action: "item.done", payload: { item: "../x", rev: 1 } }],
    ["another product's value", { k: "rem.snooze", t: "abc", m: 60 }],
    ["a string", '{"v":1,"action":"tick.run"}'],
    ["nothing", undefined],
    ["null", null],
    ["a list", [1]],
  ])("with %s is not understood, and nothing is thrown", (_, value) => {
    expect(parseAction(value, entered)).toBeUndefined();
  });
});
