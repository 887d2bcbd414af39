import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { tick } from "../../../src/engine/proactive/tick.ts";
import { writeSampleHome } from "../../../src/hermes-bridge/sample-home.ts";
import { sampleSessions } from "../../../src/hermes-bridge/sample-sessions.ts";
import { StateDb } from "../../../src/hermes-bridge/state-db.ts";
import { type ProactiveWorld, proactiveWorld } from "../../helpers/proactive-world.ts";

let world: ProactiveWorld;
let home: string;

beforeEach(async () => {
  world = await proactiveWorld();
  home = mkdtempSync(join(tmpdir(), "herald-first-"));
});
afterEach(async () => {
  rmSync(home, { recursive: true });
  await world.release();
});

const NEVER = /dentist|weekly|周报|proposal|月球|辞职|预算|展台|蛋糕|简报|客户甲|storage prices|箱/i;

it.each(["09:30", "12:00", "16:06", "20:40"])(
  "the first reminder over the sample, at %s, names three to five open matters, the nearest date first, and none that is over",
  async (local) => {
    const now = world.at(`11-30 ${local}`);
    writeSampleHome(home, { now, zone: "Asia/Shanghai" });
    const history = new StateDb({ home, clock: world.scope.clock });
    expect(await tick({ ...world.scope, history })).toMatchObject({ outcome: "sent" });
    const items = await world.items();
    expect(items.map((item) => item.title).join("\n")).not.toMatch(NEVER);
    const matters = await world.scope.db.deliveryMatter.findMany({
      where: { agentId: "agent-a", folded: false },
      orderBy: { position: "asc" },
    });
    const said = matters.map((matter) => items.find((item) => item.id === matter.itemId)?.title ?? "");
    expect(said.length).toBeGreaterThanOrEqual(3);
    expect(said.length).toBeLessThanOrEqual(5);
    expect(said[0]).toMatch(/合同/);
    expect(said.join("\n")).toMatch(/ECONNRESET|chunked/);
    expect(said.join("\n")).toMatch(/调薪/);
    const due = items.filter((item) => item.dueAt !== null);
    expect(due.every((item) => item.dueAt !== null && item.dueAt > now)).toBe(true);
    const [text] = await world.send();
    expect(text).not.toMatch(/已经过了|已过期/);
  },
);

it("after the first look the same matters are not all told again: what is new waits for its time", async () => {
  world.at("11-30 08:00");
  world.say("把画册的询价单发给启明印务了，等他们报价");
  world.at("11-30 10:00");
  expect(await world.tick()).toMatchObject({ outcome: "sent" });
  await world.send();
  world.at("11-30 11:00");
  world.say("合同草稿发给法务了，等法务回复", { session: "s9" });
  world.at("11-30 14:00");
  await world.tick();
  expect(await world.send()).toEqual([]);
});

it("the sample itself is written in the order of time within each session", () => {
  for (const { messages } of sampleSessions(new Date("2026-11-30T06:00:00Z"), "Asia/Shanghai")) {
    expect(messages.map((message) => message.ago)).toEqual(
      [...messages.map((message) => message.ago)].sort((a, b) => b - a),
    );
  }
});
