import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hermesInstall } from "../../src/cli/hermes.ts";
import { inTransaction } from "../../src/engine/db.ts";
import { strategySchema } from "../../src/engine/strategy/rule.ts";
import { putStrategies } from "../../src/engine/strategy/strategy-set.ts";
import { type AppUnderTest, startAppUnderTest } from "../helpers/app-under-test.ts";
import { pythonAtHand } from "../helpers/hermes-home.ts";
import { startPythonPlugin } from "../helpers/python-plugin.ts";
import { until } from "../helpers/until.ts";

describe("what Hermes does, told to Herald", () => {
  if (!pythonAtHand()) {
    process.stderr.write('left out: "what Hermes does, told to Herald" (no python3 found)\n');
    test("is told by a plugin that needs python3", () => {});
    return;
  }

  let world: AppUnderTest;
  beforeEach(async () => {
    world = await startAppUnderTest();
    await hermesInstall(world.config, world.hermesHome);
  });
  afterEach(() => world.close());

  test("a turn with a failing tool and the review after it stand in the tables, each as what it is", async () => {
    const plugin = await startPythonPlugin(world.hermesHome);
    const { db } = world.app.scope;
    try {
      const turn = { session_id: "s1", turn_id: "s1:t1", platform: "feishu", model: "m" };
      await plugin.fire("pre_llm_call", { ...turn, user_message: "看看日志", is_first_turn: true });
      await plugin.fire("post_tool_call", {
        ...turn,
        tool_name: "terminal",
        args: { command: "tail -5 app.log", env: { API_TOKEN: "x" } },
        result: '{"output": "", "exit_code": 1, "error": null}',
        tool_call_id: "c1",
        status: "ok",
        duration_ms: 31,
        middleware_trace: [],
        telemetry_schema_version: "hermes.observer.v1",
      });
      await plugin.fire("on_session_end", { ...turn, completed: true, interrupted: false });
      const review = { ...turn, turn_id: "s1:t2" };
      await plugin.fire("pre_llm_call", { ...review, user_message: "Review the conversation above and save" });
      await plugin.fire("post_tool_call", { ...review, tool_name: "memory", args: {}, result: "{}", status: "ok" });
      await until(async () => (await db.toolInvocation.count()) === 2);
      expect(await db.toolInvocation.findMany({ orderBy: { toolName: "asc" } })).toMatchObject([
        { toolName: "memory", origin: "review", success: true },
        { toolName: "terminal", origin: "person", success: false, errorType: "exit_code_1", durationMs: 31 },
      ]);
      expect(await db.turnRecord.findMany({ orderBy: { turnId: "asc" } })).toMatchObject([
        { turnId: "s1:t1", completed: true, platform: "feishu", toolCalls: 1, toolErrors: 1, origin: "person" },
        { turnId: "s1:t2", origin: "review" },
      ]);
    } finally {
      await plugin.stop();
    }
  });

  test("a strategy in force comes with a turn as a hint, and holds back the call it names; with Herald stopped both are gone", async () => {
    const { scope } = world.app;
    const when = (on: "text" | "tool" | "input", op: "contains" | "equals" | "regex_match", value: string) => ({
      on,
      op,
      any: [value],
    });
    await inTransaction(scope.db, (tx) =>
      putStrategies(tx, scope, {
        because: "test",
        strategies: [
          strategySchema.parse({
            id: "a",
            title: "报价",
            hint: "先问是哪一版报价单。",
            level: "warn",
            priority: 5,
            when: [when("text", "contains", "报价单")],
            scope: "",
          }),
          strategySchema.parse({
            id: "b",
            title: "推送",
            hint: "这里不要强推。",
            level: "block",
            priority: 5,
            when: [when("tool", "equals", "terminal"), when("input", "regex_match", "git push.*--force")],
            scope: "",
          }),
        ],
      }),
    );
    const plugin = await startPythonPlugin(world.hermesHome);
    try {
      const said = await plugin.fire("pre_llm_call", {
        session_id: "s",
        turn_id: "t",
        platform: "feishu",
        user_message: "发一下报价单",
      });
      expect(JSON.stringify(said)).toContain("先问是哪一版报价单。");
      const call = { tool_name: "terminal", args: { command: "git push origin main --force" }, turn_id: "t" };
      expect(await plugin.fire("pre_tool_call", call)).toEqual({ action: "block", message: "这里不要强推。" });
      expect(await plugin.fire("pre_tool_call", { ...call, args: { command: "git push" } })).toBeNull();
      await world.app.release();
      await until(async () => (await plugin.fire("pre_tool_call", call)) === null);
    } finally {
      await plugin.stop();
    }
  });

  test("a process that ends right after its turn still tells of it", async () => {
    const plugin = await startPythonPlugin(world.hermesHome);
    const { db } = world.app.scope;
    const end = (turn: string) =>
      plugin.fire("on_session_end", { session_id: "s1", turn_id: turn, completed: true, interrupted: false });
    await end("a");
    await end("b");
    await plugin.stop();
    await until(async () => (await db.turnRecord.count()) === 2);
  });
});
