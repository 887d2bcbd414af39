import fc from "fast-check";
import { DateTime } from "luxon";
import { describe, expect, it } from "vitest";
import { dueSlot, newestSlot, slotsBetween } from "../src/due-slots.ts";
import { dailyAt, every, type When } from "../src/job.ts";

const at = (iso: string): Date => new Date(iso);
const isos = (slots: Date[]): string[] => slots.map((slot) => slot.toISOString().slice(0, 16));

describe("slots", () => {
  it.each<[string, When, string, string, string, string[]]>([
    [
      "every 15 minutes",
      every(15),
      "2026-11-30T10:00Z",
      "2026-11-30T10:46Z",
      "UTC",
      ["2026-11-30T10:15", "2026-11-30T10:30", "2026-11-30T10:45"],
    ],
    [
      "with its end, without its start",
      every(15),
      "2026-11-30T10:15Z",
      "2026-11-30T10:30Z",
      "UTC",
      ["2026-11-30T10:30"],
    ],
    [
      "daily on the wall of Shanghai",
      dailyAt("09:00"),
      "2026-11-30T00:00Z",
      "2026-12-02T00:00Z",
      "Asia/Shanghai",
      ["2026-11-30T01:00", "2026-12-01T01:00"],
    ],
    [
      "daily in Kathmandu",
      dailyAt("00:00"),
      "2026-11-29T00:00Z",
      "2026-11-30T00:00Z",
      "Asia/Kathmandu",
      ["2026-11-29T18:15"],
    ],
    // 29 March 2026: 02:00 → 03:00 in Berlin
    [
      "at a time the clocks skip, at the next minute there is",
      dailyAt("02:30"),
      "2026-03-28T12:00Z",
      "2026-03-30T12:00Z",
      "Europe/Berlin",
      ["2026-03-29T01:00", "2026-03-30T00:30"],
    ],
    [
      "at midnight where the clocks skip midnight",
      dailyAt("00:00"),
      "2026-04-23T12:00Z",
      "2026-04-24T12:00Z",
      "Africa/Cairo",
      ["2026-04-23T22:00"],
    ],
    // 25 October 2026: 03:00 → 02:00 in Berlin
    [
      "at a time the clocks show twice, once and first",
      dailyAt("02:30"),
      "2026-10-24T12:00Z",
      "2026-10-26T12:00Z",
      "Europe/Berlin",
      ["2026-10-25T00:30", "2026-10-26T01:30"],
    ],
    [
      "at the start of the repeated hour",
      dailyAt("02:00"),
      "2026-10-24T12:00Z",
      "2026-10-25T12:00Z",
      "Europe/Berlin",
      ["2026-10-25T00:00"],
    ],
    [
      "in New York in spring",
      dailyAt("02:15"),
      "2026-03-08T00:00Z",
      "2026-03-09T00:00Z",
      "America/New_York",
      ["2026-03-08T07:00"],
    ],
    [
      "in New York in autumn",
      dailyAt("01:30"),
      "2026-10-31T12:00Z",
      "2026-11-02T12:00Z",
      "America/New_York",
      ["2026-11-01T05:30", "2026-11-02T06:30"],
    ],
    [
      "on Lord Howe, where the shift is half an hour",
      dailyAt("02:10"),
      "2026-10-03T00:00Z",
      "2026-10-04T00:00Z",
      "Australia/Lord_Howe",
      ["2026-10-03T15:30"],
    ],
  ])("lie %s", (_, when, after, until, zone, expected) => {
    expect(isos(slotsBetween(when, at(after), at(until), zone))).toEqual(expected);
  });

  it("come once a day, whatever the zone, the time and the year", () => {
    const zones = [
      "Asia/Shanghai",
      "Europe/Berlin",
      "America/New_York",
      "Australia/Lord_Howe",
      "America/Santiago",
      "Africa/Cairo",
      "Pacific/Chatham",
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 1439 }),
        fc.integer({ min: 0, max: 4 * 365 }),
        (zone, minute, day) => {
          const time = `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
          const start = DateTime.fromObject({ year: 2024 }, { zone }).plus({ days: day });
          const slots = slotsBetween(dailyAt(time), start.toJSDate(), start.plus({ days: 10 }).toJSDate(), zone);
          const days = slots.map((slot) => DateTime.fromJSDate(slot, { zone }).toISODate());
          expect(new Set(days).size).toBe(days.length);
          expect(slots.length).toBeGreaterThanOrEqual(9);
          expect(slots.length).toBeLessThanOrEqual(11);
        },
      ),
    );
  });

  it("are never ahead of the clock", () => {
    fc.assert(
      fc.property(
        fc.date({ min: at("2024-01-01"), max: at("2030-01-01"), noInvalidDate: true }),
        fc.integer({ min: 1, max: 1440 }),
        (now, minutes) => {
          const slot = newestSlot(every(minutes), now, "UTC");
          expect(slot <= now && now.getTime() - slot.getTime() < minutes * 60_000).toBe(true);
        },
      ),
    );
  });
});

describe("what is due", () => {
  const tick = { when: every(15), missed: "skip", relevantMinutes: 720 } as const;
  const dream = { when: dailyAt("01:00"), missed: "run_once", relevantMinutes: 720 } as const;

  it.each<[string, Parameters<typeof dueSlot>[0], string | undefined, string, string | undefined, number]>([
    ["nothing before the next slot", tick, "2026-11-30T10:00Z", "2026-11-30T10:14Z", undefined, 0],
    ["the slot that has come", tick, "2026-11-30T10:00Z", "2026-11-30T10:15Z", "2026-11-30T10:15Z", 0],
    ["of many missed ticks the newest, once", tick, "2026-11-30T10:00Z", "2026-11-30T12:07Z", "2026-11-30T12:00Z", 7],
    ["nothing when the clock was set back", tick, "2026-11-30T11:00Z", "2026-11-30T10:20Z", undefined, 0],
    ["the newest at the very first start", tick, undefined, "2026-11-30T10:07Z", "2026-11-30T10:00Z", 0],
    ["a missed dream, once, in the morning", dream, "2026-11-28T01:00Z", "2026-11-30T08:00Z", "2026-11-30T01:00Z", 1],
    ["no dream that comes too late to be of use", dream, "2026-11-29T01:00Z", "2026-11-30T13:00Z", undefined, 1],
    ["nothing missed on a first start in the evening", dream, undefined, "2026-11-30T20:00Z", undefined, 0],
    [
      "no skipped daily job hours later",
      { ...dream, missed: "skip" },
      "2026-11-29T01:00Z",
      "2026-11-30T01:20Z",
      undefined,
      1,
    ],
    [
      "a skipped daily job a little late",
      { ...dream, missed: "skip" },
      "2026-11-29T01:00Z",
      "2026-11-30T01:10Z",
      "2026-11-30T01:00Z",
      0,
    ],
  ])("is %s", (_, job, after, now, run, missed) => {
    const due = dueSlot(job, after === undefined ? undefined : at(after), at(now), "UTC");
    expect(due.run).toEqual(run === undefined ? undefined : at(run));
    expect(due.missed).toHaveLength(missed);
  });

  it("counts a year of missed minutes without walking all of them", () => {
    const due = dueSlot({ ...tick, when: every(1) }, at("2025-11-30T00:00Z"), at("2026-11-30T00:00:30Z"), "UTC");
    expect(due.run).toEqual(at("2026-11-30T00:00Z"));
    expect(due.missed.length).toBe(999);
  });
});
