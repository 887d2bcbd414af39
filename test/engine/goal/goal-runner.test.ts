import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { currentSession } from "../../../src/engine/chat/session.ts";
import { inTransaction } from "../../../src/engine/db.ts";
import { clearGoal } from "../../../src/engine/goal/clear-goal.ts";
import { goalById } from "../../../src/engine/goal/find-goal.ts";
import type { Goal } from "../../../src/engine/goal/goal.ts";
import { GoalRunner } from "../../../src/engine/goal/goal-runner.ts";
import { pauseGoal } from "../../../src/engine/goal/pause-goal.ts";
import { raiseBudget } from "../../../src/engine/goal/raise-budget.ts";
import { resumeGoal } from "../../../src/engine/goal/resume-goal.ts";
import { setGoal } from "../../../src/engine/goal/set-goal.ts";
import { stopGoalTurn } from "../../../src/engine/goal/stop-goal-turn.ts";
import { addCriterion, setCheck } from "../../../src/engine/goal/subgoals.ts";
import { LlmError } from "../../../src/engine/ports.ts";
import type { Scope } from "../../../src/engine/scope.ts";
import { changeSettings } from "../../../src/engine/settings.ts";
import { type FixedClock, fixedClock } from "../../helpers/fixed-clock.ts";
import { type Given, given, member, owner } from "../../helpers/given.ts";
import { scriptedLlm } from "../../helpers/scripted-llm.ts";
import { HOLD, type ScriptedTurns, scriptedTurns } from "../../helpers/scripted-turns.ts";
import { describeBothDatabases, type TestDb } from "../../helpers/test-db.ts";
import { until } from "../../helpers/until.ts";

const place = { chatId: "oc_dm_owner", chatType: "p2p", openId: owner.openId } as const;

describeBothDatabases("a standing goal", (open) => {
  let opened: TestDb;
  let world: Given;
  let turns: ScriptedTurns;
  let scope: Scope;
  let runner: GoalRunner;
  let woken: string[];
  let clock: FixedClock;

  beforeEach(async () => {
    opened = await open();
    turns = scriptedTurns();
    woken = [];
    clock = fixedClock("2026-11-30T02:00:00Z");
    world = given(opened.db, { clock, turns, llm: scriptedLlm({}) });
    await world.people();
    scope = world.a;
    runner = newRunner();
  });
  afterEach(async () => {
    await runner.leave();
    await opened.release();
  });

  function newRunner(): GoalRunner {
    return new GoalRunner({ poke: (job) => woken.push(job) });
  }
  function judge(...verdicts: object[]): void {
    scope.llm = scriptedLlm({ "goal.judge": verdicts });
  }
  async function begin(text = "修好所有测试"): Promise<Goal> {
    const session = await inTransaction(scope.db, (tx) => currentSession(tx, scope, place, "chat"));
    return setGoal(scope, owner, { session, place, language: "zh", text });
  }
  const now = (goal: Goal): Promise<Goal> => goalById(scope, goal.id);
  /** Sweeps until nothing goes on any more. */
  async function run(most = 60): Promise<void> {
    for (let i = 0; i < most; i++) {
      const taken = await runner.sweep(scope);
      await runner.idle();
      if (taken === 0) return;
    }
  }
  const go = (reason = "还有事") => ({ done: false, reason });
  const lines = async (): Promise<string[]> =>
    (
      await scope.db.cardPost.findMany({
        where: { agentId: scope.agent.id, subjectKind: "line" },
        orderBy: { createdAt: "asc" },
      })
    ).map((row) => (row.view as { text: string }).text);

  test("goes on turn after turn without a word from anybody, until the judge says it is reached", async () => {
    turns.script(
      "第一步做完了，接下来处理第二个文件里的失败",
      "第二步也做完了，只剩下文档没有更新",
      "文档更新完毕，全部测试通过",
    );
    judge(go("还差第二步"), go("还差文档"), { done: true, reason: "测试全过" });
    const goal = await begin();
    await run();
    expect(await now(goal)).toMatchObject({ status: "done", turnsUsed: 3, reason: "测试全过", evidence: "claimed" });
    expect(turns.requests.map((request) => request.purpose)).toEqual(["goal", "goal", "goal"]);
    expect(turns.requests[0]?.text).toContain("修好所有测试");
    expect(turns.requests[1]?.text).toContain("还差第二步");
    expect(new Set(turns.requests.map((request) => request.sessionKey))).toEqual(new Set([place.chatId]));
    expect(await lines()).toEqual([expect.stringContaining("✓ 目标已达成：测试全过")]);
  });

  test("pauses at its budget and says so in the chat; ten turns more from a person let it go on at once", async () => {
    await changeSettings(scope, owner, { goalTurns: 2 });
    let n = 0;
    turns.script(async () =>
      `第 ${++n} 轮做了不同的事：${"甲乙丙丁戊己庚辛壬癸"[n]}${"子丑寅卯辰巳午未申酉"[n]}`.repeat(3),
    );
    judge(...Array.from({ length: 20 }, () => go()));
    const goal = await begin();
    await run();
    expect(await now(goal)).toMatchObject({ status: "paused", pausedBecause: "out_of_budget", turnsUsed: 2 });
    expect((await lines())[0]).toContain("⏸ 目标已暂停 — 已使用 2/2 轮");
    await raiseBudget(scope, owner, { goalId: goal.id, seenBudget: 2 });
    await expect(raiseBudget(scope, owner, { goalId: goal.id, seenBudget: 2 })).rejects.toMatchObject({
      code: "changed_since_seen",
    });
    await run();
    expect(await now(goal)).toMatchObject({
      turnsUsed: 12,
      budget: 12,
      budgetBy: owner.openId,
      pausedBecause: "out_of_budget",
    });
    expect(turns.requests).toHaveLength(12);
  });

  test("a pause while a turn runs lets it finish, and nothing more comes (input GL7)", async () => {
    turns.script(HOLD);
    judge({ done: true, reason: "晚了" });
    const goal = await begin();
    await runner.sweep(scope);
    const live = await turns.begun();
    await pauseGoal(scope, owner, goal.id);
    live.end("做完了");
    await runner.idle();
    await run();
    expect(await now(goal)).toMatchObject({ status: "paused", pausedBecause: "user", turnsUsed: 0 });
    const [turn] = await scope.db.goalTurn.findMany({ where: { goalId: goal.id } });
    expect(turn).toMatchObject({ status: "stale", tail: "做完了" });
    expect(turns.requests).toHaveLength(1);
  });

  test("resume starts work at once, with the counter back at 0 (D-GL14)", async () => {
    judge(go(), { done: true, reason: "好了" });
    const goal = await begin();
    await pauseGoal(scope, owner, goal.id);
    await run();
    expect(turns.requests).toHaveLength(0);
    await resumeGoal(scope, owner, goal.id);
    await run();
    expect(await now(goal)).toMatchObject({ status: "done", turnsUsed: 2 });
  });

  test("a goal that is done is never worked on again, whatever is tapped (D-GL16, D-GL23)", async () => {
    judge({ done: true, reason: "好了" });
    const goal = await begin();
    await run();
    for (const act of [pauseGoal, resumeGoal]) {
      await expect(act(scope, owner, goal.id)).rejects.toMatchObject({ code: "wrong_state" });
    }
    await expect(raiseBudget(scope, owner, { goalId: goal.id, seenBudget: 20 })).rejects.toMatchObject({
      code: "wrong_state",
    });
    await run();
    expect(turns.requests).toHaveLength(1);
    await clearGoal(scope, owner, goal.id);
    expect((await now(goal)).status).toBe("cleared");
  });

  test("a new goal is refused while a turn runs; then it takes the old one's place and its criteria are gone", async () => {
    turns.script(HOLD);
    judge(go(), go());
    const first = await begin("第一个");
    await addCriterion(scope, owner, first.id, "补文档");
    await runner.sweep(scope);
    const live = await turns.begun();
    await expect(begin("第二个")).rejects.toMatchObject({ code: "wrong_state", facts: { state: "running" } });
    live.end("做了一点");
    await runner.idle();
    turns.script("做完第二个");
    const second = await begin("第二个");
    judge({ done: true, reason: "好" });
    await run();
    expect((await now(first)).status).toBe("cleared");
    expect((await now(second)).status).toBe("done");
    expect(turns.requests.at(-1)?.text).toContain("第二个");
  });

  test("a turn of an older run that comes home late changes nothing of the present one (generations)", async () => {
    turns.script(HOLD);
    const goal = await begin("第一个");
    await runner.sweep(scope);
    const live = await turns.begun();
    await pauseGoal(scope, owner, goal.id);
    await resumeGoal(scope, owner, goal.id);
    // The hold of a process that is gone: the turn still runs at the other end, and nothing begins beside it.
    await scope.db.chatSession.updateMany({ data: { heldBy: null, heldUntil: null } });
    await expect(begin("第二个")).rejects.toMatchObject({ code: "wrong_state" });
    judge({ done: true, reason: "这是上一次的" });
    live.end("第一次做完了");
    await runner.idle();
    expect(await now(goal)).toMatchObject({ status: "active", turnsUsed: 0 });
  });

  test("a message of a person's goes first, and its answer is judged without using up budget", async () => {
    judge({ done: true, reason: "用户的问题也解决了" });
    const goal = await begin();
    const turn = (status: string, reply = "") => ({
      id: `turn_${status}`,
      agentId: scope.agent.id,
      sessionId: goal.sessionId,
      dedupeKey: `m_${status}`,
      origin: "message",
      chatId: place.chatId,
      chatType: "p2p",
      language: "zh",
      said: "先做这个",
      text: "先做这个",
      images: [],
      files: [],
      status,
      reply,
      createdAt: scope.clock.now(),
    });
    const waiting = await scope.db.turn.create({ data: turn("waiting") });
    await run();
    expect(turns.requests).toHaveLength(0);
    await scope.db.turn.update({
      where: { seq: waiting.seq },
      data: { status: "completed", reply: "做好了，顺便把测试也修好了" },
    });
    await run();
    expect(turns.requests).toHaveLength(0);
    expect(await now(goal)).toMatchObject({ status: "done", turnsUsed: 0, lastChatTurn: waiting.seq });
  });

  test("three turns that fail pause it with the provider's own words, and use up no budget", async () => {
    turns.script({ outcome: "failed", why: "429 insufficient quota sk-abcdefghijklmnop1234567890" });
    const goal = await begin();
    for (let i = 0; i < 5; i++) {
      await run();
      clock.advance({ minutes: 10 });
    }
    const paused = await now(goal);
    expect(paused).toMatchObject({ status: "paused", pausedBecause: "turns_failing", turnsUsed: 0 });
    expect(paused.reason).toContain("429 insufficient quota");
    expect(paused.reason).not.toContain("sk-abcdefghijklmnop");
    expect(turns.requests).toHaveLength(3);
  });

  test("Hermes away is no turn at all: it waits and goes on when Hermes is back", async () => {
    turns.down = true;
    judge({ done: true, reason: "好了" });
    const goal = await begin();
    await run();
    expect(await now(goal)).toMatchObject({ status: "active", turnsTotal: 0, failedInRow: 0 });
    expect(await scope.db.goalTurn.count()).toBe(0);
    turns.down = false;
    await run();
    expect(turns.requests).toHaveLength(0);
    clock.advance({ minutes: 2 });
    await run();
    expect((await now(goal)).status).toBe("done");
  });

  test("a judge that cannot be asked never stops the work; one that cannot be read does after three times", async () => {
    let n = 0;
    turns.script(
      async () =>
        `这是完全不同的第 ${++n} 份报告：${String.fromCodePoint(0x4e00 + n * 97).repeat(2)}${"内容各不相同而且足够长".slice(0, n + 2)}`,
    );
    scope.llm = scriptedLlm({ "goal.judge": [new LlmError("transport", "away"), { nonsense: 1 }] });
    const goal = await begin();
    await run();
    expect(await now(goal)).toMatchObject({ status: "paused", pausedBecause: "judge_unreadable", turnsUsed: 4 });
  });

  test("replies that say the same three times pause it (D-GL19)", async () => {
    turns.script("我会继续检查项目里的测试，然后修复失败的那些。");
    judge(...Array.from({ length: 9 }, () => go()));
    const goal = await begin();
    await run();
    expect(await now(goal)).toMatchObject({ status: "paused", pausedBecause: "no_progress" });
    expect(turns.requests.length).toBeLessThanOrEqual(4);
  });

  test("a check must be seen to run and pass before 'done' counts (D-GL01)", async () => {
    const goal = await begin();
    await setCheck(scope, owner, goal.id, "npm test");
    judge({ done: true, reason: "都好了" });
    turns.script("都好了，测试通过", async (request, live) => {
      expect(request.text).toContain("npm test");
      live.emit({ kind: "tool", name: "terminal", preview: "npm test", state: "started" });
      live.emit({ kind: "tool", name: "terminal", state: "completed" });
      return "跑完了\nCHECK_EXIT=0";
    });
    await run();
    expect(await now(goal)).toMatchObject({ status: "done", evidence: "checked", turnsUsed: 2 });
  });

  test("a check that Hermes only talks about is not passed", async () => {
    const goal = await begin();
    await setCheck(scope, owner, goal.id, "npm test");
    judge({ done: true, reason: "都好了" });
    turns.script("都好了", "测试都通过了。CHECK_EXIT=0");
    await run();
    expect(await now(goal)).toMatchObject({ status: "paused", pausedBecause: "check_not_run" });
  });

  test("criteria are ticked as the judge says, go into the next turn, and all must hold", async () => {
    turns.script("第一轮：测试改好了，文档还没动", "第二轮：文档也更新完了，链接全部检查过");
    judge(
      {
        done: false,
        reason: "还差文档",
        criteria: [
          { n: 1, met: true },
          { n: 2, met: false },
        ],
      },
      {
        done: true,
        reason: "都好了",
        criteria: [
          { n: 1, met: true },
          { n: 2, met: true },
        ],
      },
    );
    const goal = await begin();
    await addCriterion(scope, owner, goal.id, "补测试");
    await addCriterion(scope, owner, goal.id, "更新文档");
    await runner.sweep(scope);
    await runner.idle();
    const after = await scope.db.goalCriterion.findMany({ where: { goalId: goal.id }, orderBy: { number: "asc" } });
    expect(after.map((each) => each.metAt !== null)).toEqual([true, false]);
    await run();
    expect(turns.requests[1]?.text).toContain("2. 更新文档");
    expect((await now(goal)).status).toBe("done");
  });

  test("stop ends the turn, not the goal: it is neither judged nor counted", async () => {
    turns.script(async (_request, live) => {
      await live.stopped;
      return { outcome: "stopped" };
    }, "后来做完了");
    judge({ done: true, reason: "好了" });
    const goal = await begin();
    await runner.sweep(scope);
    await turns.begun();
    expect(await stopGoalTurn(scope, owner, goal.id)).toEqual({ outcome: "asked" });
    expect(await stopGoalTurn(scope, owner, goal.id)).toEqual({ outcome: "already" });
    await until(() => turns.stops.length === 1);
    await runner.idle();
    expect(await now(goal)).toMatchObject({ status: "active", turnsUsed: 0 });
    await run();
    expect(await now(goal)).toMatchObject({ status: "done", turnsUsed: 1 });
    expect(await stopGoalTurn(scope, owner, goal.id)).toEqual({ outcome: "nothing_runs" });
  });

  test("a turn that ran when the process died is found again and judged, never run a second time", async () => {
    turns.script(HOLD);
    judge({ done: true, reason: "好了" });
    const goal = await begin();
    await runner.sweep(scope);
    const live = await turns.begun();
    turns.abandon();
    await runner.leave();
    live.end("做完了，在你不在的时候");
    clock.advance({ minutes: 5 });
    runner = newRunner();
    await run();
    expect(await now(goal)).toMatchObject({ status: "done", turnsUsed: 1 });
    expect(turns.requests).toHaveLength(1);
  });

  test("a turn nobody can tell the end of is marked, and the next one goes on", async () => {
    turns.script(HOLD);
    judge({ done: true, reason: "好了" });
    const goal = await begin();
    await runner.sweep(scope);
    await turns.begun();
    turns.abandon();
    await runner.leave();
    turns.restart();
    clock.advance({ minutes: 5 });
    turns.script("这次做完了");
    runner = newRunner();
    await run();
    clock.advance({ minutes: 5 });
    await run();
    const rows = await scope.db.goalTurn.findMany({ where: { goalId: goal.id }, orderBy: { number: "asc" } });
    expect(rows.map((row) => row.status)).toEqual(["lost", "judged"]);
    expect(await now(goal)).toMatchObject({ status: "done", turnsUsed: 1 });
  });

  test("two processes that sweep at once run one turn", async () => {
    turns.script(HOLD);
    await begin();
    const other = newRunner();
    const taken = await Promise.all([runner.sweep(scope), other.sweep(scope)]);
    const live = await turns.begun();
    expect(taken.reduce((sum, each) => sum + each, 0)).toBe(1);
    expect(turns.requests).toHaveLength(1);
    live.end("x");
    await other.leave();
  });

  test("without any judge's model the agent's own mark decides, and the card says so", async () => {
    scope.llm = { configured: false, ask: () => Promise.reject(new Error("nobody should ask")) };
    turns.script("第一部分做完了，还剩下文档和发布两步没有做", "全部完成\n[GOAL: DONE] 已发布");
    const goal = await begin();
    await run();
    expect(turns.requests[0]?.text).toContain("[GOAL: DONE]");
    expect(await now(goal)).toMatchObject({ status: "done", reason: "已发布", evidence: "claimed" });
  });

  describe("who may", () => {
    test("a member steers their own goal and nobody else's; every change is recorded", async () => {
      const goal = await begin();
      for (const act of [pauseGoal, clearGoal, resumeGoal]) {
        await expect(act(scope, member, goal.id)).rejects.toMatchObject({ code: "forbidden" });
      }
      await expect(addCriterion(scope, member, goal.id, "x")).rejects.toMatchObject({ code: "forbidden" });
      await expect(stopGoalTurn(scope, member, goal.id)).rejects.toMatchObject({ code: "forbidden" });
      await pauseGoal(scope, owner, goal.id);
      const audited = await scope.db.auditEntry.findMany({
        where: { agentId: scope.agent.id, what: { startsWith: "goal." } },
      });
      expect(audited.map((entry) => entry.what)).toEqual(["goal.set", "goal.pause"]);
    });

    test("another agent neither sees nor steers it", async () => {
      const goal = await begin();
      await expect(pauseGoal(world.b, owner, goal.id)).rejects.toMatchObject({ code: "not_found" });
      expect(await new GoalRunner({ poke: () => {} }).sweep(world.b)).toBe(0);
    });
  });
});
