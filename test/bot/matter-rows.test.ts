import { afterEach, beforeEach, expect, it } from "vitest";
import { type AppUnderTest, startAppUnderTest } from "../helpers/app-under-test.ts";

let world: AppUnderTest;

beforeEach(async () => {
  world = await startAppUnderTest();
});
afterEach(() => world.close());

const lastCard = (): string => {
  const content = world.botMessages().at(-1)?.content;
  return content?.kind === "card" ? JSON.stringify(content.card) : "";
};

it("a day without an hour is shown as a day, never as midnight", async () => {
  await world.app.scheduler.runJob("proactive-tick");
  await world.settle();
  expect(lastCard()).toMatch(/onboarding checklist/);
  expect(lastCard()).toMatch(/截止 12月\d+日/);
  expect(lastCard()).not.toMatch(/00:00/);
});

it("a reminder that comes at its minute is not called overdue, and one still to come has no deadline beside its time", async () => {
  await world.say("owner", "/remind 交周报 15:00");
  await world.say("owner", "/items");
  expect(lastCard()).toMatch(/11月30日 15:00 再提醒/);
  expect(lastCard()).not.toMatch(/截止 11月30日/);
  await world.at("2026-11-30T07:02:00Z");
  await world.settle();
  expect(lastCard()).toMatch(/到点了：交周报/);
  expect(lastCard()).not.toMatch(/已逾期|overdue/);
});
