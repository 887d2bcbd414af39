import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundle } from "../../bin/run.mjs";
import { loadSqlite } from "../../src/engine/load-sqlite.ts";
import { writeSampleHome } from "../../src/hermes-bridge/sample-home.ts";
import { startTestPlatform } from "../helpers/start-platform.ts";

const NOW = "2026-11-30T02:00:00Z";

/** Runs the child until it has settled, or was killed where it was told to. */
async function live(script: string, orders: Record<string, unknown>): Promise<{ settled?: number; killedAt?: string }> {
  const child = fork(script, [JSON.stringify(orders)], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  let told: { settled?: number; killedAt?: string } = {};
  child.on("message", (message) => {
    told = { ...told, ...(message as object) };
  });
  await new Promise((resolve) => child.once("exit", resolve));
  return told;
}

test("killed at any step between decided and receipt, there is exactly one message and its receipt", async () => {
  const script = await bundle("test/helpers/child/crash-child.ts");
  const where: string[] = [];
  for (let killAt = 1; ; killAt++) {
    const folder = mkdtempSync(join(tmpdir(), "herald-crash-"));
    const platform = await startTestPlatform({ start: NOW });
    try {
      const hermesHome = join(folder, "hermes");
      writeSampleHome(hermesHome, { now: new Date(NOW), zone: "Asia/Shanghai" });
      const orders = {
        dataDir: folder,
        hermesHome,
        platformUrl: platform.url,
        appId: platform.sdk.appId,
        appSecret: platform.sdk.appSecret,
        ownerOpenId: platform.people.owner.openId,
        now: NOW,
        killAt,
      };
      const first = await live(script, orders);
      if (first.killedAt === undefined) {
        expect(first.settled).toBeDefined();
        break;
      }
      where.push(first.killedAt);
      // Leases of the dead process run out, and the hour for which the platform knows the key is not over.
      const second = await live(script, { ...orders, now: "2026-11-30T02:03:00Z", killAt: 0 });
      expect(second.settled, `after ${first.killedAt}`).toBeDefined();

      const messages = platform.messages(platform.chats.owner).filter((message) => message.fromBot);
      expect(messages, `messages after ${first.killedAt}`).toHaveLength(1);
      const db = new (loadSqlite().DatabaseSync)(join(folder, "herald.db"), { readOnly: true });
      const delivered = db.prepare(`SELECT status, "messageId" FROM "Delivery"`).all() as {
        status: string;
        messageId: string;
      }[];
      db.close();
      const arrived = delivered.filter((row) => row.status === "delivered");
      expect(
        arrived.map((row) => row.messageId),
        `receipts after ${first.killedAt}`,
      ).toEqual([messages[0]?.messageId]);
    } finally {
      await platform.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  // The steps that matter most were among them.
  expect(where).toContain("before send");
  expect(where).toContain("after send");
  expect(where.some((step) => /COMMIT/.test(step))).toBe(true);
}, 600_000);
