import { afterEach, beforeEach, expect, test } from "vitest";
import { drawPost, LINE_CHARS } from "../../src/bot/draw-post.ts";
import { findPost, wantCard } from "../../src/engine/card-posts.ts";
import { inTransaction } from "../../src/engine/db.ts";
import { closeItem } from "../../src/engine/tracking/close-item.ts";
import { admin, type Given, given, owner, quote } from "../helpers/given.ts";
import { openTestDb, type TestDb } from "../helpers/test-db.ts";

const server = { version: "1.2.3", nextRunAt: () => undefined };
let db: TestDb;
let g: Given;
beforeEach(async () => {
  db = await openTestDb();
  g = given(db.db);
  await g.people();
});
afterEach(() => db.release());

async function drawn(postId: string): Promise<string> {
  const post = await findPost(g.a, { postId });
  if (post === undefined) throw new Error("no post");
  const picture = await drawPost(g.a, post, server);
  return JSON.stringify(picture?.card ?? picture?.asText().text);
}

test("a quoted line is 'you' to the one who said it and their name to anybody else", async () => {
  const item = await g.item({ evidence: [quote("周四前把报价单发给客户A")] });
  expect(await drawn((await g.delivery([item])).postId)).toContain("你");
  const toAdmin = await drawn((await g.delivery([item], { to: admin.openId })).postId);
  expect(toAdmin).toContain(owner.name);
  expect(toAdmin).not.toMatch(/"[^"]*你[ ，：·][^"]*周四前/);
});

test("of a line said in a group nobody is named, on the owner's card as on the group's", async () => {
  const line = { ...quote("谁来订会议室"), chatType: "group" as const, chatId: "oc_team" };
  const item = await g.item({ evidence: [line], audience: "oc_team" });
  const { postId } = await g.delivery([item]);
  expect(await drawn(postId)).toContain("某位成员");
  await db.db.cardPost.update({
    where: { id: postId },
    data: { receiveIdType: "chat_id", receiveId: "oc_team", language: "both" },
  });
  const inGroup = await drawn(postId);
  expect(inGroup).toContain("谁来订会议室");
  expect(inGroup).not.toContain("你");
});

test("a card is drawn on the wall of its reader, wherever the server stands", async () => {
  const dueAt = new Date("2026-12-03T09:00:00Z");
  const item = await g.item({ dueAt, dueGrain: "minute" });
  const { postId } = await g.delivery([item]);
  expect(await drawn(postId)).toContain("17:00");
  await db.db.person.updateMany({ where: { openId: owner.openId }, data: { zone: "Europe/Berlin" } });
  expect(await drawn(postId)).toContain("10:00");
});

test("a list says who closed a matter and how, though it was decided before the list was asked for", async () => {
  const dropped = await g.item({ title: "约设计师改稿" });
  const done = await g.item({ title: "把发票寄出去" });
  const settled = await g.item({ title: "订会议室" });
  await closeItem(g.a, owner, { itemId: dropped.id, why: "dropped" });
  await closeItem(g.a, admin, { itemId: done.id, why: "done" });
  await db.db.trackingItem.update({
    where: { id: settled.id },
    data: { status: "closed", closedWhy: "done", closedAt: g.a.clock.now() },
  });
  g.a.clock.advance({ minutes: 1 });
  const said = await drawn(await askedList("closed", { openId: owner.openId }));
  expect(said).toContain("不做了 · 你");
  expect(said).toContain(`已完成 · ${admin.name}`);
  expect(said.match(/已在别处了结/g)).toHaveLength(1);
});

test("an empty list in a group does not claim that nothing is open elsewhere", async () => {
  await g.item({ title: "谈加薪" });
  const inGroup = await drawn(await askedList("open", { chatId: "oc_team" }));
  expect(inGroup).not.toContain("谈加薪");
  expect(inGroup).toContain("只在私聊里列出");
});

test("a time set with /remind is no missed deadline when it comes", async () => {
  const dueAt = new Date(g.a.clock.now().getTime() - 90_000);
  const asked = await g.item({ title: "喝水", kind: "reminder", dueAt, dueGrain: "minute" });
  const said = await drawn((await g.delivery([asked])).postId);
  expect(said).toContain("定在");
  expect(said).not.toContain("逾期");
  const promised = await g.item({ title: "交周报", kind: "promise", dueAt, dueGrain: "minute" });
  expect(await drawn((await g.delivery([promised])).postId)).toContain("已逾期");
});

async function askedList(list: string, to: { openId: string } | { chatId: string }): Promise<string> {
  const { postId } = await inTransaction(db.db, (tx) =>
    wantCard(tx, g.a, {
      subject: { kind: "item-list", id: list },
      view: { list, viewer: owner.openId, chatType: "openId" in to ? "p2p" : "group" },
      to,
      language: "zh",
      idempotencyKey: `list-${list}`,
    }),
  );
  return postId;
}

test("a line that is far too long is cut, and nothing in it is a mention or a link", async () => {
  const text = `<at user_id="all">全体</at> [点我](http://x) ${"长".repeat(50_000)}`;
  const { postId } = await inTransaction(db.db, (tx) =>
    wantCard(tx, g.a, {
      subject: { kind: "line", id: "om_1" },
      view: { text },
      to: { chatId: "oc_1" },
      language: "zh",
      idempotencyKey: "line-1",
    }),
  );
  const said = await drawn(postId);
  expect(said.length).toBeLessThan(LINE_CHARS + 100);
  expect(said).not.toMatch(/<at|\]\(/);
  expect(said).toContain("…");
});

test("what the decision folded stays folded, however many matters a card shows", async () => {
  const items = [await g.item({ title: "甲" }), await g.item({ title: "乙" }), await g.item({ title: "丙" })];
  const { postId, deliveryId } = await g.delivery(items);
  await db.db.deliveryMatter.updateMany({ where: { deliveryId, itemId: items[2]?.id ?? "" }, data: { folded: true } });
  const card = await drawn(postId);
  expect(card).toContain("甲");
  expect(card).toContain("乙");
  expect(card).not.toContain("丙");
  const seven = [];
  for (let n = 1; n <= 7; n++) seven.push(await g.item({ title: `第${n}件` }));
  expect(await drawn((await g.delivery(seven)).postId)).toContain("第7件");
});
