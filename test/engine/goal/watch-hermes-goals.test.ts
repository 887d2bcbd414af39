import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { watchedChangeSchema, watchHermesGoals } from "../../../src/engine/goal/watch-hermes-goals.ts";
import { HermesGoalStore } from "../../../src/hermes-bridge/hermes-goals.ts";
import { fixedClock } from "../../helpers/fixed-clock.ts";
import { type Given, given } from "../../helpers/given.ts";
import { HermesHome, type HermesSchema } from "../../helpers/hermes-home.ts";
import { scriptedLlm } from "../../helpers/scripted-llm.ts";
import { openTestDb, type TestDb } from "../../helpers/test-db.ts";

describe.each<HermesSchema>([16, 30])("goals Hermes runs itself (schema %i)", (schema) => {
  let opened: TestDb;
  let home: HermesHome;
  let world: Given;
  let goals: HermesGoalStore;

  beforeEach(async () => {
    opened = await openTestDb();
    home = new HermesHome({ schema });
    home.run("CREATE TABLE IF NOT EXISTS state_meta (key TEXT PRIMARY KEY, value TEXT)");
    goals = new HermesGoalStore({ home: home.path });
    world = given(opened.db, { clock: fixedClock("2026-11-30T02:00:00Z"), hermesGoals: goals });
    await world.people();
  });
  afterEach(async () => {
    goals.close();
    home.remove();
    await opened.release();
  });

  function put(session: string, goal: object): void {
    const value = JSON.stringify({
      goal: "修复所有 lint",
      status: "active",
      turns_used: 7,
      max_turns: 20,
      created_at: 1_764_460_000,
      last_turn_at: 1_764_467_000,
      last_verdict: "continue",
      last_reason: "还差文档",
      subgoals: ["补测试", "更新文档"],
      ...goal,
    });
    home.run("INSERT OR REPLACE INTO state_meta (key, value) VALUES (?, ?)", `goal:${session}`, value);
  }
  const look = () => watchHermesGoals(world.a);
  const row = (session = "s7") =>
    opened.db.watchedGoal.findUniqueOrThrow({
      where: { agentId_sessionId: { agentId: world.a.agent.id, sessionId: session } },
    });
  const cards = () =>
    opened.db.cardPost.findMany({ where: { subjectKind: "watched-goal", agentId: world.a.agent.id } });

  test("shows 7 of 20 turns and two open criteria, on one card that is changed in place (input GL1)", async () => {
    home.session("s7");
    const at = { last_turn_at: Date.parse("2026-11-30T01:00:00Z") / 1000 };
    put("s7", at);
    expect(await look()).toBe(1);
    expect(await look()).toBe(0);
    expect(await row()).toMatchObject({
      turnsUsed: 7,
      maxTurns: 20,
      subgoals: ["补测试", "更新文档"],
      status: "active",
    });
    put("s7", { ...at, turns_used: 8 });
    expect(await look()).toBe(1);
    expect(await cards()).toHaveLength(1);
    expect((await cards())[0]?.wanted).toBeGreaterThan(1);
  });

  test("a counter that went back is told as a reset, with when (input GL6)", async () => {
    const at = { last_turn_at: Date.parse("2026-11-30T01:00:00Z") / 1000 };
    put("s7", { ...at, turns_used: 19 });
    await look();
    put("s7", { ...at, turns_used: 3 });
    await look();
    const changes = watchedChangeSchema.array().parse((await row()).changes);
    expect(changes.at(-1)).toMatchObject({ turnsUsed: 3, reset: true });
  });

  test("a goal whose session was compressed stays on its card, and is said to hang on the old session (input GL5, D-GL05)", async () => {
    home.session("s7", { ended_at: 1_764_467_100, end_reason: "compression" });
    home.session("s9", { parent_session_id: "s7", started_at: 1_764_467_100 });
    put("s7", { last_turn_at: Date.parse("2026-11-30T01:00:00Z") / 1000 });
    await look();
    expect((await row()).continuedAs).toBe("s9");
  });

  test("an empty session id stands for nothing, unreadable rows are passed over, old goals stay quiet (D-GL24)", async () => {
    put("", {});
    put("old", { last_turn_at: 1_700_000_000 });
    home.run("INSERT INTO state_meta (key, value) VALUES ('goal:bad', 'no json'), ('other', 'x')");
    put("over", { status: "done" });
    expect(await look()).toBe(0);
    expect(await cards()).toHaveLength(0);
  });

  test("a hundred rows of old goals do not hide the one at work", async () => {
    for (let i = 0; i < 100; i++) put(`a${i}`, { status: "done", last_turn_at: 1_764_400_000 + i });
    put("z1", { last_turn_at: Date.parse("2026-11-30T01:00:00Z") / 1000 });
    expect(await look()).toBe(1);
    expect((await row("z1")).status).toBe("active");
  });

  test("what Hermes calls done is judged once more, and another view is shown beside it", async () => {
    home.session("s7");
    home.message("s7", "我总结了一下，文档还没有动。", { role: "assistant" });
    const at = { last_turn_at: Date.parse("2026-11-30T01:00:00Z") / 1000 };
    put("s7", at);
    world.a.llm = scriptedLlm({ "goal.second_opinion": [{ done: false, reason: "文档还没有更新" }] });
    await look();
    put("s7", { ...at, status: "done", last_reason: "完成" });
    await look();
    expect(await row()).toMatchObject({ status: "done", opinion: "文档还没有更新" });
  });

  test("secrets in a goal are masked, and nothing of another agent is shown", async () => {
    put("s7", {
      goal: "用 sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z 部署",
      last_turn_at: Date.parse("2026-11-30T01:00:00Z") / 1000,
    });
    await look();
    expect((await row()).text).not.toContain("sk-proj");
    expect(await opened.db.watchedGoal.count({ where: { agentId: world.b.agent.id } })).toBe(0);
  });
});
