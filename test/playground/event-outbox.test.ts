import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EventOutbox, type PushResult } from "../../src/playground/event-outbox.ts";
import { Faults } from "../../src/playground/faults.ts";

const answer = fc.constantFrom<PushResult | "silence">("acknowledged", "refused", "nobody", "silence");
const jump = fc.integer({ min: 0, max: 8 * 3_600_000 });

describe("the outbox of events", () => {
  test("tries an event at most five times, stops at its acknowledgement, and never leaves one neither done, waiting nor lost", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(answer, { minLength: 1, maxLength: 8 }),
        fc.array(jump, { maxLength: 30 }),
        async (answers, jumps) => {
          let nowMs = 0;
          const pushedAt: number[] = [];
          const acknowledgedAt: number[] = [];
          const outbox = new EventOutbox({
            nowMs: () => nowMs,
            faults: new Faults(),
            push: () => {
              const result = answers[pushedAt.length] ?? "silence";
              pushedAt.push(nowMs);
              if (result === "acknowledged") acknowledgedAt.push(nowMs);
              return result === "silence" ? new Promise<PushResult>(() => {}) : Promise.resolve(result);
            },
          });
          void outbox.send("e1", {});
          await settle();
          for (const ms of jumps) {
            nowMs += ms;
            outbox.sweep();
            await settle();
          }
          expect(pushedAt.length).toBeLessThanOrEqual(5);
          expect(acknowledgedAt.length).toBeLessThanOrEqual(1);
          if (acknowledgedAt.length === 1) expect(outbox.pending()).toEqual([]);
          expect(acknowledgedAt.length + outbox.pending().length + outbox.lost.length).toBe(1);
          const gaps = pushedAt.slice(1).map((at, index) => at - (pushedAt[index] ?? 0));
          const least = [15_000, 300_000, 3_600_000, 21_600_000];
          for (const [index, gap] of gaps.entries()) expect(gap).toBeGreaterThanOrEqual(least[index] ?? 0);
        },
      ),
      { numRuns: 200 },
    );
  });
});

async function settle(): Promise<void> {
  for (let i = 0; i < 4; i += 1) await Promise.resolve();
}
