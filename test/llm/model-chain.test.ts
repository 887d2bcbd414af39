import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { LlmError, type Question } from "../../src/engine/ports.ts";
import { type CallRecord, createModelChain } from "../../src/llm/model-chain.ts";
import { noModel } from "../../src/llm/no-model.ts";
import { createOpenAiEndpoint } from "../../src/llm/openai-endpoint.ts";
import { recordModelCall } from "../../src/llm/record-model-call.ts";
import { scopeOn } from "../helpers/given.ts";
import { completion, type ModelServer, startModelServer } from "../helpers/model-server.ts";
import { openTestDb } from "../helpers/test-db.ts";

let primary: ModelServer;
let fallback: ModelServer;
let calls: CallRecord[];
let elapsed: number;

beforeEach(async () => {
  primary = await startModelServer();
  fallback = await startModelServer();
  calls = [];
  elapsed = 0;
});

afterEach(async () => {
  await primary.close();
  await fallback.close();
});

const question = (over: Partial<Question<{ done: boolean }>> = {}): Question<{ done: boolean }> => ({
  purpose: "goal.judge",
  system: "You judge.",
  user: "Done?",
  reply: z.object({ done: z.boolean() }),
  maxTokens: 100,
  timeoutMs: 2_000,
  ...over,
});

function chain(): ReturnType<typeof createModelChain> {
  const endpoints = [
    createOpenAiEndpoint({ name: "primary", baseUrl: primary.baseUrl, apiKey: "k-1", model: "m-1" }),
    createOpenAiEndpoint({ name: "fallback", baseUrl: `${fallback.baseUrl}/`, model: "m-2" }),
  ];
  return createModelChain({
    endpoints,
    record: async (call) => void calls.push(call),
    elapsedMs: () => elapsed,
  });
}

const kind = async (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => "answered",
    (error: unknown) => (error instanceof LlmError ? error.kind : "another error"),
  );

describe("the model chain", () => {
  it("one question, one HTTP call: model, key, both turns, the limit; tokens are accounted by purpose", async () => {
    primary.script('{"done": true}');
    const reply = await chain().ask(question({ runId: "run-1" }));
    expect(reply).toMatchObject({ value: { done: true }, model: "stand-in-1", inputTokens: 11, outputTokens: 7 });
    expect(primary.requests).toMatchObject([
      {
        path: "/v1/chat/completions",
        authorization: "Bearer k-1",
        body: { model: "m-1", max_tokens: 100, messages: [{ role: "system" }, { role: "user", content: "Done?" }] },
      },
    ]);
    expect(calls).toMatchObject([
      { purpose: "goal.judge", endpoint: "primary", outcome: "ok", inputTokens: 11, outputTokens: 7, runId: "run-1" },
    ]);
  });

  it("a reply that does not fit is asked for once more with the error, and only once", async () => {
    primary.script('{"done": "perhaps"}', '{"done": false}');
    expect((await chain().ask(question())).value).toEqual({ done: false });
    expect(primary.requests[1]?.body.messages).toHaveLength(4);
    expect(primary.requests[1]?.body.messages?.[3]?.content).toContain("done");
    expect(calls.map((call) => call.outcome)).toEqual(["unreadable", "ok"]);

    primary.script("I would rather chat.");
    expect(await kind(chain().ask(question()))).toBe("unreadable");
    expect(primary.requests).toHaveLength(4);
    expect(fallback.requests).toHaveLength(0);
  });

  it("an endpoint that is down, slow, busy, or answers nonsense gives way to the next", async () => {
    fallback.script('{"done": true}');
    const faults = [
      { reset: true as const },
      { hang: true as const },
      { status: 500 },
      { status: 429 },
      { status: 401 },
      { status: 200, body: "<html>" },
      { status: 200, body: { choices: [] } },
      { status: 302, headers: { location: "http://127.0.0.1:9/" } },
    ];
    for (const fault of faults) {
      primary.script(fault);
      expect((await chain().ask(question({ timeoutMs: 300 }))).value).toEqual({ done: true });
    }
    expect(fallback.requests).toHaveLength(faults.length);
    expect(fallback.requests[0]?.authorization).toBeUndefined();
  });

  it("all down is `transport`, nothing configured is `none`", async () => {
    primary.script({ status: 503 });
    fallback.script({ reset: true });
    expect(await kind(chain().ask(question()))).toBe("transport");
    expect(await kind(createModelChain({ endpoints: [] }).ask(question()))).toBe("none");
    expect(await kind(noModel.ask(question()))).toBe("none");
    expect([chain().configured, noModel.configured]).toEqual([true, false]);
  });

  it("a dead endpoint does not cost its time-out at each question, and is tried again after a rest", async () => {
    primary.script({ status: 503 });
    fallback.script('{"done": true}');
    const llm = chain();
    for (let i = 0; i < 5; i++) await llm.ask(question());
    expect(primary.requests).toHaveLength(2);
    elapsed += 31_000;
    primary.script('{"done": false}');
    expect((await llm.ask(question())).value).toEqual({ done: false });
    expect((await llm.ask(question())).value).toEqual({ done: false });
  });

  it("a server that says how long to wait is left alone for so long", async () => {
    primary.script({ status: 429, headers: { "retry-after": "7" } }, '{"done": false}');
    fallback.script('{"done": true}');
    const llm = chain();
    await llm.ask(question());
    elapsed += 6_000;
    expect((await llm.ask(question())).value).toEqual({ done: true });
    elapsed += 2_000;
    expect((await llm.ask(question())).value).toEqual({ done: false });
  });

  it("thoughts are never read as the answer, in whatever field they come", async () => {
    const thought = { reasoning_content: '{"done": true}', reasoning: '{"done": true}' };
    primary.script({ status: 200, body: completion('{"done": false}', thought) });
    expect((await chain().ask(question())).value).toEqual({ done: false });
    const parts = [
      { type: "thinking", text: '{"done": true}' },
      { type: "text", text: '{"done": false}' },
    ];
    primary.script({ status: 200, body: completion("", { content: parts }) });
    expect((await chain().ask(question())).value).toEqual({ done: false });
  });

  it("a model that wants its limit under another name gets it, and is not refused again", async () => {
    const refused = { error: { message: "use max_completion_tokens" } };
    primary.script({ status: 400, body: refused }, '{"done": true}');
    const llm = chain();
    await llm.ask(question());
    await llm.ask(question());
    expect(primary.requests.map((request) => Object.keys(request.body).filter((key) => key.startsWith("max")))).toEqual(
      [["max_tokens"], ["max_completion_tokens"], ["max_completion_tokens"]],
    );
  });

  it("an answer without end is cut off and counts as none", async () => {
    primary.script({ status: 200, body: "x".repeat(3_000_000) });
    fallback.script('{"done": true}');
    expect((await chain().ask(question())).value).toEqual({ done: true });
  });

  it("the words of an error never hold the key or what the server repeated", async () => {
    primary.script({ status: 401, body: { error: "bad key k-1 in question Done?" } });
    fallback.script({ status: 401 });
    const error = await chain()
      .ask(question())
      .catch((e: unknown) => e as Error);
    expect(String(error)).not.toMatch(/k-1|Done\?/);
  });

  it("calls are stored with what they cost, and a full disk does not fail the question", async () => {
    const { db, release } = await openTestDb();
    try {
      primary.script('{"done": true}');
      const scope = scopeOn(db);
      const endpoints = [createOpenAiEndpoint({ name: "primary", baseUrl: primary.baseUrl, model: "m-1" })];
      await createModelChain({ endpoints, record: (call) => recordModelCall(scope, call) }).ask(question());
      expect(await db.modelCall.findMany()).toMatchObject([
        { agentId: "agent-a", purpose: "goal.judge", inputTokens: 11, outcome: "ok" },
      ]);
      const broken = createModelChain({ endpoints, record: () => Promise.reject(new Error("disk full")) });
      expect((await broken.ask(question())).value).toEqual({ done: true });
    } finally {
      await release();
    }
  });
});
