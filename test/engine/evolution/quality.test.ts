import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LEARN_FROM, learnNorm, qualityOf, type Scored } from "../../../src/engine/evolution/quality.ts";

const plain: Scored = {
  outcome: "completed",
  category: "search",
  iterations: 2,
  turns: 1,
  toolCalls: 2,
  corrections: 0,
  frustration: 0,
  thanks: 0,
  retriedTurns: 0,
  budgetExhausted: false,
  denied: 0,
  undone: 0,
};

describe("the quality of a session", () => {
  test.each<[string, Partial<Scored>, { composite: number; satisfaction: number }]>([
    ["done in one turn with two tools", {}, { composite: 0.975, satisfaction: 0.9 }],
    ["done over several turns", { turns: 3 }, { composite: 0.9375, satisfaction: 0.75 }],
    ["interrupted", { outcome: "interrupted" }, { composite: 0.675, satisfaction: 0.5 }],
    ["failed", { outcome: "failed" }, { composite: 0.425, satisfaction: 0.3 }],
    ["budget exhausted", { budgetExhausted: true }, { composite: 0.925, satisfaction: 0.7 }],
    ["corrected twice", { turns: 3, corrections: 2 }, { composite: 0.8625, satisfaction: 0.45 }],
    ["eight steps where four would do", { iterations: 8 }, { composite: 0.875, satisfaction: 0.9 }],
    ["sixteen calls where four would do", { toolCalls: 16 }, { composite: 0.8625, satisfaction: 0.9 }],
    ["thanked", { turns: 2, thanks: 3 }, { composite: 0.95, satisfaction: 0.8 }],
  ])("%s", (_, change, expected) => {
    expect(qualityOf({ ...plain, ...change })).toMatchObject(expected);
  });

  test("learned numbers take the place of the constants, once there is enough of them", () => {
    const sessions = Array.from({ length: LEARN_FROM }, (_, n) => ({ iterations: 4 + (n % 4), toolCalls: 6 }));
    expect(learnNorm(sessions.slice(1))).toBeUndefined();
    const norm = learnNorm(sessions);
    expect(norm).toEqual({ iterations: 4.75, toolCalls: 6, samples: LEARN_FROM });
    if (!norm) return;
    const slow = { ...plain, iterations: 8, toolCalls: 12 };
    expect(qualityOf(slow, { search: norm }).efficiency).toBeCloseTo(4.75 / 8);
    expect(qualityOf(slow, { search: norm }).cost).toBe(0.5);
  });

  test("every part and the whole stay within 0 and 1, whatever happened", () => {
    const many = fc.nat(1_000);
    fc.assert(
      fc.property(
        fc.record({
          outcome: fc.constantFrom("completed", "interrupted", "failed"),
          iterations: many,
          toolCalls: many,
          turns: many,
          corrections: many,
          frustration: many,
          thanks: many,
          retriedTurns: many,
          denied: many,
          undone: many,
          budgetExhausted: fc.boolean(),
        }),
        (session) => {
          const quality = qualityOf({ ...plain, ...session } as Scored);
          for (const value of Object.values(quality)) {
            expect(value).toBeGreaterThanOrEqual(0);
            expect(value).toBeLessThanOrEqual(1);
          }
        },
      ),
    );
  });
});
