import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hermesInstall, hermesStatus } from "../../src/cli/hermes.ts";
import { appendMessage } from "../../src/hermes-bridge/sample-home.ts";
import { type AppUnderTest, cardOf, startAppUnderTest } from "../helpers/app-under-test.ts";
import { pythonAtHand } from "../helpers/hermes-home.ts";
import { startPythonPlugin } from "../helpers/python-plugin.ts";

let world: AppUnderTest;
beforeEach(async () => {
  world = await startAppUnderTest();
});
afterEach(() => world.close());

const reminders = () => world.botMessages().filter((message) => message.content.kind === "card");

describe("a matter closed in a chat with Hermes", () => {
  if (!pythonAtHand()) {
    process.stderr.write('left out: "a matter closed in a chat with Hermes" (no python3 found)\n');
    test("its tool is there, as far as can be seen without python3", async () => {
      expect((await hermesInstall(world.config, world.hermesHome)).ok).toBe(true);
    });
    return;
  }

  test("from the plugin's install to the reminder's card that shows it done", async () => {
    // Installed while Herald runs on a port of its own: the plugin is told that one.
    const installed = await hermesInstall(world.config, world.hermesHome);
    expect(installed.lines.join("\n")).toContain(world.app.url);
    expect(await hermesStatus(world.config, world.hermesHome)).toMatchObject({ ok: true });

    const { sessionId } = appendMessage(world.hermesHome, {
      text: "那份修订版合同我已经发给周敏了，周五前还要给老赵打个电话",
      at: world.platform.clock.now(),
    });
    const plugin = await startPythonPlugin(world.hermesHome);
    try {
      expect(plugin.registered).toMatchObject({ tools: { tracking_manage: ["object", true] } });
      expect(plugin.registered).toMatchObject({
        sections: { "herald.tracking": { cron: 0 }, "herald.announce": { cli: 0, cron: 0 } },
      });

      const before = (await plugin.call("tracking_manage", { action: "list" }, sessionId)) as {
        items: { number: number; title: string }[];
      };
      const [first] = await world.app.scope.db.deliveryMatter.findMany({ orderBy: { position: "asc" } });
      const reminded = await world.app.scope.db.trackingItem.findUniqueOrThrow({ where: { id: first?.itemId ?? "" } });
      expect(before.items).toContainEqual(expect.objectContaining({ number: reminded.number, title: reminded.title }));

      const added = await plugin.call(
        "tracking_manage",
        { action: "add", title: "给老赵打电话", due: "周五" },
        sessionId,
      );
      expect(added).toMatchObject({ result: "added", item: { title: "给老赵打电话", status: "open" } });

      const [card] = reminders();
      if (!card) throw new Error("no reminder came");
      const drawn = JSON.stringify(cardOf(card));
      expect(drawn).not.toContain("item.undo");
      const closed = await plugin.call(
        "tracking_manage",
        { action: "close", item: reminded.number, outcome: "done" },
        sessionId,
      );
      expect(closed).toMatchObject({ result: "closed", item: { number: reminded.number, status: "done" } });
      await world.settle();

      // The same card, in place, with who did it and a way back; no new message.
      const [redrawn, ...more] = reminders();
      expect(more).toEqual([]);
      expect(redrawn?.messageId).toBe(card.messageId);
      expect(JSON.stringify(cardOf(redrawn ?? card))).toContain("item.undo");
      const row = await world.app.scope.db.trackingItem.findUniqueOrThrow({ where: { id: reminded.id } });
      expect(row).toMatchObject({ status: "closed", closedBy: world.platform.people.owner.openId });
      expect(JSON.stringify(row.closedEvidence)).toContain("已经发给周敏了");

      // A group sees none of it, and a cron session nothing at all.
      const group = appendMessage(world.hermesHome, {
        text: "还有什么没做？",
        at: world.platform.clock.now(),
        chat: "group",
      });
      const inGroup = (await plugin.call("tracking_manage", { action: "list", show: "all" }, group.sessionId)) as {
        items: { title: string }[];
      };
      expect(inGroup.items.map(({ title }) => title)).not.toContain("给老赵打电话");
      expect(await plugin.call("tracking_manage", { action: "list" }, "cron_job_1")).toHaveProperty("error");
    } finally {
      await plugin.stop();
    }
  });

  test("with Herald stopped, the model is told so and nothing hangs", async () => {
    await hermesInstall(world.config, world.hermesHome);
    const plugin = await startPythonPlugin(world.hermesHome);
    try {
      await world.app.release();
      const answer = await plugin.call("tracking_manage", { action: "list" }, "any");
      expect(answer.error).toContain("not running");
      const status = await hermesStatus(world.config, world.hermesHome);
      expect(status.ok).toBe(false);
    } finally {
      await plugin.stop();
    }
  });
});
