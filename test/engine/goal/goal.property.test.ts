import fc from "fast-check";
import { expect, test } from "vitest";
import { currentSession } from "../../../src/engine/chat/session.ts";
import { inTransaction } from "../../../src/engine/db.ts";
import { EngineError } from "../../../src/engine/errors.ts";
import { clearGoal } from "../../../src/engine/goal/clear-goal.ts";
import { goalOf } from "../../../src/engine/goal/find-goal.ts";
import { GoalRunner } from "../../../src/engine/goal/goal-runner.ts";
import { pauseGoal } from "../../../src/engine/goal/pause-goal.ts";
import { raiseBudget } from "../../../src/engine/goal/raise-budget.ts";
import { resumeGoal } from "../../../src/engine/goal/resume-goal.ts";
import { setGoal } from "../../../src/engine/goal/set-goal.ts";
import { stopGoalTurn } from "../../../src/engine/goal/stop-goal-turn.ts";
import { LlmError } from "../../../src/engine/ports.ts";
import { changeSettings } from "../../../src/engine/settings.ts";
import { fixedClock } from "../../helpers/fixed-clock.ts";
import { given, owner } from "../../helpers/given.ts";
import { scriptedLlm } from "../../helpers/scripted-llm.ts";
import { HOLD, scriptedTurns } from "../../helpers/scripted-turns.ts";
import { openTestDb, type TestDb } from "../../helpers/test-db.ts";

const BUDGET = 3;

type Deed =
  | { do: "set" | "pause" | "resume" | "clear" | "raise" | "stop" | "sweep" | "crash" | "restartHermes" | "wait" }
  | { do: "end"; how: "reply" | "same" | "empty" | "failed" | "stopped" | "lost" }
  | { do: "judge"; says: "continue" | "done" | "blocked" | "unreadable" | "away" }
  | { do: "hermes"; down: boolean };

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Deed>({ do: "sweep" }) },
  {
    weight: 6,
    arbitrary: fc
      .constantFrom("reply", "reply", "same", "empty", "failed", "stopped", "lost")
      .map((how): Deed => ({ do: "end", how: how as "reply" })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom("continue", "continue", "done", "blocked", "unreadable", "away")
      .map((says): Deed => ({ do: "judge", says: says as "done" })),
  },
  {
    weight: 5,
    arbitrary: fc
      .constantFrom("set", "pause", "resume", "resume", "clear", "raise", "stop", "crash", "restartHermes", "wait")
      .map((what): Deed => ({ do: what as "set" })),
  },
  { weight: 1, arbitrary: fc.boolean().map((down): Deed => ({ do: "hermes", down })) },
);

/** Plays one life; throws when a promise is broken. */
async function live(opened: TestDb, deeds: readonly Deed[]): Promise<void> {
  const clock = fixedClock("2026-11-30T02:00:00Z");
  const turns = scriptedTurns();
  turns.script(HOLD);
  let says: "continue" | "done" | "blocked" | "unreadable" | "away" = "continue";
  const world = given(opened.db, {
    clock,
    turns,
    llm: scriptedLlm({
      "goal.judge": [
        () => {
          if (says === "unreadable") return { nonsense: true };
          if (says === "away") throw new LlmError("transport", "away");
          return { done: says !== "continue", blocked: says === "blocked", reason: "因为" };
        },
      ],
    }),
  });
  const scope = world.a;
  await world.people();
  await changeSettings(scope, owner, { goalTurns: BUDGET });
  const place = { chatId: "oc_dm", chatType: "p2p", openId: owner.openId } as const;
  const session = await inTransaction(scope.db, (tx) => currentSession(tx, scope, place, "chat"));
  let runner = new GoalRunner({ poke: () => {} });
  let said = 0;
  const steps = async (): Promise<void> => {
    // What runs in the background gets to where it waits for the test.
    for (let i = 0; i < 12; i++) await new Promise((resolve) => setTimeout(resolve, 0));
    for (let i = 0; i < 200 && runner.size > turns.running.size; i++)
      await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const refusedIs = async (act: () => Promise<unknown>): Promise<void> => {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
    }
  };

  for (const each of deeds) {
    const goal = await goalOf(scope, session.id);
    const before = turns.requests.length;
    const mayBegin = goal?.status === "active";
    switch (each.do) {
      case "set":
        await refusedIs(() => setGoal(scope, owner, { session, place, language: "zh", text: `目标 ${before}` }));
        break;
      case "pause":
        if (goal) await refusedIs(() => pauseGoal(scope, owner, goal.id));
        break;
      case "resume":
        if (goal) await refusedIs(() => resumeGoal(scope, owner, goal.id));
        break;
      case "clear":
        if (goal) await refusedIs(() => clearGoal(scope, owner, goal.id));
        break;
      case "raise":
        if (goal) await refusedIs(() => raiseBudget(scope, owner, { goalId: goal.id, seenBudget: goal.budget }));
        break;
      case "stop":
        if (goal) await refusedIs(() => stopGoalTurn(scope, owner, goal.id));
        break;
      case "sweep":
        await runner.sweep(scope);
        await steps();
        // No turn after pause, clear, done or blocked.
        if (!mayBegin) expect(turns.requests.length).toBe(before);
        break;
      case "end": {
        const [turn] = turns.running.values();
        const text =
          each.how === "reply"
            ? `第 ${++said} 份报告，讲的是完全不同的事情：${String.fromCodePoint(0x4e00 + said * 61).repeat(9)}`
            : "我会继续看一遍项目，然后告诉你结果如何。";
        if (each.how === "reply" || each.how === "same") turn?.end(text);
        else if (each.how === "empty") turn?.end("");
        else turn?.end({ outcome: each.how, why: "429 quota" });
        await steps();
        break;
      }
      case "judge":
        says = each.says;
        break;
      case "hermes":
        turns.down = each.down;
        break;
      case "restartHermes":
        turns.restart();
        await steps();
        break;
      case "wait":
        clock.advance({ minutes: 70 });
        break;
      case "crash":
        turns.abandon();
        await runner.leave();
        clock.advance({ minutes: 3 });
        runner = new GoalRunner({ poke: () => {} });
        break;
    }
    expect(turns.running.size).toBeLessThanOrEqual(1);
    const rows = await scope.db.goal.findMany({ where: { agentId: scope.agent.id } });
    for (const row of rows) expect(row.turnsUsed).toBeLessThanOrEqual(row.budget);
    expect(rows.filter((row) => row.currentOf !== null).length).toBeLessThanOrEqual(1);
    expect(rows.filter((row) => row.status === "active").length).toBeLessThanOrEqual(1);
  }
  // Two turns at once, or one id twice, would have been refused by the stand-in and stand here.
  expect(scope.log.lines.filter(({ level }) => level === "incident")).toEqual([]);
  turns.abandon();
  await runner.leave();
}

test("in any order of commands, turns, verdicts and crashes: never two turns at once, never past the budget, none after the end", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 5, maxLength: 40 }), async (deeds) => {
      const opened = await openTestDb();
      try {
        await live(opened, [{ do: "set" }, { do: "sweep" }, ...deeds]);
      } finally {
        await opened.release();
      }
    }),
    { numRuns: 25 },
  );
}, 300_000);
