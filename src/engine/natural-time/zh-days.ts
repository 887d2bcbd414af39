import type { Frame } from "./frame.ts";
import { HOLIDAY_NAMES, holidayOf } from "./holidays.ts";
import { readChineseNumber, ZH_NUMBER } from "./numbers.ts";
import { type Rule, rule } from "./rules.ts";

const num = readChineseNumber;
const WEEK = "(?:周|星期|礼拜|拜)";
const WEEKDAYS: Readonly<Record<string, number>> = { 一: 1, 二: 2, 三: 3, 四: 4, 五: 5, 六: 6, 日: 7, 天: 7, 末: 0 };

/** 上 -1, 这/本 0, 下 1, 下下 2 … */
export function shiftOf(word: string): number | undefined {
  if (word === "") return undefined;
  if (/^(?:这|本|当|今|呢|依)/.test(word)) return 0;
  const ups = word.split("上").length - 1;
  const downs = word.split("下").length - 1;
  return ups > 0 ? -ups : Math.max(downs, 1);
}

const SHIFT = "((?:这|本|当|呢|上{1,2}|下{1,3})(?:一|1)?个?)";

/** A weekday, with the week it is in when that is said. */
function weekdayFrame(shift: string, day: string): Frame {
  const weekday = /[1-7]/.test(day) ? Number(day) : (WEEKDAYS[day] ?? 7);
  const weekShift = shiftOf(shift);
  return weekShift === undefined ? { weekday } : { weekday, weekShift };
}

const day = (n: number | undefined): number | undefined => (n !== undefined && n >= 1 && n <= 31 ? n : undefined);

/** 第3号, 13月5号: what stands before makes it no day of the month. */
const notADay = (text: string, at: number): boolean =>
  /(?:[第\d几每-]|[\d一二三四五六七八九十]月)$/.test(text.slice(Math.max(0, at - 2), at));

/** Nouns that make "3号" a name (a building, a line, a model) and no day. */
const NOT_A_DAY = "(?![楼线机门馆厅桌位电文院店选球库床柜房仓台员码位牌井岛坑车厢])";

const RELATIVE: readonly (readonly [words: string, frame: Frame])[] = [
  ["今早|今晨|今朝早|今朝|今日朝早", { dayShift: 0, part: "morning" }],
  ["今晚黑|今晚上|今晚|今夜|今日夜晚|当晚", { dayShift: 0, part: "evening" }],
  ["今天|今日|今儿个|今儿|当天|即日", { dayShift: 0 }],
  ["明早上|明早|明晨|明朝|听朝早|听朝|明儿早", { dayShift: 1, part: "morning" }],
  ["明晚上|明晚|明夜|听晚", { dayShift: 1, part: "evening" }],
  ["明天|明日|明儿个|明儿|听日", { dayShift: 1 }],
  ["大大后天|大大后日", { dayShift: 4 }],
  ["大后天|大后日|大后儿", { dayShift: 3 }],
  ["后天|后日|后儿个|后儿", { dayShift: 2 }],
  ["大前天|大前日", { dayShift: -3 }],
  ["前天|前日|前儿", { dayShift: -2 }],
  ["昨晚|昨夜|寻晚", { dayShift: -1, part: "evening" }],
  ["昨天|昨日|昨儿|寻日|噚日", { dayShift: -1 }],
];

const UNIT_SHIFTS: readonly (readonly [string, Frame])[] = [
  ["大后年", { yearShift: 3 }],
  ["后年", { yearShift: 2 }],
  ["明年|来年", { yearShift: 1 }],
  ["今年|本年|当年", { yearShift: 0 }],
  ["去年", { yearShift: -1 }],
];

/** 农历八月十五, 正月初五, 腊月二十三. */
function lunarFrame(month: string, dayWord: string): Frame | undefined {
  const name: Readonly<Record<string, number>> = { 正: 1, 冬: 11, 腊: 12 };
  const m = name[month] ?? num(month);
  const d = num(dayWord.replace("初", ""));
  return m && d && m <= 12 && d <= 30 ? { lunar: { month: m, day: d } } : undefined;
}

const EDGES: readonly (readonly [string, NonNullable<Frame["edge"]>["at"]])[] = [
  ["初|头", "start"],
  ["中", "middle"],
  ["底|末|尾", "end"],
];
const edgeAt = (word: string): NonNullable<Frame["edge"]>["at"] =>
  EDGES.find(([words]) => words.split("|").includes(word))?.[1] ?? "end";

/** Days, weeks, months and years as Chinese names them. */
export const ZH_DAYS: readonly Rule[] = [
  ...RELATIVE.map(([words, frame]) => rule("relative day", `(?:${words})`, () => frame)),
  // 今/明 alone only before a part of the day ("明下午") or at the end of 截至今.
  rule("tomorrow, short", "(今|明|后)(?=(?:上午|下午|中午|凌晨|傍晚))", (v) => ({
    dayShift: v(1) === "今" ? 0 : v(1) === "明" ? 1 : 2,
  })),
  ...UNIT_SHIFTS.map(([words, frame]) => rule("relative year", `(?:${words})(?!级|生|纪|会|度)`, () => frame)),
  rule(
    "full date",
    `(\\d{4}|[零〇一二三四五六七八九]{4})\\s?年\\s?(${ZH_NUMBER})\\s?月份?的?\\s?(${ZH_NUMBER})\\s?(?:日|号)`,
    (v) => dateFrame(num(v(1)), num(v(2)), num(v(3))),
  ),
  rule("short full date", `(\\d{2})年(\\d{1,2})月(\\d{1,2})(?:日|号)`, (v) =>
    dateFrame(2000 + Number(v(1)), num(v(2)), num(v(3))),
  ),
  rule("year and month", `(\\d{4}|[零〇一二三四五六七八九]{4})年的?(${ZH_NUMBER})月份?`, (v) =>
    monthFrame(num(v(1)), num(v(2))),
  ),
  rule("year", `(\\d{4}|[零〇一二三四五六七八九]{4})年(?!级|代|生|底|初|末|中|前|来|后|间|的)`, (v) => ({
    year: num(v(1)) ?? 0,
  })),
  rule("year before more", `(\\d{4}|[零〇一二三四五六七八九]{4})年(?=底|初|末|的|中)的?`, (v) => ({
    year: num(v(1)) ?? 0,
  })),
  rule("month and day", `(${ZH_NUMBER})\\s?月份?的?\\s?(${ZH_NUMBER})\\s?(?:日|号)`, (v) =>
    dateFrame(undefined, num(v(1)), num(v(2))),
  ),
  rule("month and day, short", `(\\d{1,2})月(\\d{1,2})(?![\\d月个份.])`, (v) =>
    dateFrame(undefined, num(v(1)), num(v(2))),
  ),
  rule(
    "month and day, no 号",
    "(十?[一二三四五六七八九]|十)月(三十一?|[一二]?十[一二三四五六七八九]?)(?=$|[\\s,，。、!！]|之?前|晚|早|上午|下午)",
    (v) => dateFrame(undefined, num(v(1)), num(v(2))),
  ),
  rule("month", `(${ZH_NUMBER})\\s?月份?(?!饼|亮|球|经|票|薪|供|卡|租|嫂|子|神)`, (v) =>
    monthFrame(undefined, num(v(1))),
  ),
  rule("one month among weeks", `(\\d{1,2}|十?[一二三四五六七八九]|十)月(底|初|末|中|头|尾)`, (v) => {
    const month = monthFrame(undefined, num(v(1)));
    return month && { ...month, edge: { at: edgeAt(v(2)), of: "month" } };
  }),
  rule("third of a month", "(?:份)?的?(上|中|下)旬", (v) => ({
    edge: { at: v(1) === "上" ? "early" : v(1) === "中" ? "middle" : "late", of: "month" },
  })),
  rule("relative month and edge", `${SHIFT}?月(初|头|中旬|中|底|末|尾)`, (v) => {
    const monthShift = shiftOf(v(1));
    const edge = { at: edgeAt(v(2).charAt(0)), of: "month" as const };
    return monthShift === undefined ? { edge } : { monthShift, edge };
  }),
  rule("relative month", `${SHIFT}月份?的?`, (v) => ({ monthShift: shiftOf(v(1)) ?? 0 })),
  rule("edge of year", "(?<=年)的?年?(底|末|初|中)(?!学|考|国|文|介)", (v) => ({
    edge: { at: edgeAt(v(1)), of: "year" },
  })),
  rule("edge of a year, alone", "年(底|末|初|中)(?!学|考|奖)", (v) => ({ edge: { at: edgeAt(v(1)), of: "year" } })),
  rule("half year", "(?:年)?的?(上|下)半年", (v) => ({ halfYear: v(1) === "上" ? 1 : 2 })),
  rule("quarter", "第?(一|二|三|四|1|2|3|4)季度?(?:的)?(初|末|底)?", (v) => {
    const quarter = num(v(1)) ?? 1;
    return v(2) ? { quarter, edge: { at: edgeAt(v(2)), of: "quarter" } } : { quarter };
  }),
  rule("relative quarter", `${SHIFT}季度?(?:的)?(初|末|底)?`, (v) => {
    const quarterShift = shiftOf(v(1)) ?? 0;
    return v(2) ? { quarterShift, edge: { at: edgeAt(v(2)), of: "quarter" } } : { quarterShift };
  }),
  rule("edge of the quarter", "季度?(初|末|底)", (v) => ({ edge: { at: edgeAt(v(1)), of: "quarter" } })),
  rule("day", `(${ZH_NUMBER})号${NOT_A_DAY}`, (v, text, at) => {
    if (notADay(text, at.from)) return undefined;
    const d = day(num(v(1)));
    return d === undefined ? undefined : { day: d };
  }),
  rule("day, formal", `(${ZH_NUMBER})日(?!本|元|志|常|报|程|式|语|文|剧|均|内|后|前|之|以)`, (v, text, at) => {
    if (notADay(text, at.from)) return undefined;
    const d = day(num(v(1)));
    return d === undefined ? undefined : { day: d };
  }),
  rule("formal deadline day", "(\\d{1,2})日(?=之?前|以前|为止)", (v) => {
    const d = day(num(v(1)));
    return d === undefined ? undefined : { day: d };
  }),
  rule("end of the week", `${SHIFT}?${WEEK}(?:末|尾)`, (v) => {
    const weekShift = shiftOf(v(1));
    return weekShift === undefined ? { weekend: true } : { weekend: true, weekShift };
  }),
  rule(
    "weekday",
    `${SHIFT}?${WEEK}([一二三四五六日天]|[1-7](?!\\d))(?![次天遍回个期件样项场篇条位])`,
    (v, text, at) => {
      if (
        v(1) === "" &&
        /[一二两三四五六七八九十\d几半]/.test(text.charAt(at.from - 1)) &&
        !/[周期拜]/.test(text.charAt(at.from - 2))
      )
        return undefined;
      return weekdayFrame(v(1), v(2));
    },
  ),
  rule("week", `${SHIFT}${WEEK}(?![一二三四五六日天末])(初|头|中)?(?!会|报|刊|期)`, (v) => {
    const weekShift = shiftOf(v(1)) ?? 0;
    return v(2) ? { weekShift, edge: { at: v(2) === "中" ? "middle" : "early", of: "week" } } : { weekShift };
  }),
  rule("week and report", `${SHIFT}${WEEK}(?=会|报)`, (v) => ({ weekShift: shiftOf(v(1)) ?? 0 })),
  rule("nth weekday", `的?(?:第(${ZH_NUMBER})|(最后一|首))个?(?:周|星期|礼拜)([一二三四五六日天])`, (v) => ({
    nth: { n: v(1) ? (num(v(1)) ?? 1) : v(2) === "首" ? 1 : -1, what: WEEKDAYS[v(3)] ?? 7 },
  })),
  rule(
    "nth week",
    `(?<=[月年])份?的?(?:第(${ZH_NUMBER})|(最后一))个?(周|星期|礼拜|天|日)(?![一二三四五六日])`,
    (v) => ({
      nth: { n: v(1) ? (num(v(1)) ?? 1) : -1, what: /天|日/.test(v(3)) ? "day" : "week" },
    }),
  ),
  rule("last day", "(?<=[月年])份?的?最后一天", () => ({ nth: { n: -1, what: "day" } })),
  rule(
    "lunar",
    "(?:农历|阴历|旧历)的?(正|冬|腊|十?[一二三四五六七八九]|十)月(初[一二三四五六七八九十]|[一二三]?十[一二三四五六七八九]?|廿[一二三四五六七八九]?|\\d{1,2})",
    (v) => lunarFrame(v(1), v(2)),
  ),
  rule(
    "lunar by its month",
    "(正|冬|腊)月(初[一二三四五六七八九十]|[二三]?十[一二三四五六七八九]?|廿[一二三四五六七八九]?)",
    (v) => lunarFrame(v(1), v(2)),
  ),
  rule("lunar by its day", "((?:十?[一二三四五六七八九]|十)月)(初[一二三四五六七八九十])", (v) =>
    lunarFrame(v(1).replace("月", ""), v(2)),
  ),
  rule(
    "national day by its figures",
    "(?<![\\d一二三四五六七八九十第周期拜点月双零〇])十一(?=之?前|期间|放假|长假|假期)",
    () => ({
      holiday: "national",
    }),
  ),
  rule("new year's days", "(?:大年|年|正月)(初[一二三四五六七八九十])", (v) => lunarFrame("正", v(1))),
  rule(
    "holiday",
    `(?:${HOLIDAY_NAMES.filter((n) => /[^\x00-\x7f]/.test(n)).join("|")})(?:当天|那天|那日|假期|长假)?(?![路街村镇]|广场|大道|小学|中学|桥)`,
    (_v, text, at) => {
      const written = text.slice(at.from, at.to).replace(/(?:当天|那天|那日|假期|长假)$/, "");
      const holiday = holidayOf(written) ?? holidayOf(text.slice(at.from, at.to));
      return holiday && { holiday };
    },
  ),
];

function dateFrame(year: number | undefined, month: number | undefined, d: number | undefined): Frame | undefined {
  if (month === undefined || d === undefined || month < 1 || month > 12 || d < 1 || d > 31) return undefined;
  return year === undefined ? { month, day: d } : { year, month, day: d };
}

function monthFrame(year: number | undefined, month: number | undefined): Frame | undefined {
  if (month === undefined || month < 1 || month > 12) return undefined;
  return year === undefined ? { month } : { year, month };
}
