import { afterEach, beforeEach, expect, test } from "vitest";
import { dream } from "../../../src/engine/evolution/dream.ts";
import { owner } from "../../helpers/given.ts";
import { type NightWorld, nightWorld, type ToolStep, toldSession } from "../../helpers/night-world.ts";

let world: NightWorld;
beforeEach(async () => {
  world = await nightWorld({ at: "2026-11-30T17:00:00Z" });
});
afterEach(() => world.release());

const failing: ToolStep = {
  tool: "terminal",
  args: { command: "npm ci" },
  result: { output: "npm ERR! lock file is out of date", exit_code: 1, error: null },
};
const fine: ToolStep = { tool: "terminal", args: { command: "npm test" }, result: { output: "ok", exit_code: 0 } };

test("a night makes one report and proposals with evidence, and the same night again replaces them", async () => {
  const { scope, history } = world;
  for (const n of [1, 2, 3]) {
    history.days.push(
      toldSession(`s${n}`, `2026-11-30T0${n}:00:00Z`, ["装依赖再跑测试", failing, failing, failing, fine, "好了"]),
    );
  }
  const first = await dream(scope, owner, { date: "2026-11-30" });
  expect(first).toMatchObject({ outcome: "done", sessions: 3, writtenBy: null });
  const proposals = await scope.db.evolutionProposal.findMany();
  expect(proposals.length).toBeGreaterThan(0);
  await dream(scope, owner, { date: "2026-11-30" });
  expect(await scope.db.evolutionProposal.count()).toBe(proposals.length);
  expect(await scope.db.reflectionReport.count()).toBe(1);
  expect(await scope.db.sessionScore.count()).toBe(3);
});
