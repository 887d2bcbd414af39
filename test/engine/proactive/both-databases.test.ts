import { expect, it } from "vitest";
import { dueReminders } from "../../../src/engine/proactive/due-reminders.ts";
import { explain } from "../../../src/engine/proactive/explain.ts";
import { readHeldBack } from "../../../src/engine/proactive/read-run-facts.ts";
import { setReminder } from "../../../src/engine/tracking/set-reminder.ts";
import { owner } from "../../helpers/given.ts";
import { proactiveWorld } from "../../helpers/proactive-world.ts";
import { describeBothDatabases } from "../../helpers/test-db.ts";

describeBothDatabases("the pipeline", (open) => {
  it("from a line to a receipt, its /why, and a second look that stays silent", async () => {
    const world = await proactiveWorld({ open });
    try {
      world.at("11-30 14:02");
      world.say("周四前把报价单发给客户A");
      world.at("11-30 14:15");
      await world.tick();
      world.at("12-03 10:30");
      expect(await world.tick()).toMatchObject({ outcome: "sent" });
      expect(await world.send()).toHaveLength(1);
      expect(await explain(world.scope, owner, { messageId: "om_sent_1" })).toMatchObject({ kind: "message" });
      world.at("12-03 11:45");
      expect(await world.tick()).toMatchObject({ outcome: "silent", reason: "nothing_new" });
    } finally {
      await world.release();
    }
  });

  it("two replicas: ticks at once make one message, sweeps at once make one reminder", async () => {
    const world = await proactiveWorld({ open });
    try {
      world.at("11-30 09:30");
      await world.given.item({ title: "交周报", dueAt: new Date("2026-11-30T10:00:00Z"), dueGrain: "minute" });
      await setReminder(world.scope, owner, {
        text: "吃药",
        at: new Date("2026-11-30T13:00:00+08:00"),
        place: { chatType: "p2p" },
        messageId: "om_1",
      });
      world.at("11-30 11:00");
      await Promise.all([world.tick(), world.tick()]);
      expect(await world.send()).toHaveLength(1);
      world.at("11-30 13:00");
      await Promise.all([dueReminders(world.scope), dueReminders(world.scope), dueReminders(world.scope)]);
      expect(await world.send()).toEqual(["到点了：吃药"]);
    } finally {
      await world.release();
    }
  });

  it("what was held back last is remembered, however much was decided about other matters since", async () => {
    const world = await proactiveWorld({ open });
    try {
      const [held, judged, busy] = [await world.given.item(), await world.given.item(), await world.given.item()];
      const decide = (item: { id: string }, index: number, reason: string) => ({
        agentId: "agent-a",
        runId: "run-x",
        index,
        kind: "prepared",
        matterKind: "promise",
        goalId: item.id,
        title: "",
        whyNow: "",
        draft: "",
        evidence: [],
        decision: "skip",
        reason,
      });
      await world.scope.db.candidate.createMany({
        data: [
          decide(held, 1, "not_worth_it"),
          decide(held, 2, "quiet_hours"),
          decide(judged, 3, "quiet_hours"),
          decide(judged, 4, "not_worth_it"),
          ...Array.from({ length: 450 }, (_, n) => decide(busy, n + 10, "daily_limit")),
        ],
      });
      const found = await readHeldBack(world.scope, [held, judged, busy]);
      expect([...found].sort()).toEqual([held.id, busy.id].sort());
      expect(await readHeldBack(world.scope, [judged])).toEqual(new Set());
    } finally {
      await world.release();
    }
  });
});
