import { expect, it } from "vitest";
import { inTransaction } from "../../../src/engine/db.ts";
import { findSeen, findSeenOfLineages, rememberSeen } from "../../../src/engine/proactive/seen-messages.ts";
import type { SeenRow } from "../../../src/engine/proactive/watermark.ts";
import { scopeOn } from "../../helpers/given.ts";
import { describeBothDatabases } from "../../helpers/test-db.ts";

const at = new Date("2026-11-30T02:00:00.123Z");
const seen = (identity: string, occurrence: number, lineage = "s1"): SeenRow => ({
  lineage,
  identity,
  occurrence,
  at,
  messageId: `${identity}${occurrence}`,
});

describeBothDatabases("what runs have shown", (open) => {
  it("counts when the run is committed, is one agent's own, moves with its row and passes to the run that shows it again", async () => {
    const test = await open();
    try {
      const a = scopeOn(test.db);
      const b = scopeOn(test.db, { agent: { id: "agent-b", zone: "UTC", language: "en" } });
      const begin = (
        scope: typeof a,
        runId: string,
        status: string,
        add: SeenRow[],
        moved: SeenRow[] = [],
      ): Promise<void> =>
        inTransaction(scope.db, async (tx) => {
          const window = { windowStart: at, windowEnd: new Date(at.getTime() + 1), cursorStart: {}, cursorEnd: {} };
          const run = { runId, agentId: scope.agent.id, status, reason: "new_messages", counts: {}, startedAt: at };
          await tx.checkpoint.create({ data: { ...window, ...run } });
          await rememberSeen(tx, scope, runId, { add, moved });
        });
      await begin(b, "b1", "committed", [seen("x", 1), seen("x", 2)]);
      await begin(a, "a1", "superseded", [seen("x", 1), seen("y", 1)]);
      const asked = [seen("x", 1), seen("y", 1), seen("x", 1, "s2")];
      expect(await findSeen(a, asked)).toEqual([]);

      await begin(a, "a2", "committed", [
        seen("x", 1),
        seen("x", 1, "s2"),
        ...Array.from({ length: 900 }, (_, n) => seen(`z${n}`, 1)),
      ]);
      expect(await findSeen(a, asked)).toEqual(expect.arrayContaining([seen("x", 1), seen("x", 1, "s2")]));
      expect(await findSeen(a, asked)).toHaveLength(2);
      expect(
        await findSeen(
          a,
          Array.from({ length: 900 }, (_, n) => seen(`z${n}`, 1)),
        ),
      ).toHaveLength(900);

      await begin(a, "a3", "committed", [], [{ ...seen("x", 1), messageId: "elsewhere" }]);
      expect(await findSeen(a, [seen("x", 1)])).toEqual([{ ...seen("x", 1), messageId: "elsewhere" }]);
      expect(await findSeen(b, [seen("x", 1)])).toHaveLength(2);
      expect(await findSeenOfLineages(a, ["s2"])).toMatchObject([seen("x", 1, "s2")]);
      expect(await findSeen(a, [])).toEqual([]);
    } finally {
      await test.release();
    }
  });
});
