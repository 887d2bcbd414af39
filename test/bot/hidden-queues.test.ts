import { afterEach, beforeEach, expect, test } from "vitest";
import { drawPost } from "../../src/bot/draw-post.ts";
import { findPost, wantCard } from "../../src/engine/card-posts.ts";
import { inTransaction } from "../../src/engine/db.ts";
import { DayTally } from "../../src/engine/evolution/day-figures.ts";
import { jsonColumn } from "../../src/engine/json-column.ts";
import type { HiddenQueues, Waiting } from "../../src/engine/ports.ts";
import { type Given, given, owner } from "../helpers/given.ts";
import { openTestDb, type TestDb } from "../helpers/test-db.ts";

const server = { version: "1.2.3", nextRunAt: () => undefined };
const date = "2026-11-29";
let db: TestDb;
let g: Given;
let read: HiddenQueues["read"];
beforeEach(async () => {
  db = await openTestDb();
  read = async () => ({ waiting: [], unreadable: 0 });
  g = given(db.db, { queues: { read: () => read() } });
  await g.people();
});
afterEach(() => db.release());

const waiting: Waiting[] = [
  { kind: "failed_delivery", id: "j1", title: "日报", detail: "chat not found" },
  { kind: "cron_suggestion", id: "s1", title: "每周回顾" },
  { kind: "memory_write", id: "m1", title: "喜欢简短的回答" },
];

async function report(to: { openId: string } | { chatId: string }): Promise<string> {
  await g.a.db.reflectionReport.upsert({
    where: { agentId_date: { agentId: g.a.agent.id, date } },
    update: {},
    create: {
      id: "report_1",
      agentId: g.a.agent.id,
      date,
      zone: "Asia/Shanghai",
      sessionsAnalyzed: 0,
      figures: jsonColumn(new DayTally({}).figures()),
      worstPatterns: [],
      recommendations: [],
      heldBack: [],
      madeAt: g.a.clock.now(),
    },
  });
  const { postId } = await inTransaction(g.a.db, (tx) =>
    wantCard(tx, g.a, {
      subject: { kind: "report", id: date },
      to,
      language: "chatId" in to ? "both" : "zh",
      idempotencyKey: `report-${JSON.stringify(to).slice(0, 30)}`,
    }),
  );
  const post = await findPost(g.a, { postId });
  if (post === undefined) throw new Error("no post");
  return JSON.stringify((await drawPost(g.a, post, server))?.card);
}

test("the report names jobs Hermes suggests and messages that did not arrive, and no write twice", async () => {
  read = async () => ({ waiting, unreadable: 0 });
  const card = await report({ openId: owner.openId });
  expect(card).toContain("没送到的消息 · 日报");
  expect(card).toContain("chat not found");
  expect(card).toContain("建议的定时任务 · 每周回顾");
  expect(card).not.toContain("喜欢简短的回答");
});

test("where nothing waits no line says so, and what cannot be read is said and costs no report", async () => {
  expect(await report({ openId: owner.openId })).not.toContain("等人看");
  read = async () => {
    throw new Error("EIO");
  };
  expect(await report({ openId: owner.openId })).toContain("读不出来");
});

test("a group sees nothing of what waits in Hermes", async () => {
  read = async () => ({ waiting, unreadable: 0 });
  expect(await report({ chatId: "oc_team" })).not.toContain("日报");
});
