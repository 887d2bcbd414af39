import { afterEach, beforeEach, expect, test } from "vitest";
import { tick } from "../../src/engine/proactive/tick.ts";
import { wakeRoute } from "../../src/hermes-bridge/wake-route.ts";
import { bridgeOf } from "../helpers/call-bridge.ts";
import { type ProactiveWorld, proactiveWorld } from "../helpers/proactive-world.ts";

let world: ProactiveWorld;
let bridge: ReturnType<typeof bridgeOf>;
beforeEach(async () => {
  world = await proactiveWorld();
  bridge = bridgeOf(world.scope);
  world.at("11-30 14:02");
  world.say("周四前把报价单发给客户A");
  world.at("14:30");
  await world.tick();
  await world.send();
  world.at("12-03 10:30");
});
afterEach(() => world.release());

const wake = async (): Promise<Record<string, unknown>> =>
  (await wakeRoute(() => {}).handle(world.scope, {} as never)).body;

async function decide(text: string): Promise<number> {
  const key = /key of this turn is (\S+);/.exec(text)?.[1];
  const read = await bridge.call({ key }, "cron_abc_1", "proactivity_read");
  const decisions = (read.body.decide_about as { item: number }[]).map(({ item }) => ({
    item,
    decision: "send",
    reason: "worth_saying",
  }));
  return (await bridge.call({ key, decisions, text: "报价单今天要发。" }, "cron_abc_1", "proactivity_select")).status;
}

test("the agent that Hermes' cron wakes decides, and exactly one message goes out", async () => {
  const { wake: wakes, text } = await wake();
  expect(wakes).toBe(true);
  // Herald's own tick leaves the run alone meanwhile.
  expect(await tick(world.scope)).toMatchObject({ outcome: "silent", reason: "already_looking" });
  expect(await decide(String(text))).toBe(200);
  expect(await world.send()).toEqual(["报价单今天要发。"]);
  expect(await decide(String(text)).catch(() => 409)).toBe(409);
});

test("an agent that never decides is not waited for for ever: the window is judged again, and its late word refused", async () => {
  const { text } = await wake();
  world.at("10:50");
  expect(await tick(world.scope)).toMatchObject({ outcome: "sent" });
  expect(await world.send()).toHaveLength(1);
  const key = /key of this turn is (\S+);/.exec(String(text))?.[1];
  expect((await bridge.call({ key }, "cron_abc_1", "proactivity_read")).status).toBe(409);
});

test("with nothing new nobody is woken", async () => {
  const { text } = await wake();
  await decide(String(text));
  await world.send();
  world.at("12-03 10:45");
  expect(await wake()).toMatchObject({ wake: false });
});
