import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatFor } from "../../src/cards/format.ts";
import { hours, NOW } from "./looks.ts";

const zh = formatFor({ language: "zh", zone: "Asia/Shanghai", now: NOW });
const en = formatFor({ language: "en", zone: "Asia/Shanghai", now: NOW });

test.each([
  [hours(3.5), "今天 18:00", "today 18:00"],
  [hours(18.5), "明天 09:00", "tomorrow 09:00"],
  [hours(42.5), "后天 09:00", "Thu 8 May, 09:00"],
  [hours(-20.5), "昨天 18:00", "yesterday 18:00"],
  [hours(-14.5), "今天 00:00", "today 00:00"],
  [hours(66.5), "5月9日 周五 09:00", "Fri 9 May, 09:00"],
  [new Date("2024-12-31T16:30:00Z"), "1月1日 周三 00:30", "Wed 1 Jan, 00:30"],
  [new Date("2024-12-31T15:30:00Z"), "2024年12月31日 23:30", "31 Dec 2024, 23:30"],
])("an instant is named by the day it falls on in the reader's zone (%s)", (at, chinese, english) => {
  expect(zh.when(at)).toBe(chinese);
  expect(en.when(at)).toBe(english);
});

test.each([
  [hours(2), "2 小时后", "in 2 hours"],
  [hours(1), "1 小时后", "in 1 hour"],
  [hours(-0.5), "30 分钟前", "30 minutes ago"],
  [hours(-72), "3 天前", "3 days ago"],
  [hours(30), "1 天后", "in 1 day"],
  [hours(24 * 30), "4 周后", "in 4 weeks"],
  [hours(-24 * 90), "3 个月前", "3 months ago"],
  [hours(0.005), "马上", "any moment"],
  [hours(-0.005), "刚刚", "just now"],
])("a distance is named in its largest unit (%s)", (at, chinese, english) => {
  expect(zh.fromNow(at)).toBe(chinese);
  expect(en.fromNow(at)).toBe(english);
});

test("what was set two hours ahead a few seconds ago still reads as in two hours", () => {
  expect(zh.fromNow(new Date(hours(2).getTime() - 4_000))).toBe("2 小时后");
});

test("what stays on screen is named by its date, not by words that age", () => {
  expect(zh.moment(hours(-0.1))).toBe("5月6日 14:24");
  expect(en.moment(hours(-0.1))).toBe("6 May, 14:24");
  expect(zh.upcoming(hours(18.5))).toBe("5月7日 周三 09:00（18 小时后）");
  expect(en.upcoming(hours(18.5))).toBe("Wed 7 May, 09:00 (in 18 hours)");
  expect(zh.moment(hours(-24 * 365))).toBe("2024年5月6日 14:30");
});

test("a day without an hour is named with how near it is", () => {
  expect([0, 24, -24, 72].map((n) => zh.upcomingDay(hours(n), false))).toEqual([
    "5月6日 周二（今天）",
    "5月7日 周三（明天）",
    "5月5日 周一（昨天）",
    "5月9日 周五",
  ]);
  expect(zh.upcomingDay(hours(72), true)).toBe("5月9日 周五前后");
  expect(en.upcomingDay(hours(72), true)).toBe("around Fri 9 May");
});

test("tomorrow is the next calendar day also where the clocks change", () => {
  const reading = { language: "en", zone: "Europe/Berlin", now: new Date("2025-03-29T22:30:00Z") } as const;
  expect(formatFor(reading).when(new Date("2025-03-30T21:30:00Z"))).toBe("tomorrow 23:30");
  expect(formatFor(reading).when(new Date("2025-03-30T22:30:00Z"))).toBe("Mon 31 Mar, 00:30");
});

describe("no date can lose a card", () => {
  test("an invalid one reads as a question mark", () => {
    const bad = new Date(Number.NaN);
    expect([zh.when(bad), zh.day(bad), zh.moment(bad), zh.fromNow(bad)]).toEqual(["?", "?", "?", "?"]);
    expect(zh.age(bad)).toBe("0 秒");
  });

  test("any other reads as some words", () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (at) => {
        for (const format of [zh, en]) {
          for (const said of [
            format.when(at),
            format.upcoming(at),
            format.moment(at),
            format.upcomingDay(at, false),
            format.age(at),
            format.day(at),
          ]) {
            expect(said).not.toMatch(/undefined|NaN|\?|^$/);
          }
        }
      }),
    );
  });
});
