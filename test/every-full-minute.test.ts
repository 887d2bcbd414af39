import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { everyFullMinute } from "../src/every-full-minute.ts";

const at = (time: string): Date => new Date(`2026-11-30T${time}Z`);

beforeEach(() => void vi.useFakeTimers({ now: at("17:05:10") }));
afterEach(() => void vi.useRealTimers());

it("calls back as each minute begins, not before and not half a minute later", () => {
  const seen: string[] = [];
  const end = everyFullMinute(
    () => new Date(),
    () => seen.push(new Date().toISOString().slice(11, 19)),
  );
  vi.advanceTimersByTime(3 * 60_000);
  expect(seen).toEqual(["17:06:00", "17:07:00", "17:08:00"]);
  end();
  vi.advanceTimersByTime(3 * 60_000);
  expect(seen).toHaveLength(3);
});

it("keeps to the minutes of the clock it is given, and notices its jump", () => {
  let ahead = 23_000;
  const clock = (): Date => new Date(Date.now() + ahead);
  const seen: string[] = [];
  const end = everyFullMinute(clock, () => seen.push(clock().toISOString().slice(11, 19)));
  vi.advanceTimersByTime(30_000);
  expect(seen).toEqual(["17:06:00"]);
  ahead += 8 * 3_600_000 + 31_000;
  vi.advanceTimersByTime(5_000);
  expect(seen).toHaveLength(2);
  vi.advanceTimersByTime(60_000);
  expect(seen.at(-1)).toMatch(/:00$/);
  end();
});

it("a timer that fires early looks again instead of losing the minute", () => {
  let early = 40;
  const clock = (): Date => new Date(Date.now() - early);
  let ticks = 0;
  const end = everyFullMinute(clock, () => ticks++);
  vi.advanceTimersByTime(49_980);
  early = 60;
  vi.advanceTimersByTime(30);
  expect(ticks).toBe(0);
  vi.advanceTimersByTime(100);
  expect(ticks).toBe(1);
  end();
});
