import { afterEach, beforeEach, expect, it } from "vitest";
import { cleanOutgoing } from "../../src/bot/clean-outgoing.ts";
import { type AppUnderTest, startAppUnderTest } from "../helpers/app-under-test.ts";

let world: AppUnderTest;

beforeEach(async () => {
  world = await startAppUnderTest();
});
afterEach(() => world.close());

it("the list of runs and a run say how many new messages were read", async () => {
  await world.app.scheduler.runJob("proactive-tick");
  await world.settle();
  const run = await world.app.scope.db.checkpoint.findFirstOrThrow({ where: { agentId: world.app.scope.agent.id } });
  const { newMessages } = run.counts as { newMessages: number };
  expect(newMessages).toBeGreaterThan(10);
  for (const line of ["/runs", `/run ${run.runId}`]) {
    await world.say("owner", line);
    const content = world.botMessages().at(-1)?.content;
    expect(content?.kind === "card" ? JSON.stringify(content.card) : "").toContain(`新消息 ${newMessages} 条`);
  }
});

it("no text leaves with signs that turn its direction", () => {
  expect(cleanOutgoing({ content: "要\u202egnp.exe\u2066 发给 Bob، مرحبا" })).toEqual({
    content: "要gnp.exe 发给 Bob، مرحبا",
  });
});
