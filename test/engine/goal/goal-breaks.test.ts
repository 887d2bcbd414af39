import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { answerQuestion } from "../../../src/engine/chat/answer-question.ts";
import { claimTurn, turnsInLine } from "../../../src/engine/chat/claim-turn.ts";
import { beginSession, type ChatSession, currentSession } from "../../../src/engine/chat/session.ts";
import { tellAnswers } from "../../../src/engine/chat/tell-answers.ts";
import { inTransaction } from "../../../src/engine/db.ts";
import { claimGoal, letGoalGo } from "../../../src/engine/goal/begin-turn.ts";
import { goalById } from "../../../src/engine/goal/find-goal.ts";
import type { Goal } from "../../../src/engine/goal/goal.ts";
import { GoalRunner } from "../../../src/engine/goal/goal-runner.ts";
import { TOTAL_TURNS } from "../../../src/engine/goal/limits.ts";
import { pauseGoal } from "../../../src/engine/goal/pause-goal.ts";
import { raiseBudget } from "../../../src/engine/goal/raise-budget.ts";
import { resumeGoal } from "../../../src/engine/goal/resume-goal.ts";
import { setGoal } from "../../../src/engine/goal/set-goal.ts";
import { stopGoalTurn } from "../../../src/engine/goal/stop-goal-turn.ts";
import { addCriterion, setCheck } from "../../../src/engine/goal/subgoals.ts";
import type { Scope } from "../../../src/engine/scope.ts";
import { changeSettings } from "../../../src/engine/settings.ts";
import { type FixedClock, fixedClock } from "../../helpers/fixed-clock.ts";
import { admin, type Given, given, member, owner } from "../../helpers/given.ts";
import { scriptedLlm } from "../../helpers/scripted-llm.ts";
import { HOLD, type RunningTurn, type ScriptedTurns, scriptedTurns } from "../../helpers/scripted-turns.ts";
import { openTestDb, type TestDb } from "../../helpers/test-db.ts";
import { until } from "../../helpers/until.ts";

const place = { chatId: "oc_dm_member", chatType: "p2p", openId: member.openId } as const;
const group = { chatId: "oc_team", chatType: "group", openId: member.openId } as const;
const SECRET = "sk-abcdefghijklmnop1234567890";

let opened: TestDb;
let world: Given;
let turns: ScriptedTurns;
let scope: Scope;
let runner: GoalRunner;
let clock: FixedClock;

beforeEach(async () => {
  opened = await openTestDb();
  turns = scriptedTurns();
  clock = fixedClock("2026-11-30T02:00:00Z");
  world = given(opened.db, { clock, turns, llm: scriptedLlm({}) });
  await world.people();
  scope = world.a;
  runner = newRunner();
});
afterEach(async () => {
  turns.abandon();
  await runner.leave();
  await opened.release();
});

function newRunner(): GoalRunner {
  return new GoalRunner({ poke: () => {} });
}
function judge(...verdicts: object[]): void {
  scope.llm = scriptedLlm({ "goal.judge": verdicts });
}
const session = (at: typeof place | typeof group = place): Promise<ChatSession> =>
  inTransaction(scope.db, (tx) => currentSession(tx, scope, at, "chat"));
async function begin(text = "修好所有测试", at: typeof place | typeof group = place): Promise<Goal> {
  return setGoal(scope, member, { session: await session(at), place: at, language: "zh", text });
}
const now = (goal: Goal): Promise<Goal> => goalById(scope, goal.id);
const rows = (goal: Goal) => scope.db.goalTurn.findMany({ where: { goalId: goal.id }, orderBy: { number: "asc" } });
async function run(most = 30): Promise<void> {
  for (let i = 0; i < most; i++) {
    const taken = await runner.sweep(scope);
    await runner.idle();
    if (taken === 0) return;
  }
}
async function holding(goal: Goal): Promise<RunningTurn> {
  turns.script(HOLD);
  await runner.sweep(scope);
  await until(async () => (await rows(goal)).some((row) => row.status === "running" && row.hermesSessionId !== null));
  return turns.begun();
}
/** The process dies as by kill -9; Hermes goes on. */
async function kill(): Promise<void> {
  turns.abandon();
  await runner.leave();
  clock.advance({ minutes: 2 });
  runner = newRunner();
}
async function says(sessionId: string, text = "现在几点？"): Promise<string> {
  const row = await scope.db.turn.create({
    data: {
      id: scope.ids.id("turn"),
      agentId: scope.agent.id,
      sessionId,
      dedupeKey: scope.ids.opaque(),
      origin: "message",
      chatId: place.chatId,
      chatType: "p2p",
      senderOpenId: member.openId,
      language: "zh",
      said: text,
      text,
      images: [],
      files: [],
      status: "waiting",
      reply: "",
      createdAt: clock.now(),
    },
  });
  return row.id;
}
async function answered(id: string, reply: string): Promise<void> {
  await scope.db.turn.update({ where: { id }, data: { status: "completed", reply } });
}
async function mayChat(): Promise<boolean> {
  const [turn] = await turnsInLine(scope);
  return turn !== undefined && (await claimTurn(scope, turn)) !== undefined;
}
const go = (reason = "还有事") => ({ done: false, reason });
const different = (n: number): string => `第 ${n} 份报告：${String.fromCodePoint(0x4e00 + n * 97).repeat(30)}`;
const endLines = async (): Promise<string[]> =>
  (await scope.db.cardPost.findMany({ where: { agentId: scope.agent.id, subjectKind: "line" } })).map(
    (row) => (row.view as { text: string }).text,
  );

describe("Hermes asks in the middle of a goal's turn", () => {
  const approval = {
    kind: "approval",
    ref: "ref1",
    command: `rm -rf build --token ${SECRET}`,
    choices: ["once", "deny"],
  } as const;

  async function asked(goal: Goal, live: RunningTurn) {
    live.emit(approval);
    await until(async () => (await scope.db.agentQuestion.count()) === 1);
    const row = await scope.db.agentQuestion.findFirstOrThrow();
    expect(row.turnId).toBe((await rows(goal))[0]?.id);
    return row;
  }

  test("a command to be approved is a card in the chat, and the answer reaches Hermes", async () => {
    const goal = await begin();
    const live = await holding(goal);
    const row = await asked(goal, live);
    expect(row).toMatchObject({ kind: "approval", chatId: place.chatId, status: "open" });
    expect(row.text).not.toContain(SECRET);
    const post = await scope.db.cardPost.findFirstOrThrow({ where: { subjectKind: "question" } });
    expect(post).toMatchObject({ subjectId: row.id, receiveId: place.chatId });
    await expect(answerQuestion(scope, member, { questionId: row.id, choice: 0 })).rejects.toMatchObject({
      code: "forbidden",
    });
    await answerQuestion(scope, owner, { questionId: row.id, choice: 0 });
    await tellAnswers(scope);
    expect(await live.answered("ref1")).toBe("once");
    judge({ done: true, reason: "好了" });
    live.end("清理完了");
    await runner.idle();
    expect((await now(goal)).status).toBe("done");
  });

  test("silence is a no in the end, and the turn goes on", async () => {
    const goal = await begin();
    const live = await holding(goal);
    await asked(goal, live);
    clock.advance({ minutes: 6 });
    await tellAnswers(scope);
    expect(await live.answered("ref1")).toBe("deny");
    live.end("没有得到同意，没有清理");
    judge(go());
    await runner.idle();
  });

  test("whoever set the goal answers its questions; another member does not; what nobody waits for is void", async () => {
    const goal = await begin();
    const live = await holding(goal);
    live.emit({ kind: "question", ref: "q1", question: "用哪个分支？", choices: ["main", "dev"] });
    await until(async () => (await scope.db.agentQuestion.count()) === 1);
    const { id } = await scope.db.agentQuestion.findFirstOrThrow();
    const stranger = { ...member, openId: "ou_other" };
    await expect(answerQuestion(scope, stranger, { questionId: id, choice: 0 })).rejects.toMatchObject({
      code: "forbidden",
    });
    live.emit({ kind: "question", ref: "q2", question: "要不要推送？", choices: [] });
    await until(async () => (await scope.db.agentQuestion.count()) === 2);
    await answerQuestion(scope, member, { questionId: id, choice: 1 });
    await tellAnswers(scope);
    expect(await live.answered("q1")).toBe("dev");
    judge(go());
    live.end("换到 dev 分支，做了一部分");
    await runner.idle();
    const open = await scope.db.agentQuestion.findFirstOrThrow({ where: { ref: "q2" } });
    expect(open).toMatchObject({ status: "void", voidBecause: "turn_ended" });
  });

  test("a question that is void at the other end is void here", async () => {
    const goal = await begin();
    const live = await holding(goal);
    const { id } = await asked(goal, live);
    live.emit({ kind: "void", ref: "ref1" });
    await until(async () => (await scope.db.agentQuestion.findUniqueOrThrow({ where: { id } })).status === "void");
  });
});

describe("after a crash, while its turn still runs at Hermes", () => {
  test.each([false, true])("no message of a person's begins beside it (graceful: %s)", async (graceful) => {
    const goal = await begin();
    const live = await holding(goal);
    if (graceful) {
      await runner.leave();
      runner = newRunner();
    } else await kill();
    await says(goal.sessionId);
    expect(await mayChat()).toBe(false);
    judge(go());
    live.end("做了一半，还差一半没有做");
    await runner.sweep(scope);
    await runner.idle();
    expect(await mayChat()).toBe(true);
  });

  test("a goal that was paused or dropped meanwhile is cleared up all the same, and nothing new begins before", async () => {
    const goal = await begin();
    const live = await holding(goal);
    await kill();
    await pauseGoal(scope, member, goal.id);
    await expect(begin("另一个")).rejects.toMatchObject({ code: "wrong_state", facts: { state: "running" } });
    await runner.sweep(scope);
    expect(runner.size).toBe(1);
    live.end("做完了");
    await runner.idle();
    expect((await rows(goal)).map(({ status, tail }) => [status, tail])).toEqual([["stale", "做完了"]]);
    expect(turns.requests).toHaveLength(1);
    await begin("另一个");
  });

  test("a stop reaches the turn that was taken over", async () => {
    const goal = await begin();
    const live = await holding(goal);
    await kill();
    await runner.sweep(scope);
    await stopGoalTurn(scope, member, goal.id);
    await until(() => turns.stops.length === 1);
    turns.script("后来的一轮，做完了所有的事情");
    live.end({ outcome: "stopped" });
    await runner.idle();
    expect((await rows(goal))[0]?.status).toBe("stopped");
  });

  test("Hermes is asked by the very words that were sent", async () => {
    const goal = await begin();
    await holding(goal);
    await kill();
    const asked: string[] = [];
    const original = turns.whatBecameOf.bind(turns);
    turns.whatBecameOf = (turn) => {
      asked.push(turn.text);
      return original(turn);
    };
    await runner.sweep(scope);
    await until(() => asked.length > 0);
    expect(asked[0]).toBe(turns.requests[0]?.text);
    turns.restart();
    await runner.idle();
  });

  test.each(["failed", "stopped", "lost"] as const)(
    "a turn that %s just before the process died is that, and not an empty one",
    async (outcome) => {
      const goal = await begin();
      const live = await holding(goal);
      const { random, log } = scope;
      // Killed in the middle of what follows from the end: the pause after a failure asks for chance.
      scope.random = () => {
        throw new Error("killed");
      };
      scope.log = { ...log, incident: () => "" };
      live.end({ outcome, text: outcome === "failed" ? "" : "半句话", why: "429 quota" });
      await runner.idle();
      scope.random = random;
      scope.log = log;
      turns.script(HOLD);
      await kill();
      await runner.sweep(scope);
      await until(async () => (await rows(goal))[0]?.status !== "running");
      expect((await rows(goal))[0]?.status).toBe(outcome);
      await pauseGoal(scope, member, goal.id);
    },
  );
});

describe("two processes", () => {
  test("one that lost its lease does not free the session the other holds", async () => {
    const goal = await begin();
    const first = await claimGoal(scope, goal);
    clock.advance({ minutes: 2 });
    const live = await holding(goal);
    if (first === undefined) throw new Error("not claimed");
    await letGoalGo(scope, first);
    await says(goal.sessionId);
    expect(await mayChat()).toBe(false);
    judge({ done: true, reason: "好" });
    live.end("做完了全部的事情，没有剩下的");
    await runner.idle();
  });
});

describe("more than one conversation in a place", () => {
  test("what runs in the second one is seen: a new goal is refused", async () => {
    await session();
    await inTransaction(scope.db, (tx) => beginSession(tx, scope, place, place.chatId));
    const goal = await begin();
    const live = await holding(goal);
    await expect(begin("第二个")).rejects.toMatchObject({ code: "wrong_state", facts: { state: "running" } });
    judge({ done: true, reason: "好" });
    live.end("做完了全部的事情，没有剩下的");
    await runner.idle();
  });

  test("people come first, also in another conversation of the same chat", async () => {
    const goal = await begin();
    const other = await inTransaction(scope.db, (tx) => beginSession(tx, scope, place, place.chatId));
    const id = await says(other.id);
    await run();
    expect(turns.requests).toHaveLength(0);
    await answered(id, "三点。");
    judge({ done: true, reason: "好" });
    await run();
    expect((await now(goal)).status).toBe("done");
  });
});

describe("what counts, and what does not", () => {
  test("short answers to a person are no sign that the goal stands still", async () => {
    judge(go());
    const goal = await begin();
    for (let i = 0; i < 4; i++) {
      await answered(await says(goal.sessionId), "好的");
      turns.script(HOLD);
      await runner.sweep(scope);
      if (i < 3) await runner.idle();
    }
    expect(await now(goal)).toMatchObject({ status: "active", sameInRow: 0 });
    turns.restart();
    await runner.idle();
  });

  test("a person's messages use up neither budget nor cap", async () => {
    judge(go());
    const goal = await begin();
    await answered(await says(goal.sessionId), "三点，外面下着小雨，别忘了带伞。");
    await runner.sweep(scope);
    await runner.idle();
    expect(await now(goal)).toMatchObject({ turnsUsed: 0, turnsTotal: 0 });
  });

  test("what was said while it was paused is not judged when it goes on", async () => {
    const goal = await begin();
    await pauseGoal(scope, member, goal.id);
    await answered(await says(goal.sessionId), "不客气，都做完了。");
    await resumeGoal(scope, member, goal.id);
    const live = await holding(goal);
    expect((await rows(goal)).map((row) => row.kind)).toEqual(["goal"]);
    judge({ done: true, reason: "好" });
    live.end("做完了全部的事情，没有剩下的");
    await runner.idle();
  });

  test("at the cap on all turns resume says so, and does not pretend", async () => {
    const goal = await begin();
    await scope.db.goal.updateMany({
      data: { turnsTotal: TOTAL_TURNS, status: "paused", pausedBecause: "total_cap" },
    });
    await expect(resumeGoal(scope, member, goal.id)).rejects.toMatchObject({ code: "limit_reached" });
    expect((await now(goal)).status).toBe("paused");
  });

  test("Hermes away leaves the last verdict alone: it is no verdict, and no part of the next prompt", async () => {
    turns.script(different(1), different(2));
    judge(go("还差文档"), { done: true, reason: "好了" });
    const goal = await begin();
    await runner.sweep(scope);
    await runner.idle();
    turns.down = true;
    for (let i = 0; i < 60; i++) {
      await run(2);
      clock.advance({ minutes: 1, seconds: 1 });
    }
    expect(await now(goal)).toMatchObject({ status: "active", reason: "还差文档", turnsTotal: 1, failedInRow: 0 });
    turns.down = false;
    await run();
    expect(turns.requests).toHaveLength(2);
    expect(turns.requests[1]?.text).toContain("还差文档");
    expect((await now(goal)).status).toBe("done");
  });

  test("a budget raised while a turn runs counts for that turn already", async () => {
    await changeSettings(scope, owner, { goalTurns: 1 });
    const goal = await begin();
    const live = await holding(goal);
    await raiseBudget(scope, member, { goalId: goal.id, seenBudget: 1 });
    judge(go(), { done: true, reason: "好" });
    turns.script(different(2));
    live.end(different(1));
    await runner.idle();
    expect(await now(goal)).toMatchObject({ status: "active", budget: 11, budgetBy: member.openId });
    await run();
    expect((await now(goal)).status).toBe("done");
  });

  test("the clock set back neither stops it nor runs it twice", async () => {
    turns.script(different(1), different(2));
    judge(go(), { done: true, reason: "好" });
    const goal = await begin();
    await runner.sweep(scope);
    await runner.idle();
    clock.advance({ hours: -5 });
    await run();
    expect(turns.requests).toHaveLength(2);
    expect((await now(goal)).status).toBe("done");
  });

  test("a session that compression renamed goes on under its new name", async () => {
    turns.script({ text: different(1), sessionId: "after_compression" }, different(2));
    judge(go(), { done: true, reason: "好" });
    await begin();
    await run();
    expect(turns.requests[1]?.sessionId).toBe("after_compression");
  });

  test("a pause while the judge thinks is kept, and its verdict changes nothing", async () => {
    const goal = await begin();
    let paused: Promise<unknown> | undefined;
    scope.llm = scriptedLlm({
      "goal.judge": [
        () => {
          paused = pauseGoal(scope, member, goal.id);
          return { done: true, reason: "好了" };
        },
      ],
    });
    turns.script(different(1));
    const llm = scope.llm;
    scope.llm = {
      configured: true,
      async ask(question) {
        const reply = await llm.ask(question);
        await paused;
        return reply;
      },
    };
    await run();
    expect(await now(goal)).toMatchObject({ status: "paused", pausedBecause: "user", turnsUsed: 0 });
    expect((await rows(goal))[0]?.status).toBe("stale");
    expect(await endLines()).toEqual([]);
  });
});

describe("what is asked for while a verdict is on its way", () => {
  /** Asks the scripted judge, after something else has happened. */
  function judgeAfter(act: () => Promise<unknown>, ...verdicts: object[]): void {
    const llm = scriptedLlm({ "goal.judge": verdicts });
    let done = false;
    scope.llm = {
      configured: true,
      async ask(question) {
        if (!done) await act();
        done = true;
        return llm.ask(question);
      },
    };
  }

  test("a criterion added while the judge thinks must hold too", async () => {
    const goal = await begin();
    judgeAfter(() => addCriterion(scope, member, goal.id, "文档也要更新"), { done: true, reason: "好了" }, go());
    turns.script(different(1), HOLD);
    await runner.sweep(scope);
    await runner.idle();
    expect(await now(goal)).toMatchObject({ status: "active", turnsUsed: 1 });
    expect(await endLines()).toEqual([]);
  });

  test("a criterion added while the check runs must hold too", async () => {
    const goal = await begin();
    await setCheck(scope, member, goal.id, "npm test");
    judge({ done: true, reason: "好了" });
    turns.script(different(1), async (_request, live) => {
      live.emit({ kind: "tool", name: "terminal", state: "started" });
      live.emit({ kind: "tool", name: "terminal", state: "completed" });
      await addCriterion(scope, member, goal.id, "文档也要更新");
      return "CHECK_EXIT=0";
    });
    for (let i = 0; i < 2; i++) {
      await runner.sweep(scope);
      await runner.idle();
    }
    expect((await now(goal)).status).toBe("active");
  });

  test("a check that was replaced while the old one ran is run itself before the goal is done", async () => {
    const goal = await begin();
    await setCheck(scope, member, goal.id, "npm test");
    judge({ done: true, reason: "好了" });
    const checked = async (live: RunningTurn): Promise<string> => {
      live.emit({ kind: "tool", name: "terminal", state: "started" });
      live.emit({ kind: "tool", name: "terminal", state: "completed" });
      return "CHECK_EXIT=0";
    };
    turns.script(
      different(1),
      async (_request, live) => {
        await setCheck(scope, member, goal.id, "npm run lint");
        return checked(live);
      },
      (_request, live) => checked(live),
    );
    await run();
    expect(await now(goal)).toMatchObject({ status: "done", evidence: "checked" });
    expect(turns.requests).toHaveLength(3);
    expect(turns.requests[2]?.text).toContain("npm run lint");
  });

  test("the end says which goal it is about, after the line itself", async () => {
    judge({ done: true, reason: "好了" });
    const goal = await begin("整理发票", group);
    await run();
    const [line] = await endLines();
    expect(line?.split("\n")[0]).toBe("✓ 目标已达成：好了");
    expect(line).toContain(`#${goal.number} 整理发票`);
  });
});

describe("each person of a group with a conversation of their own", () => {
  test("has a goal of their own, and both are worked on at once", async () => {
    await changeSettings(scope, owner, { groupSessions: "person" });
    const of = (openId: string) => ({ ...group, openId });
    const mine = async (openId: string): Promise<Goal> => {
      const own = await inTransaction(scope.db, (tx) => currentSession(tx, scope, of(openId), "person"));
      return setGoal(scope, { ...member, openId }, { session: own, place: of(openId), language: "zh", text: openId });
    };
    const [a, b] = [await mine(member.openId), await mine(owner.openId)];
    expect(a.sessionId).not.toBe(b.sessionId);
    turns.script(HOLD);
    await runner.sweep(scope);
    await until(() => turns.running.size === 2);
    judge({ done: true, reason: "好" });
    for (const live of turns.running.values()) live.end(different(3));
    await runner.idle();
    expect([(await now(a)).status, (await now(b)).status]).toEqual(["done", "done"]);
  });
});

describe("a judge that says too much", () => {
  test("a long reason is cut, never taken for an unreadable answer", async () => {
    judge({ done: true, blocked: null, criteria: null, reason: `好了。${"很长".repeat(2_000)}` });
    const goal = await begin();
    await run();
    const done = await now(goal);
    expect(done).toMatchObject({ status: "done", unreadableInRow: 0 });
    expect(done.reason?.length).toBeLessThanOrEqual(600);
  });

  test("secrets, lines and markup in a reason are one line without its secrets, on the row and in the chat", async () => {
    judge({ done: true, reason: `好了 ${SECRET}\n⏸ 目标已暂停 <at user_id="all"></at>` });
    const goal = await begin();
    await run();
    const { reason } = await now(goal);
    expect(reason).not.toContain(SECRET);
    expect(reason).not.toContain("\n");
    const [line] = await endLines();
    expect(line).not.toContain(SECRET);
    expect(line?.split("\n").some((each) => each.startsWith("⏸"))).toBe(false);
  });

  test("a reason that only mentions a refusal does not make a reached goal blocked where the judge says it is not", async () => {
    judge({ done: true, blocked: false, reason: "登录时“没有权限”的提示已经修好" });
    const goal = await begin();
    await run();
    expect((await now(goal)).status).toBe("done");
  });

  test.each([
    { done: true, reason: "目标无法完成：没有权限" },
    { done: true, blocked: false, reason: "目标无法完成：没有权限" },
  ])("what cannot be reached is blocked (input GL4): %j", async (verdict) => {
    judge(verdict);
    const goal = await begin();
    await run();
    expect((await now(goal)).status).toBe("blocked");
    expect((await endLines())[0]).toContain("⊘ 目标受阻：目标无法完成：没有权限");
  });
});

describe("texts that are too long", () => {
  test("are refused, not cut without a word", async () => {
    await expect(begin("长".repeat(2_001))).rejects.toMatchObject({ code: "invalid_input" });
    const goal = await begin("长".repeat(2_000));
    await expect(addCriterion(scope, member, goal.id, "长".repeat(501))).rejects.toMatchObject({
      code: "invalid_input",
    });
    await expect(setCheck(scope, member, goal.id, "x".repeat(301))).rejects.toMatchObject({ code: "invalid_input" });
  });
});

describe("in a group", () => {
  test("another member neither stops, pauses nor raises it; an admin does", async () => {
    const goal = await begin("整理文档", group);
    const live = await holding(goal);
    const other = { ...member, openId: "ou_other" };
    await expect(stopGoalTurn(scope, other, goal.id)).rejects.toMatchObject({ code: "forbidden" });
    await expect(raiseBudget(scope, other, { goalId: goal.id, seenBudget: 20 })).rejects.toMatchObject({
      code: "forbidden",
    });
    expect(await stopGoalTurn(scope, admin, goal.id)).toEqual({ outcome: "asked" });
    await until(() => turns.stops.length === 1);
    await pauseGoal(scope, admin, goal.id);
    live.end({ outcome: "stopped" });
    await runner.idle();
  });
});
