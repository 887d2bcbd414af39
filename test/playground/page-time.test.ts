import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatChatTime,
  formatLocal,
  formatMessageTime,
  formatStamp,
  instantOf,
  wallClock,
} from "../../src/playground/page/format-time.ts";
import { monthPage, offsetLabel, parsePicked, writePicked } from "../../src/playground/page/picked-time.ts";
import { jumpTarget } from "../../src/playground/page/time-jumps.ts";

const SHANGHAI = { language: "zh_cn", timeZone: "Asia/Shanghai" } as const;
const NEW_YORK = { language: "en_us", timeZone: "America/New_York" } as const;
const at = (iso: string): number => Date.parse(iso);
/** Newer Node versions put a narrow space before AM and PM. */
const plain = (text: string): string => text.replace(/\s/g, " ");

describe("times on cards", () => {
  const moment = at("2026-11-30T01:41:05Z");

  test.each([
    ["date_num", "2026-11-30", "11/29/2026"],
    ["date", "2026年11月30日", "Nov 29, 2026"],
    ["date_short", "11月30日", "Nov 29"],
    ["week", "星期一", "Sunday"],
    ["time", "09:41", "20:41"],
    ["time_sec", "09:41:05", "20:41:05"],
    ["timezone", "GMT+8", "GMT-5"],
  ])("%s follows the reader's zone and language", (format, zh, en) => {
    expect(formatLocal(moment, format, SHANGHAI)).toBe(zh);
    expect(plain(formatLocal(moment, format, NEW_YORK))).toBe(en);
  });

  test("an instant that is none shows nothing", () => {
    expect(formatLocal(Number.NaN, "date", SHANGHAI)).toBe("");
  });
});

describe("times in the chat list", () => {
  const now = at("2026-11-30T01:41:00Z");

  test.each([
    ["2026-11-30T00:05:00Z", "08:05", "08:05"],
    ["2026-11-29T15:59:00Z", "昨天", "昨天 23:59"],
    ["2026-11-27T02:00:00Z", "周五", "周五 10:00"],
    ["2026-10-01T02:00:00Z", "10月1日", "10月1日 10:00"],
  ])("%s", (iso, short, long) => {
    expect(formatChatTime(at(iso), now, SHANGHAI)).toBe(short);
    expect(formatMessageTime(at(iso), now, SHANGHAI)).toBe(long);
  });
});

test("stamps in tables are short, exact and in 24 hours", () => {
  const now = at("2026-11-30T01:41:00Z");
  expect(formatStamp(at("2026-11-30T07:05:00Z"), now, SHANGHAI)).toBe("15:05");
  expect(formatStamp(at("2026-12-01T07:00:00Z"), now, SHANGHAI)).toBe("12/1 15:00");
  expect(formatStamp(at("2026-12-01T07:00:00Z"), now, { ...SHANGHAI, language: "en_us" })).toBe("Dec 1 15:00");
  expect(formatStamp(at("2026-11-29T16:00:00Z"), now, SHANGHAI)).toBe("00:00");
});

describe("the time machine", () => {
  test.each([
    ["hour", "2026-11-30T01:41:00Z", "2026-11-30T02:41:00Z"],
    ["tonight", "2026-11-30T01:41:00Z", "2026-11-30T11:00:00Z"],
    ["tonight", "2026-11-30T11:00:00Z", "2026-12-01T11:00:00Z"],
    ["morning", "2026-11-30T01:41:00Z", "2026-12-01T01:00:00Z"],
    ["morning", "2026-11-29T16:30:00Z", "2026-12-01T01:00:00Z"],
    ["day", "2026-11-30T01:41:00Z", "2026-12-01T01:41:00Z"],
    ["week", "2026-11-30T01:41:00Z", "2026-12-07T01:41:00Z"],
  ] as const)("%s from %s leads to %s", (jump, from, to) => {
    expect(new Date(jumpTarget(jump, at(from), "Asia/Shanghai")).toISOString()).toBe(
      at(to) ? new Date(at(to)).toISOString() : "",
    );
  });

  test("a day and a week keep the wall clock over a change of the clocks", () => {
    const before = at("2026-10-31T13:00:00Z"); // 09:00 in New York, the night before its clocks go back
    expect(wallClock(jumpTarget("day", before, "America/New_York"), "America/New_York")).toMatchObject({
      day: 1,
      hour: 9,
    });
    expect(wallClock(jumpTarget("week", before, "America/New_York"), "America/New_York")).toMatchObject({
      day: 7,
      hour: 9,
    });
  });

  test("only ever leads forward", () => {
    const zones = fc.constantFrom(
      "Asia/Shanghai",
      "America/New_York",
      "Europe/London",
      "Asia/Kathmandu",
      "Pacific/Apia",
    );
    const instants = fc.integer({ min: at("2025-01-01T00:00:00Z"), max: at("2030-01-01T00:00:00Z") });
    fc.assert(
      fc.property(fc.constantFrom("hour", "tonight", "morning", "day", "week"), instants, zones, (jump, now, zone) => {
        // A day back to the full minute is still later than any second of that minute.
        expect(jumpTarget(jump, now, zone)).toBeGreaterThan(now);
      }),
    );
  });
});

describe("what pickers say", () => {
  test.each([
    ["date", "2026-02-28", true],
    ["date", "2026-02-28 +0800", true],
    ["date", "2026-02-30", false],
    ["date", "2026-02-28 10:00", false],
    ["time", "09:30", true],
    ["time", "24:00", false],
    ["datetime", "2026-02-28 09:30", true],
    ["datetime", "2026-02-28", false],
    ["datetime", "", false],
  ] as const)("a %s picker reads %s: %s", (kind, text, isRead) => {
    const picked = parsePicked(kind, text);
    expect(picked !== undefined).toBe(isRead);
    if (picked) expect(text.startsWith(writePicked(kind, picked))).toBe(true);
  });

  test("the offset is that of the picked day", () => {
    const july = { year: 2026, month: 7, day: 1, hour: 9, minute: 0 };
    expect(offsetLabel(july, "Asia/Shanghai")).toBe("+0800");
    expect(offsetLabel(july, "America/New_York")).toBe("-0400");
    expect(offsetLabel({ ...july, month: 12 }, "America/New_York")).toBe("-0500");
    expect(offsetLabel(july, "Asia/Kathmandu")).toBe("+0545");
  });

  test("a month's page starts on Monday and holds each of its days once", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2000, max: 2100 }), fc.integer({ min: 1, max: 12 }), (year, month) => {
        const weeks = monthPage(year, month);
        const days = weeks.flat().filter((day) => day.inMonth);
        expect(weeks.every((week) => week.length === 7)).toBe(true);
        expect(days.map((day) => day.day)).toEqual(Array.from({ length: days.length }, (_, index) => index + 1));
        expect(days.length).toBe(new Date(Date.UTC(year, month, 0)).getUTCDate());
        const monday = weeks[0]?.[0];
        expect(new Date(Date.UTC(monday?.year ?? 0, (monday?.month ?? 1) - 1, monday?.day ?? 0)).getUTCDay()).toBe(1);
      }),
    );
  });

  test("a wall clock leads back to its instant in every zone", () => {
    const zones = fc.constantFrom("Asia/Shanghai", "Asia/Kathmandu", "America/Sao_Paulo", "Asia/Tokyo");
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000_000 }), zones, (quarters, zone) => {
        const instant = at("2025-01-01T00:00:00Z") + quarters * 900;
        const minute = Math.floor(instant / 60_000) * 60_000;
        expect(instantOf(wallClock(minute, zone), zone)).toBe(minute);
      }),
    );
  });
});
