import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { answerQuestion } from "../../src/engine/chat/answer-question.ts";
import { tellAnswers } from "../../src/engine/chat/tell-answers.ts";
import { takeEvents } from "../../src/hermes-bridge/gateway-events.ts";
import { GatewayHub } from "../../src/hermes-bridge/gateway-hub.ts";
import { gatewayTurns } from "../../src/hermes-bridge/gateway-turns.ts";
import { type Given, given, member, owner } from "../helpers/given.ts";
import { openTestDb, type TestDb } from "../helpers/test-db.ts";
import { until } from "../helpers/until.ts";

/** A turn that Hermes begins by itself in the owner's chat, and asks in. */
const chat = "oc_dm_owner";
const spool = "s1";
let db: TestDb;
let g: Given;
let seq = 0;
beforeEach(async () => {
  db = await openTestDb();
  g = given(db.db);
  await g.people();
  await db.db.person.updateMany({ where: { openId: owner.openId }, data: { directChatId: chat } });
  seq = 0;
  const now = g.a.clock.now();
  const agentId = g.a.agent.id;
  await db.db.gatewayLink.create({
    data: { id: spool, agentId, can: {}, instance: "", connectedAt: now, lastSeenAt: now },
  });
  await tell({ kind: "started", instance: "i1" });
  await tell({ kind: "running", turn: "own-1", origin: "hermes", chat });
});
afterEach(() => db.release());

const tell = (event: Record<string, unknown>) =>
  takeEvents(g.a, { split: (text) => [text] }, { spool, events: [{ seq: ++seq, ...event }] });
const asks = (more: Record<string, unknown> = {}) =>
  tell({
    kind: "asked",
    turn: "own-1",
    chat,
    ref: "r1",
    asks: "approval",
    command: "rm -rf build && export API_KEY=sk-abcdefghijklmnop1234567890",
    text: "recursive delete",
    choices: ["once", "session", "always", "deny"],
    ...more,
  });
const question = () => db.db.agentQuestion.findFirstOrThrow();

describe("what Hermes asks in a turn it began by itself", () => {
  test("comes as a card with buttons in the chat it names, without its secrets", async () => {
    expect(await asks()).toMatchObject({ refused: [] });
    const { id, kind, choices, text, status } = await question();
    expect({ kind, choices, status }).toEqual({
      kind: "approval",
      choices: ["once", "session", "always", "deny"],
      status: "open",
    });
    expect(text).not.toContain("sk-abcdefghijklmnop");
    expect(await db.db.cardPost.findMany({ select: { subjectKind: true, subjectId: true, receiveId: true } })).toEqual([
      { subjectKind: "question", subjectId: id, receiveId: chat },
    ]);
  });

  test("is answered from there, once, by those who may, and Hermes is told", async () => {
    await asks();
    const { id } = await question();
    await expect(answerQuestion(g.a, member, { questionId: id, choice: 0 })).rejects.toMatchObject({
      code: "forbidden",
    });
    expect(await answerQuestion(g.a, owner, { questionId: id, choice: 0 })).toMatchObject({ outcome: "answered" });
    expect(await answerQuestion(g.a, owner, { questionId: id, choice: 3 })).toMatchObject({ outcome: "already" });
    const turns = gatewayTurns(g.a, new GatewayHub());
    const telling = tellAnswers({ ...g.a, turns });
    await until(async () => (await db.db.gatewayOrder.count({ where: { kind: "answer", status: "waiting" } })) === 1);
    expect((await db.db.gatewayOrder.findFirstOrThrow()).payload).toMatchObject({ ref: "r1", choice: "once" });
    await db.db.gatewayOrder.updateMany({ data: { status: "taken" } });
    await telling;
    expect(await question()).toMatchObject({ status: "told", choice: "once" });
  });

  test.each([
    ["it was answered elsewhere or timed out", { kind: "void", ref: "r1", turn: "own-1" }],
    ["its turn ends", { kind: "ended", turn: "own-1", outcome: "completed" }],
    ["Hermes was started anew", { kind: "started", instance: "i2" }],
    ["Hermes takes its leave", { kind: "left", instance: "i1" }],
  ])("is void when %s", async (_why, event) => {
    await asks();
    await tell(event);
    expect(await question()).toMatchObject({ status: "void" });
    expect(await answerQuestion(g.a, owner, { questionId: (await question()).id, choice: 0 })).toMatchObject({
      outcome: "already",
    });
  });

  test("is refused for a chat that this bot does not serve, so that Hermes learns of it", async () => {
    await tell({ kind: "running", turn: "own-2", origin: "hermes", chat: "oc_stranger" });
    expect(await asks({ turn: "own-2", chat: "oc_stranger" })).toMatchObject({
      refused: [{ why: "unknown_chat" }],
    });
    expect(await db.db.agentQuestion.count()).toBe(0);
  });
});
