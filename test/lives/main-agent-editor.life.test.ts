import { afterEach, expect, test } from "vitest";
import { readTries } from "../../src/engine/proactive/decide-run.ts";
import { readBridgeToken } from "../../src/hermes-bridge/bridge-token.ts";
import { appendMessage } from "../../src/hermes-bridge/sample-home.ts";
import { type AppUnderTest, startAppUnderTest } from "../helpers/app-under-test.ts";
import { scriptedTurns } from "../helpers/scripted-turns.ts";
import { until } from "../helpers/until.ts";

let world: AppUnderTest | undefined;
afterEach(() => world?.close());

test("a reminder's life with the main agent as editor: woken, it reads, decides over HTTP, and its words arrive once", async () => {
  const turns = scriptedTurns();
  turns.script("[SILENT]");
  const started = await startAppUnderTest({
    parts: {
      prepare: async (scope) => {
        scope.turns = turns;
      },
    },
  });
  world = started;
  const { app, config } = started;
  app.scope.turns = turns;
  const tool = async (name: string, args: object): Promise<{ status: number; body: Record<string, unknown> }> => {
    const response = await fetch(`${app.url}/bridge/tools/${name}`, {
      method: "POST",
      headers: { authorization: `Bearer ${readBridgeToken(config.dataDir)}`, "content-type": "application/json" },
      body: JSON.stringify({ args, context: { session_id: "s-editorial" } }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  // Something new comes up, and by the next day it is time to say so.
  appendMessage(started.hermesHome, { text: "明天下午三点前把合同寄给周敏", at: started.platform.clock.now() });
  let pressed: ReturnType<AppUnderTest["press"]> | undefined;
  turns.script(async (request, turn) => {
    turn.emit({ kind: "accepted", sessionId: "s-editorial" });
    // While the agent thinks, taps are answered as ever.
    const [card] = started.botMessages().filter((message) => message.content.kind === "card");
    if (card && pressed === undefined) {
      pressed = started.press(card, "item.done");
      await until(async () => (await app.scope.db.itemDecision.count()) === 1);
    }
    const key = /key of this turn is (\S+);/.exec(request.text)?.[1];
    const read = await tool("proactivity_read", { key });
    const about = read.body.decide_about as { item: number; may_be_sent: boolean; skip_with_reason?: string }[];
    const decisions = about.map(({ item, may_be_sent, skip_with_reason }) =>
      may_be_sent
        ? { item, decision: "send", reason: "due_now" }
        : { item, decision: "skip", reason: skip_with_reason },
    );
    const done = await tool("proactivity_select", { key, decisions, text: "给周敏的合同今天下午三点前要寄出。" });
    expect(done.status).toBe(200);
    return { text: "[SILENT]", sessionId: "s-editorial" };
  });
  await started.at("2026-12-01T02:00:00Z");

  const run = await app.scope.db.checkpoint.findFirstOrThrow({ where: { editor: "main-agent" } });
  expect(run.status).toBe("committed");
  const deliveries = await app.scope.db.delivery.findMany({ where: { runId: run.runId } });
  expect(deliveries).toMatchObject([{ status: "delivered", text: "给周敏的合同今天下午三点前要寄出。" }]);
  expect((await pressed)?.toast?.type).toBe("success");
  expect(await app.scope.db.ownTurn.findFirst({ where: { outcome: "decided" } })).toMatchObject({
    sessionId: "s-editorial",
  });

  // Hermes goes away: the next reminder is judged by the next editor, and the run says why.
  turns.down = true;
  appendMessage(started.hermesHome, { text: "后天上午十点前给老赵打电话", at: started.platform.clock.now() });
  await started.at("2026-12-03T00:30:00Z");
  await started.at("2026-12-03T01:30:00Z");
  const later = await app.scope.db.checkpoint.findMany({
    where: { editor: { not: null } },
    orderBy: { startedAt: "asc" },
  });
  expect(readTries(later.at(-1)?.editorTries)).toMatchObject([{ editor: "main-agent", why: "unreachable" }]);
});
