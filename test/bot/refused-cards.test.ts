import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type AppUnderTest, startAppUnderTest } from "../helpers/app-under-test.ts";

/** Whole apps on a busy machine. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let world: AppUnderTest;
beforeAll(async () => {
  world = await startAppUnderTest({ emptyHome: true });
});
afterAll(() => world.close());

const db = () => world.app.scope.db;
const wait = (ms: number) => world.at(new Date(world.platform.clock.now().getTime() + ms));
const lastText = (): string => {
  const last = world.botMessages().at(-1);
  return last?.content.kind === "text" ? last.content.text : JSON.stringify(last?.content);
};
const itemCalled = (title: string) => db().trackingItem.findFirstOrThrow({ where: { title } });

/** The number the text gives to an entry that stands at or after the title. */
function numberOf(text: string, title: string, label: string): string {
  const rest = text.slice(text.indexOf(title));
  const found = new RegExp(`\\[(\\d+)\\] ${label}`).exec(rest);
  if (found?.[1] === undefined) throw new Error(`no number for ${label} after ${title} in:\n${text}`);
  return found[1];
}

/** What the client reads as markup: everything else of a card is shown as it stands. */
function markdownOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(markdownOf);
  if (typeof node !== "object" || node === null) return [];
  const { tag, content } = node as { tag?: unknown; content?: unknown };
  const own = (tag === "markdown" || tag === "lark_md") && typeof content === "string" ? [content] : [];
  return [...own, ...Object.values(node).flatMap(markdownOf)];
}

test("when every card is refused the reminder comes as text with numbers, and a typed number does what the button does", async () => {
  world.platform.fault({ kind: "refuse_cards", on: true });
  await world.say("owner", "/remind 文字一 1分钟后");
  await world.say("owner", "/remind 文字二 1分钟后");
  await wait(2 * 60_000);
  const text = lastText();
  expect(text).toContain("文字一");
  expect(text).toContain("文字二");
  await world.say("owner", numberOf(text, "文字一", "完成"));
  expect(await itemCalled("文字一")).toMatchObject({ status: "closed", closedWhy: "done" });
  expect(lastText()).toContain("已完成");
  // What was decided in between changes no number.
  await world.say("owner", numberOf(text, "文字二", "完成"));
  expect(await itemCalled("文字二")).toMatchObject({ status: "closed", closedWhy: "done" });
  await world.say("owner", numberOf(text, "文字二", "完成"));
  expect(lastText()).toContain("你已处理");
  expect(await db().itemDecision.count({ where: { itemId: (await itemCalled("文字二")).id } })).toBe(1);
  world.platform.fault({ kind: "clear" });
});

test("a number the text does not have changes nothing", async () => {
  const before = await db().itemDecision.count();
  await world.say("owner", "99");
  expect(await db().itemDecision.count()).toBe(before);
});

test("a title full of markup is shown as it was typed: no mention, no link, no table, on the card and in lines", async () => {
  const title = "**紧急** [点我](http://x) <at id=all></at> | a | b |";
  await world.say("owner", `/remind ${title} 1分钟后`);
  expect(lastText()).toContain("紧急");
  expect(lastText()).not.toMatch(/<at|\]\(http|\*\*/);
  await wait(2 * 60_000);
  const content = world.botMessages().at(-1)?.content;
  expect(content).toMatchObject({ kind: "card" });
  expect(JSON.stringify(content)).toContain("紧急");
  const read = markdownOf(content).join("\n");
  expect(read).not.toMatch(/<at|\]\(http|\*\*紧急|\| a \|/);
});
