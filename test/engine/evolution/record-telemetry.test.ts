import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { likenessDistance, likenessHash } from "../../../src/engine/evolution/input-likeness.ts";
import { recordTelemetry } from "../../../src/engine/evolution/record-telemetry.ts";
import { type TelemetryEvent, telemetryEventSchema } from "../../../src/engine/evolution/telemetry-event.ts";
import { toolOutcome } from "../../../src/engine/evolution/tool-outcome.ts";
import { type GivenScope, MONDAY_10, scopeOn } from "../../helpers/given.ts";
import { describeBothDatabases, type TestDb } from "../../helpers/test-db.ts";

const AT = Date.parse(MONDAY_10) / 1000;

function event(given: { hook: TelemetryEvent["hook"] } & Record<string, unknown>): TelemetryEvent {
  return telemetryEventSchema.parse({ n: 1, at: AT, sessionId: "s1", turnId: "t1", platform: "feishu", ...given });
}

const TURN: TelemetryEvent[] = [
  event({ hook: "pre_llm_call", at: AT, model: "m", first: true }),
  event({ hook: "post_api_request", at: AT + 1, inputTokens: 100, outputTokens: 20 }),
  event({
    hook: "post_tool_call",
    at: AT + 2,
    tool: "terminal",
    status: "ok",
    ms: 40,
    args: { command: "ls" },
    result: "{}",
  }),
  event({ hook: "post_api_request", at: AT + 3, inputTokens: 150, outputTokens: 30 }),
  event({
    hook: "post_tool_call",
    at: AT + 4,
    tool: "web",
    status: "error",
    errorType: "timeout",
    args: { url: "https://a.example" },
  }),
  event({ hook: "post_llm_call", at: AT + 5, userChars: 4, replyChars: 30 }),
  event({ hook: "on_session_end", at: AT + 6, completed: true, interrupted: false }),
];

describeBothDatabases("what Hermes' hooks told", (open) => {
  let db: TestDb;
  let scope: GivenScope;
  beforeEach(async () => {
    db = await open();
    scope = scopeOn(db.db);
  });
  afterEach(() => db.release());
  const record = (batch: string, events: readonly TelemetryEvent[], dropped = 0) =>
    recordTelemetry(scope, { batch, dropped, events });

  test("a turn stands as one row, its calls beside it", async () => {
    expect(await record("b-1", TURN)).toEqual({ recorded: 7 });
    expect(await db.db.turnRecord.findMany()).toMatchObject([
      {
        turnId: "t1",
        sessionId: "s1",
        origin: "person",
        platform: "feishu",
        model: "m",
        completed: true,
        apiCalls: 2,
        toolCalls: 2,
        toolErrors: 1,
        inputTokens: 250,
        outputTokens: 50,
        userChars: 4,
        startedAt: new Date(AT * 1000),
        endedAt: new Date((AT + 6) * 1000),
      },
    ]);
    expect(await db.db.toolInvocation.findMany({ orderBy: { at: "asc" } })).toMatchObject([
      { toolName: "terminal", success: true, durationMs: 40, input: '{"command":"ls"}' },
      { toolName: "web", success: false, errorType: "timeout" },
    ]);
  });

  test("the same batch again changes nothing", async () => {
    await record("b-1", TURN);
    const before = await db.db.turnRecord.findMany();
    expect(await record("b-1", TURN)).toEqual({ recorded: 0 });
    expect(await db.db.turnRecord.findMany()).toEqual(before);
    expect(await db.db.toolInvocation.count()).toBe(2);
  });

  test("Herald's own sessions and machines' are told apart from a person's", async () => {
    await db.db.ownTurn.create({
      data: {
        turnId: "own",
        agentId: "agent-a",
        purpose: "editorial",
        way: "turns",
        sessionId: "s-own",
        startedAt: new Date(),
      },
    });
    const call = { hook: "post_tool_call", tool: "x", status: "ok" } as const;
    await record("b-1", [
      event({ ...call, sessionId: "s-own", turnId: "a" }),
      event({ ...call, platform: "cron", turnId: "b" }),
      event({ ...call, platform: "subagent", turnId: "c" }),
      event({ ...call, origin: "review", turnId: "d" }),
      event({ ...call, turnId: "e" }),
    ]);
    const rows = await db.db.toolInvocation.findMany({ orderBy: { turnId: "asc" } });
    expect(rows.map(({ origin }) => origin)).toEqual(["editorial", "machine", "subagent", "review", "person"]);
  });

  test("signals: an API error, a spent budget, a refused approval; a completed turn gives none", async () => {
    await record("b-1", [
      event({ hook: "api_request_error", statusCode: 429, retryable: true, reason: "rate_limit" }),
      event({ hook: "on_session_end", completed: false, interrupted: false }),
      event({ hook: "on_session_end", turnId: "t2", completed: true, interrupted: false }),
      event({ hook: "on_session_end", turnId: "t3", completed: false, interrupted: true }),
      event({ hook: "post_approval_response", choice: "deny", pattern: "rm" }),
      event({ hook: "post_approval_response", choice: "once", pattern: "rm" }),
    ]);
    const signals = await db.db.outcomeSignal.findMany({ orderBy: { id: "asc" } });
    expect(signals.map(({ signalType, value }) => [signalType, value])).toEqual([
      ["api_error", 0.5],
      ["budget_exhausted", 1],
      ["approval_denied", 1],
    ]);
  });

  test("secrets that passed the plugin stop here", async () => {
    await record("b-1", [
      event({
        hook: "post_tool_call",
        tool: "terminal",
        status: "error",
        args: { command: "login --password=hunter2hunter2", token: "abc123abc123" },
        errorMessage: "Authorization: Bearer abcdef123456 refused for 13800138000",
      }),
    ]);
    const stored = JSON.stringify(await db.db.toolInvocation.findMany());
    for (const secret of ["hunter2", "abc123", "abcdef123456", "13800138000"]) expect(stored).not.toContain(secret);
  });

  test("a clock of Hermes' that is a year ahead is not believed", async () => {
    await record("b-1", [event({ hook: "post_tool_call", tool: "x", status: "ok", at: AT + 3e7 })]);
    expect((await db.db.toolInvocation.findFirst())?.at).toEqual(scope.clock.now());
  });
});

test("however a turn's events are dealt into batches, and in whatever order they come, the same row results", async () => {
  const { openTestDb } = await import("../../helpers/test-db.ts");
  const db = await openTestDb();
  try {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(TURN, { minLength: TURN.length }),
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: TURN.length, maxLength: TURN.length }),
        fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 4 }),
        async (events, dealt, repeats) => {
          const scope = { ...scopeOn(db.db), agent: { id: `agent-${++run}`, zone: "UTC", language: "en" as const } };
          const batches = [0, 1, 2, 3].map((n) => events.filter((_, at) => dealt[at] === n));
          for (const n of [0, 1, 2, 3, ...repeats]) {
            await recordTelemetry(scope, { batch: `run-${run}-${n}`, dropped: 0, events: batches[n] ?? [] });
          }
          const [row] = await db.db.turnRecord.findMany({ where: { agentId: scope.agent.id } });
          expect(row).toMatchObject({
            completed: true,
            apiCalls: 2,
            toolCalls: 2,
            toolErrors: 1,
            inputTokens: 250,
            outputTokens: 50,
            startedAt: new Date(AT * 1000),
            endedAt: new Date((AT + 6) * 1000),
          });
          expect(await db.db.toolInvocation.count({ where: { agentId: scope.agent.id } })).toBe(2);
        },
      ),
      { numRuns: 15 },
    );
  } finally {
    await db.release();
  }
});

test("a call failed when Hermes says so, when its result is an error, or when a command ended with another code than 0", () => {
  const ok = { status: "ok" } as const;
  expect(toolOutcome({ status: "blocked" })).toMatchObject({ success: false, errorType: "blocked" });
  expect(toolOutcome({ ...ok, result: '{"error": "no such file"}' }).success).toBe(false);
  expect(toolOutcome({ ...ok, result: '{"output": "x", "exit_code": 2}' })).toEqual({
    success: false,
    errorType: "exit_code_2",
  });
  expect(
    toolOutcome({ ...ok, result: `{"output": "${"x".repeat(50)}`, resultTail: '", "exit_code": 1, "error": null}' })
      .success,
  ).toBe(false);
  expect(
    toolOutcome({ ...ok, result: '{"output": "\\"exit_code\\": 3", "exit_code": 0, "error": null}' }).success,
  ).toBe(true);
  expect(toolOutcome({ ...ok, result: "error: said a web page" }).success).toBe(true);
  expect(toolOutcome({ ...ok }).success).toBe(true);
});

test("inputs that differ in a word are alike, others are not", () => {
  const one = likenessHash('{"command":"grep -rn timeout src/engine --include=*.ts | head -20"}');
  const alike = likenessHash('{"command":"grep -rn timeout src/engine --include=*.ts | head -50"}');
  const other = likenessHash('{"url":"https://weather.example/shanghai/today","method":"GET"}');
  expect(likenessDistance(one, one)).toBe(0);
  expect(likenessDistance(one, alike)).toBeLessThan(likenessDistance(one, other));
  expect(likenessDistance(one, alike)).toBeLessThanOrEqual(16);
  expect(likenessDistance(one, other)).toBeGreaterThan(20);
});
