import { expect, it } from "vitest";
import { processIds } from "../src/process-ids.ts";
import { fixedClock } from "./helpers/fixed-clock.ts";

it("ids sort by the order in which they were made, also within a millisecond, and never repeat", () => {
  const clock = fixedClock("2026-11-30T02:00:00Z");
  const ids = processIds(clock);
  const made: string[] = [];
  for (let ms = 0; ms < 20; ms++) {
    for (let n = 0; n < 200; n++) made.push(ids.id("p"));
    clock.advance({ ms: 1 });
  }
  expect([...made].sort()).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
  expect(new Set(made.map((id) => id.length)).size).toBe(1);
});

it("opaque ids have 128 bits and nothing in common", () => {
  const ids = processIds(fixedClock("2026-11-30T02:00:00Z"));
  const made = Array.from({ length: 1000 }, () => ids.opaque());
  expect(new Set(made).size).toBe(1000);
  expect(made.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
});
