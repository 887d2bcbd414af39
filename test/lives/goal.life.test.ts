import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { PageMessage } from "../../src/playground/page-api.ts";
import { type AppUnderTest, cardOf, findControl, startAppUnderTest } from "../helpers/app-under-test.ts";
import { scriptedLlm } from "../helpers/scripted-llm.ts";
import { HOLD, type ScriptedTurns, scriptedTurns } from "../helpers/scripted-turns.ts";
import { until } from "../helpers/until.ts";

/** Whole apps on a busy machine. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let hermes: ScriptedTurns;
let world: AppUnderTest;
beforeEach(async () => {
  hermes = scriptedTurns();
  world = await startAppUnderTest({ emptyHome: true, parts: { turns: hermes } });
});
afterEach(() => world.close());

const db = () => world.app.scope.db;
const said = (message: PageMessage | undefined): string => JSON.stringify(message?.content ?? "");
const goalCards = (): PageMessage[] =>
  world.botMessages().filter((message) => message.content.kind === "card" && said(message).includes('"goal.details"'));
const lines = (): string[] =>
  world.botMessages().flatMap(({ content }) => (content.kind === "text" ? [content.text] : []));
const status = async (): Promise<string | undefined> =>
  (await db().goal.findFirst({ orderBy: { number: "desc" }, select: { status: true } }))?.status;
const quiet = async (): Promise<void> => {
  await world.settle();
  await until(async () => {
    await world.app.scheduler.idle();
    return (await db().cardPost.count({ where: { stale: true } })) === 0;
  });
};
async function tap(action: Parameters<typeof findControl>[1], formValue?: Record<string, unknown>) {
  const card = goalCards().at(-1);
  if (card === undefined) throw new Error("no card of a goal");
  const control = findControl(cardOf(card), action);
  if (control === undefined) throw new Error(`no ${action}`);
  const answer = await world.platform.tap({
    messageId: card.messageId,
    userId: world.platform.people.owner.openId,
    tag: "button",
    value: control.value,
    ...(formValue && { formValue }),
  });
  await world.settle();
  return answer as { toast?: { content: string } };
}

describe("a goal's life", () => {
  test("four notes: four turns after one command, no word more from the person, one card and one push at the end", async () => {
    const files = ["note-1.md", "note-2.md", "note-3.md", "note-4.md"];
    let n = 0;
    hermes.script(async (_request, live) => {
      const file = files[n++] ?? "?";
      live.emit({ kind: "tool", name: "write_file", preview: file, state: "started" });
      live.emit({ kind: "tool", name: "write_file", state: "completed" });
      return `写好了 ${file}，内容是关于「${"春夏秋冬"[n - 1]}」的一段文字，共有四份里的第 ${n} 份。`;
    });
    world.app.scope.llm = scriptedLlm({
      "goal.judge": [
        { done: false, reason: "还差三份" },
        { done: false, reason: "还差两份" },
        { done: false, reason: "还差一份" },
        { done: true, reason: "四份都写好了" },
      ],
    });
    await world.say("owner", "/goal 写四份笔记，每轮一份");
    await until(async () => (await status()) === "done");
    await quiet();
    expect(hermes.requests).toHaveLength(4);
    expect(hermes.requests.slice(1).every(({ text }) => text.includes("[继续完成长期目标]"))).toBe(true);
    expect(new Set(hermes.requests.slice(1).map(({ sessionId }) => sessionId))).toEqual(new Set(["hermes_1"]));
    expect(goalCards()).toHaveLength(1);
    expect(said(goalCards()[0])).toContain("✓ 目标已达成：四份都写好了");
    expect(said(goalCards()[0])).toContain("4 / 20 轮");
    expect(lines()).toEqual([expect.stringContaining("✓ 目标已达成：四份都写好了")]);
    // Done is done: nothing wakes it again.
    await world.say("owner", "/goal resume");
    await quiet();
    expect(hermes.requests).toHaveLength(4);
  });

  test("the card takes the taps: criterion, pause, resume, more turns, drop; a message of the person's goes first", async () => {
    hermes.script(HOLD);
    world.app.scope.llm = scriptedLlm({ "goal.judge": [{ done: false, reason: "还在做" }] });
    await world.say("owner", "/goal 整理发票");
    const first = await hermes.begun();
    await quiet();
    expect(said(goalCards()[0])).toContain("⊙ 目标已设置（20 轮预算）：整理发票");
    expect((await tap("goal.criterion", { text: "按月份分好" })).toast?.content).toBe("已加上");
    await world.say("owner", "/goal 另一个目标");
    expect(lines().at(-1)).toContain("请先 /stop");
    await world.say("owner", "顺便问一句，现在几点？");
    first.end("分好了一半，还剩下三月以后的没有处理。");
    await until(() => hermes.requests.length === 2);
    // The person first.
    expect(hermes.requests[1]).toMatchObject({ purpose: "chat", text: "顺便问一句，现在几点？" });
    hermes.running.values().next().value?.end("现在三点。");
    await until(() => hermes.requests.length === 3);
    expect(hermes.requests[2]).toMatchObject({ purpose: "goal" });
    expect(hermes.requests[2]?.text).toContain("1. 按月份分好");
    await quiet();
    expect((await tap("goal.pause")).toast?.content).toContain("已暂停");
    hermes.running.values().next().value?.end("又分好了一些，但是有两张发票看不清楚。");
    await quiet();
    expect(hermes.requests).toHaveLength(3);
    expect(said(goalCards()[0])).toContain("⏸ 目标已暂停");
    expect((await tap("goal.raise")).toast?.content).toContain("30");
    await tap("goal.resume");
    await until(() => hermes.requests.length === 4);
    await quiet();
    expect((await tap("goal.stop")).toast?.content).toContain("目标会接着进行");
    await until(() => hermes.stops.length === 1);
    await tap("goal.clear");
    hermes.running.values().next().value?.end({ outcome: "stopped" });
    await quiet();
    expect(await status()).toBe("cleared");
    expect(hermes.requests).toHaveLength(4);
    expect(goalCards()).toHaveLength(1);
    await world.say("owner", "/goal");
    expect(lines().at(-1)).toContain("现在没有目标");
  });

  test("Hermes' question about a command is a card in the middle of a goal's turn, and the turn goes on by the answer", async () => {
    hermes.script(HOLD);
    world.app.scope.llm = scriptedLlm({ "goal.judge": [{ done: true, reason: "清理好了" }] });
    await world.say("owner", "/goal 清理构建目录");
    const turn = await hermes.begun();
    turn.emit({ kind: "approval", ref: "ref1", command: "rm -rf build", choices: ["once", "deny"] });
    const asked = () => world.botMessages().find((message) => said(message).includes('"question.answer"'));
    await until(() => asked() !== undefined);
    const card = asked();
    if (card === undefined) throw new Error("no question");
    expect(said(card)).toContain("rm -rf build");
    await world.press(card, "question.answer");
    expect(await turn.answered("ref1")).toBe("once");
    turn.end("构建目录已经清理完毕。");
    await until(async () => (await status()) === "done");
  });

  test("a goal stays with its conversation: /new says so, /goal says where it is, /stop reaches it, /resume goes back", async () => {
    hermes.script(HOLD);
    world.app.scope.llm = scriptedLlm({ "goal.judge": [{ done: false, reason: "还在做" }] });
    await world.say("owner", "/goal 整理发票");
    await hermes.begun();
    await world.say("owner", "/new");
    expect(lines().at(-1)).toContain("会话 1 里的目标 #1 会接着做");
    await world.say("owner", "/goal");
    expect(lines().at(-1)).toContain("/resume 1");
    await world.say("owner", "等一下再说这个");
    await world.say("owner", "/stop");
    await until(() => hermes.stops.length === 1);
    expect(lines().at(-1)).toContain("目标会接着进行");
    hermes.running.values().next().value?.end({ outcome: "stopped" });
    // The words that waited go first, in their own conversation.
    await until(() => hermes.requests.length === 2);
    expect(hermes.requests[1]).toMatchObject({ purpose: "chat", text: "等一下再说这个" });
    hermes.running.values().next().value?.end("好，随时叫我。");
    await until(() => hermes.requests.length === 3);
    expect(hermes.requests[2]).toMatchObject({ purpose: "goal", sessionId: "hermes_1" });
    await world.say("owner", "/resume 1");
    await world.say("owner", "/goal pause");
    expect(lines().at(-1)).toContain("⏸ 目标已暂停 — 已使用 0/20 轮");
    hermes.running.values().next().value?.end("做了一些整理的工作。");
    await quiet();
    expect(hermes.requests).toHaveLength(3);
  });

  test("a card that is older than two weeks hands over to a new one, on which the goal goes on", async () => {
    hermes.script("整理了一部分，还剩下四月到六月。");
    world.app.scope.llm = scriptedLlm({ "goal.judge": [{ done: true, blocked: true, reason: "缺发票" }] });
    await world.say("owner", "/goal 整理发票");
    await until(async () => (await status()) === "blocked");
    await quiet();
    expect(goalCards()).toHaveLength(1);
    const later = world.platform.clock.now().getTime() + 15 * 24 * 60 * 60_000;
    await world.at(new Date(later).toISOString());
    hermes.script(HOLD);
    await world.say("owner", "/goal resume");
    await until(() => goalCards().length === 2);
    await quiet();
    expect(said(goalCards()[1])).toContain('"goal.pause"');
    expect(await db().cardPost.count({ where: { subjectKind: "goal", gaveUpBecause: "too_old" } })).toBe(1);
  });

  test("without Hermes nothing is set, and the person is told", async () => {
    world.app.scope.turns = scriptedTurns({ way: "none" });
    await world.say("owner", "/goal 做点什么");
    expect(lines().at(-1)).toContain("还没有连上 Hermes");
    expect(await db().goal.count()).toBe(0);
  });

  test.each([
    ["/subgoal", "现在没有目标"],
    ["/goal status", "现在没有目标"],
    ["/subgoal remove", "/subgoal 文档也要更新"],
    ["/goals x", "/goals"],
  ])("a line that cannot be followed (%s) says what would be", async (line, expected) => {
    await world.say("owner", line);
    expect(lines().at(-1)).toContain(expected);
  });
});
