import fc from "fast-check";
import { DateTime } from "luxon";
import { describe, expect, it } from "vitest";
import { isActive } from "../../../src/engine/active-window.ts";
import { type SnoozeChoice, snoozeChoices, snoozeUntil } from "../../../src/engine/tracking/snooze-until.ts";

const window = { activeFrom: "09:00", activeUntil: "21:30" };

describe("a snooze", () => {
  it.each<[string, SnoozeChoice, string, string, string]>([
    ["an hour is an hour", "1h", "2026-11-30T10:20", "2026-11-30T11:20", "Asia/Shanghai"],
    ["an hour into the quiet hours ends with them", "1h", "2026-11-30T20:45", "2026-12-01T09:00", "Asia/Shanghai"],
    ["an hour before they begin stays", "1h", "2026-11-30T20:29", "2026-11-30T21:29", "Asia/Shanghai"],
    ["this evening is 18:00", "evening", "2026-11-30T10:00", "2026-11-30T18:00", "Asia/Shanghai"],
    ["this evening, said at 17:59, is still 18:00", "evening", "2026-11-30T17:59", "2026-11-30T18:00", "Asia/Shanghai"],
    [
      "this evening, said in the evening, is three hours later",
      "evening",
      "2026-11-30T18:00",
      "2026-11-30T21:00",
      "Asia/Shanghai",
    ],
    ["and not in the night", "evening", "2026-11-30T20:00", "2026-12-01T09:00", "Asia/Shanghai"],
    ["tomorrow is 09:00", "tomorrow", "2026-11-30T23:59", "2026-12-01T09:00", "Asia/Shanghai"],
    [
      "tomorrow, said after midnight, is the next day",
      "tomorrow",
      "2026-12-01T00:01",
      "2026-12-02T09:00",
      "Asia/Shanghai",
    ],
    [
      "next week, said on Monday, is Monday in a week",
      "next_week",
      "2026-11-30T08:00",
      "2026-12-07T09:00",
      "Asia/Shanghai",
    ],
    ["next week, said on Sunday, is tomorrow", "next_week", "2026-12-06T10:00", "2026-12-07T09:00", "Asia/Shanghai"],
    ["tomorrow over the spring shift is 09:00", "tomorrow", "2026-03-28T12:00", "2026-03-29T09:00", "Europe/Berlin"],
    ["tomorrow over the autumn shift is 09:00", "tomorrow", "2026-10-24T12:00", "2026-10-25T09:00", "Europe/Berlin"],
  ])("%s", (_, choice, now, expected, zone) => {
    const until = snoozeUntil(choice, DateTime.fromISO(now, { zone }).toJSDate(), zone, window);
    expect(DateTime.fromJSDate(until, { zone }).toFormat("yyyy-MM-dd'T'HH:mm")).toBe(expected);
  });

  it("moves tomorrow to the opening of a window that opens later than nine", () => {
    const late = { activeFrom: "11:00", activeUntil: "20:00" };
    expect(snoozeUntil("tomorrow", new Date("2026-11-30T02:00Z"), "Asia/Shanghai", late)).toEqual(
      new Date("2026-12-01T03:00Z"),
    );
  });

  it("always ends in the future, inside the window, within nine days", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...snoozeChoices),
        fc.date({ min: new Date("2025-01-01"), max: new Date("2028-01-01"), noInvalidDate: true }),
        fc.constantFrom("Asia/Shanghai", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"),
        (choice, now, zone) => {
          const until = snoozeUntil(choice, now, zone, window);
          expect(until > now).toBe(true);
          expect(until.getTime() - now.getTime()).toBeLessThan(9 * 86_400_000);
          expect(isActive(until, zone, window)).toBe(true);
        },
      ),
    );
  });
});
