import { readFileSync } from "node:fs";
import fc from "fast-check";
import { DateTime } from "luxon";
import { describe, expect, it } from "vitest";
import { scoreTimes, timeCaseSchema } from "../../scripts/score-times.ts";
import { lunarDate, solarTerm } from "../../src/engine/natural-time/lunar.ts";
import { instantOf, parseWhen } from "../../src/engine/natural-time/parse-when.ts";
import { readTime, readTimes } from "../../src/engine/natural-time.ts";

const NOW = new Date("2026-03-11T14:20:00+08:00"); // a Wednesday
const ZONE = "Asia/Shanghai";
const at = (text: string, now = NOW, zone = ZONE): string | null => {
  const mention = readTime(text, now, zone);
  return mention && DateTime.fromJSDate(mention.start, { zone }).toFormat("yyyy-MM-dd HH:mm");
};

describe("the project's own cases", () => {
  const cases = readFileSync("test/fixtures/cases/times.jsonl", "utf8")
    .trim()
    .split("\n")
    .map((line) => timeCaseSchema.parse(JSON.parse(line)));

  it("are read right in at least 97 of 100, in each language at least 95, and never where there is no time", () => {
    const report = scoreTimes(cases);
    expect(report.misses.filter((m) => m.verdict === "spurious")).toEqual([]);
    expect(report.all.right / report.all.total).toBeGreaterThanOrEqual(0.97);
    for (const [, score] of report.byLang) expect(score.right / score.total).toBeGreaterThanOrEqual(0.95);
    expect(report.ends.right).toBe(report.ends.total);
  });
});

describe("the weekday that today is", () => {
  const friday = new Date("2026-12-04T11:04:00+08:00");

  it("with an hour that still lies ahead means today", () => {
    for (const text of [
      "周五17:00",
      "交周报 周五下午5点",
      "Friday 17:00",
      "friday at 5pm",
      "by Friday 5pm",
      "星期五 17点",
    ])
      expect(at(text, friday), text).toBe("2026-12-04 17:00");
  });

  it("with an hour that is over, without an hour, or of a week that is named means another", () => {
    expect(at("周五10:00", friday)).toBe("2026-12-11 10:00");
    expect(at("周五11:04", friday)).toBe("2026-12-11 11:04");
    expect(at("周五", friday)).toBe("2026-12-11 00:00");
    expect(at("Friday", friday)).toBe("2026-12-11 00:00");
    expect(at("下周五17:00", friday)).toBe("2026-12-11 17:00");
    expect(at("周四17:00", friday)).toBe("2026-12-10 17:00");
  });
});

describe("a time in a text", () => {
  it("keeps its words and its place in the original, whatever was folded to read it", () => {
    const text = "報告請在後天下午３：３０前給我";
    const mention = readTime(text, NOW, ZONE);
    expect(mention?.matched).toBe("在後天下午３：３０前");
    expect(text.slice(mention?.index, (mention?.index ?? 0) + (mention?.matched.length ?? 0))).toBe(mention?.matched);
    expect(mention?.mode).toBe("by");
  });

  it("is found with every other one, in their order and without overlap", () => {
    const found = readTimes("周五前交报价，下周一上午十点开会，昨天的纪要已发", NOW, ZONE);
    expect(found.map((m) => m.matched)).toEqual(["周五前", "下周一上午十点", "昨天"]);
    expect(found.map((m) => m.past)).toEqual([false, false, true]);
  });

  it("is not seen in versions, amounts, ratios, addresses, prices, or words that only sound like one", () => {
    for (const text of [
      "升级到版本 3.5",
      "来 2 个苹果",
      "比例是 3:1",
      "10.2.3.4:80 连不上",
      "一共 300 元",
      "再快一点",
      "第三点说得对",
      "一周两次",
      "you may go",
      "we march on",
      "she sat down",
      "room 204, page 12",
      "a second opinion",
      "call 555-0199",
    ])
      expect(readTime(text, NOW, ZONE), text).toBeNull();
  });

  it("is none when the calendar has no such day or clock no such hour", () => {
    for (const text of ["2月30日", "4月31号", "13月5号", "25点", "12点60分", "Feb 30", "25 o'clock", "2027年2月29日"])
      expect(readTime(text, NOW, ZONE), text).toBeNull();
  });

  it("waits for the next leap year when it is the 29th of February", () => {
    expect(at("2月29日")).toBe("2028-02-29 00:00");
  });

  it("of a mere length of time is read only when it is all there is", () => {
    expect(at("30分钟")).toBe("2026-03-11 14:50");
    expect(readTimes("会开了30分钟，路上45分钟", NOW, ZONE)).toEqual([]);
  });

  it("mixes the two languages freely", () => {
    expect(at("下周五 3pm")).toBe("2026-03-20 15:00");
    expect(at("明天 EOD 前")).toBe("2026-03-12 18:00");
    expect(at("next Monday 上午10点")).toBe("2026-03-16 10:00");
  });
});

describe("arithmetic", () => {
  it("runs hours by the clock and days by the calendar over a change of summer time", () => {
    const eve = new Date("2026-03-28T20:00:00+01:00");
    expect(readTime("in 12 hours", eve, "Europe/Berlin")?.start.toISOString()).toBe("2026-03-29T07:00:00.000Z");
    expect(readTime("tomorrow 9am", eve, "Europe/Berlin")?.start.toISOString()).toBe("2026-03-29T07:00:00.000Z");
    expect(readTime("in 1 day", eve, "Europe/Berlin")?.start.toISOString()).toBe("2026-03-28T23:00:00.000Z");
  });

  it("of the Chinese calendar holds where a new moon comes minutes before midnight", () => {
    // New Year 2027 begins by four minutes; runtimes' own calendars put it on the 7th.
    expect(lunarDate(2027, 1, 1)).toEqual({ year: 2027, month: 2, day: 6 });
    for (const [year, month, day] of [
      [2020, 1, 25],
      [2023, 1, 22],
      [2024, 2, 10],
      [2026, 2, 17],
      [2028, 1, 26],
      [2030, 2, 3],
      [2033, 1, 31],
    ] as const)
      expect(lunarDate(year, 1, 1)).toEqual({ year, month, day });
    expect(lunarDate(2025, 8, 15)).toEqual({ year: 2025, month: 10, day: 6 });
    expect(solarTerm(2017, 15)).toEqual({ year: 2017, month: 4, day: 4 });
    expect(solarTerm(2026, 270)).toEqual({ year: 2026, month: 12, day: 22 });
  });

  it("never answers with what is over, whatever the instant and the zone", () => {
    const texts = [
      "下午三点",
      "早上7点",
      "周三",
      "3月11日",
      "11号",
      "tonight",
      "at 8",
      "monday morning",
      "15:15",
      "中秋",
      "月底",
      "EOD",
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2035, 0) }),
        fc.constantFrom("Asia/Shanghai", "Europe/Berlin", "America/New_York", "Pacific/Auckland"),
        (text, millis, zone) => {
          const now = new Date(millis);
          const mention = readTime(text, now, zone);
          expect(mention).not.toBeNull();
          expect(mention?.until.getTime()).toBeGreaterThan(now.getTime());
        },
      ),
      { numRuns: 300 },
    );
  });

  it("never throws, and never says words that do not stand in the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 120 }), (text) => {
        for (const m of readTimes(text, NOW, ZONE))
          expect(text.slice(m.index, m.index + m.matched.length)).toBe(m.matched);
      }),
      { numRuns: 150 },
    );
  });

  it("is not held up by a megabyte of anything", { timeout: 60_000 }, () => {
    const started = process.cpuUsage();
    for (const part of ["1 ", "a", "3点", "1h ", "我周五要交报告", "\n"])
      readTimes(part.repeat(1_000_000 / part.length), NOW, ZONE);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(6_000);
  });
});

describe("a command's time", () => {
  const when = (text: string, now = NOW): string => {
    const result = parseWhen(text, now, ZONE);
    return result.ok ? DateTime.fromJSDate(result.at, { zone: ZONE }).toFormat("yyyy-MM-dd HH:mm") : result.problem;
  };

  it("is an instant: clock times as they are, bare days at nine", () => {
    expect(when("明天下午3点")).toBe("2026-03-12 15:00");
    expect(when("周五")).toBe("2026-03-13 09:00");
    expect(when("in 2h")).toBe("2026-03-11 16:20");
    expect(when("30分钟")).toBe("2026-03-11 14:50");
    expect(when("1h")).toBe("2026-03-11 15:20");
    expect(when("tonight")).toBe("2026-03-11 20:00");
    expect(when("next week")).toBe("2026-03-16 09:00");
  });

  it("of today is later today, and never in the past", () => {
    expect(when("今天")).toBe("2026-03-11 18:00");
    expect(when("today", new Date("2026-03-11T21:00:00+08:00"))).toBe("2026-03-11 22:00");
    expect(when("昨天")).toBe("past");
    expect(when("今天上午9点")).toBe("past");
  });

  it("says what was not understood", () => {
    expect(when("")).toBe("empty");
    expect(when("随便")).toBe("no_time");
    expect(parseWhen("明天下午3点 买菜", NOW, ZONE)).toMatchObject({
      ok: false,
      problem: "more_than_a_time",
      rest: "买菜",
    });
  });

  it("can have another hour for bare days", () => {
    const mention = readTime("周五", NOW, ZONE);
    expect(mention && instantOf(mention, NOW, ZONE, 8).toISOString()).toBe("2026-03-13T00:00:00.000Z");
  });
});
