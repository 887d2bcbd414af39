import type { ClockTime, DayPart, Frame, Span } from "./frame.ts";
import { readChineseNumber, ZH_NUMBER } from "./numbers.ts";
import { type Reading, type Rule, rule } from "./rules.ts";

const num = readChineseNumber;

const PARTS: readonly (readonly [words: string, part: DayPart])[] = [
  ["凌晨", "small_hours"],
  ["一大早|一大清早|大清早|大早上|清早|清晨|一早|早晨|黎明|天亮", "early_morning"],
  ["早上|早间|朝头早|朝早|晨间", "morning"],
  ["上午|午前|上昼", "forenoon"],
  ["中午|正午|晌午|晏昼头", "noon"],
  ["午间|午休|午饭时", "lunch"],
  ["下午|午后|下昼|晏昼|后晌", "afternoon"],
  ["傍晚|黄昏|天黑前|入夜", "dusk"],
  ["晚上|晚间|夜里|夜间|夜晚黑|夜晚|晚黑|入夜后|大晚上", "evening"],
  ["半夜|深夜|午夜|三更半夜|大半夜", "night"],
  ["下班后|下班时|下班", "end_of_work"],
];
/** Parts that are themselves a deadline. */
const BEFORE_PARTS: readonly (readonly [words: string, part: DayPart])[] = [
  ["下班之?前|收工之?前|放工之?前", "end_of_work"],
  ["睡觉?之?前", "evening"],
  ["午饭之?前|中午之?前", "noon"],
  ["上班之?前|上课之?前|上学之?前|早饭之?前", "morning"],
];

/** One letter parts (早, 晚) stand only right after a day or right before a number: 周五晚, 晚8点. */
const SHORT_PARTS: Readonly<Record<string, DayPart>> = { 早: "morning", 晚: "evening", 夜: "evening", 晨: "morning" };

/** What may follow "3点" when nothing else shows that a clock is meant; "三点建议" and "快一点" are none. */
const AFTER_CLOCK =
  /^(?:$|[\s,，。.!！?？;；、:：~()（）"”』」-]|[前后之以左右到至整开来去叫提要有在见走出上下起回集我吃睡打和跟约喊做交还就能准可先看给再吧呢啊发面会过截跑结])/;

/** What before "一点" shows that an amount is meant. */
const BEFORE_AMOUNT = /[快慢早晚多少有好大小高低远近轻重差第这那几哪百早晚]$/;

function hourFrame(
  hourWord: string,
  minute: number,
  text: string,
  at: { from: number; to: number },
  sure: boolean,
): Reading | undefined {
  const hour = num(hourWord);
  if (hour === undefined || hour > 24 || minute > 59) return undefined;
  const clock: ClockTime = { hour, minute };
  if (/^0\d$/.test(hourWord) || hourWord.startsWith("零")) clock.half = "exact";
  if (sure) return { clock };
  const before = text.slice(Math.max(0, at.from - 1), at.from);
  const after = text.slice(at.to, at.to + 1);
  // "主要三点", "以下两点" are points made.
  if (
    BEFORE_AMOUNT.test(before) ||
    /(?:主要|以下|如下|总共|一共|分)$/.test(text.slice(Math.max(0, at.from - 2), at.from))
  )
    return { frame: { clock }, latent: true };
  if (/^[一两]$/.test(hourWord) && at.from > 0) return { frame: { clock }, latent: true };
  return AFTER_CLOCK.test(after) ? { clock } : { frame: { clock }, latent: true };
}

const QUARTERS: Readonly<Record<string, number>> = { 一: 15, 三: 45, "1": 15, "3": 45, 两: 30 };

/** Clock times and parts of the day as Chinese says them. */
export const ZH_CLOCK: readonly Rule[] = [
  ...PARTS.map(([words, part]) => rule("part of day", `的?(?:${words})`, () => ({ part }))),
  ...BEFORE_PARTS.map(([words, part]) => rule("before a part", `的?(?:${words})`, () => ({ part, mode: "by" }))),
  rule(
    "short part",
    "(?<!最)([早晚夜晨])(?=\\s?(?:\\d|[一二两三四五六七八九十]{1,3}[点时]))(?!一点(?![半钟整\\d一二三四五]))",
    (v) => ({
      part: SHORT_PARTS[v(1)] ?? "evening",
    }),
  ),
  rule(
    "short part after a day",
    "(?<=[号日一二三四五六天末节夕])([早晚夜])(?!会|饭|餐|一点|点|了|安|班|报|上)",
    (v) => ({
      part: SHORT_PARTS[v(1)] ?? "evening",
    }),
  ),
  // 早自习 7:10: a class tells which half of the day.
  rule("class in the morning", "(?:早自习|早读|晨读|早课)", () => ({ frame: { part: "morning" }, latent: true })),
  rule("class in the evening", "(?:晚自习|晚课|夜校)", () => ({ frame: { part: "evening" }, latent: true })),
  rule("class on a morning", "(明|今)早(?:自习|读|课)", (v) => ({ dayShift: v(1) === "明" ? 1 : 0, part: "morning" })),
  rule("hour and quarter", `(${ZH_NUMBER})点钟?过?([一三13两])刻`, (v, text, at) =>
    hourFrame(v(1), QUARTERS[v(2)] ?? 15, text, at, true),
  ),
  rule("half past", `(${ZH_NUMBER})\\s?点钟?\\s?半(?!天|个|数)`, (v, text, at) => hourFrame(v(1), 30, text, at, true)),
  rule(
    "hour and minutes",
    `(${ZH_NUMBER})\\s?(?:点钟?|时)过?零?\\s?(${ZH_NUMBER})\\s?分(?!之|钟后|钟内)`,
    (v, text, at) => hourFrame(v(1), num(v(2)) ?? 99, text, at, true),
  ),
  rule(
    "hour and minutes, short",
    `(${ZH_NUMBER})点(\\d{2}|[一二三四五]?十[一二三四五六七八九]?|零[一二三四五六七八九])(?![\\d%个万块元])`,
    (v, text, at) => hourFrame(v(1), num(v(2)) ?? 99, text, at, true),
  ),
  rule("hour and few minutes", `(${ZH_NUMBER})\\s?点零(\\d)分?(?!\\d)`, (v, text, at) =>
    hourFrame(v(1), Number(v(2)), text, at, true),
  ),
  rule(
    "the same time of day",
    "的?(?:(?:这个|同一个?|同样的?)(?:时候|时间|时刻|钟点)|这会儿?|这时候|此时|这个点)",
    (): Reading => ({ frame: { sameClock: true }, latent: true, lone: false }),
  ),
  // Cantonese counts minutes in marks of five: 三點三個字 = 3:15, 三點踏三 = 3:15.
  rule(
    "hour and marks",
    `(${ZH_NUMBER})点(?:([一二三四五六七八九十\\d]{1,2})个字|[踏搭]([一二三四五六七八九十\\d]{1,2}))`,
    (v, text, at) => hourFrame(v(1), (num(v(2) || v(3)) ?? 12) * 5, text, at, true),
  ),
  rule("minutes to", `差(${ZH_NUMBER})(分钟?|刻钟?)(?:到)?(${ZH_NUMBER})点`, (v, text, at) => {
    const minutes = (num(v(1)) ?? 0) * (v(2).startsWith("刻") ? 15 : 1);
    const hour = num(v(3));
    if (hour === undefined || minutes < 1 || minutes > 59) return undefined;
    return hourFrame(String(hour === 0 ? 23 : hour - 1), 60 - minutes, text, at, true);
  }),
  rule("hour sharp", `(${ZH_NUMBER})(?:点钟|点整|时整|点正)`, (v, text, at) => hourFrame(v(1), 0, text, at, true)),
  rule("about the hour", `(${ZH_NUMBER})点(?:多|左右|上下|许)`, (v, text, at) => hourFrame(v(1), 0, text, at, true)),
  rule("hour", `(${ZH_NUMBER})\\s?点(?!子|评|赞|名|击|心|缀|单|菜|\\d|球|火|头|数)`, (v, text, at) =>
    hourFrame(v(1), 0, text, at, false),
  ),
  rule(
    "hour, formal",
    `(\\d{1,2}|[一二三四五六七八九十]{1,3})时(?!间|候|常|代|装|差|光|刻|区|机|段|速)`,
    (v, text, at) => {
      const reading = hourFrame(v(1), 0, text, at, false);
      return reading && ("frame" in reading ? reading : { frame: reading, latent: true });
    },
  ),
];

const COUNT = `(?:\\d{1,4}(?:\\.\\d{1,2})?|[零一二两三四五六七八九十百廿卅]{1,5}|[半俩仨])`;
const UNITS: readonly (readonly [words: string, unit: keyof Span])[] = [
  ["秒钟|秒", "seconds"],
  ["分钟|分", "minutes"],
  ["个?小时|个?钟头|个?钟|个?钟点", "hours"],
  ["个?工作日", "workdays"],
  ["天|日", "days"],
  ["周|个?星期|个?礼拜", "weeks"],
  ["个?月", "months"],
  ["年", "years"],
];
const UNIT = "(秒钟|秒|分钟|刻钟|个?工作日|个?小时|个?钟头|个?钟|天|日|周|个?星期|个?礼拜|个月|(?<=半)月|个?季度|年)";
/** One amount: 两个半小时, 3天, 一刻钟, 半个月, 一年半. Groups: count, 半 before the unit, unit, 半 after it. */
const AMOUNT = `(${COUNT})\\s?(来|多|几)?(个半)?${UNIT}(半)?`;
const AMOUNTS = new RegExp(AMOUNT.replace(UNIT, UNIT.replace("分钟", "分钟|分")), "g");

/** 两小时十分, 8天20小时, 一个半小时, 半个月 → a span; undefined when a count is none. */
export function chineseSpan(text: string): Span | undefined {
  const span: Record<string, number> = {};
  for (const match of text.matchAll(AMOUNTS)) {
    const [, count = "", , half = "", unitWord = "", halfAfter = ""] = match;
    const n = (count === "半" ? 0.5 : (num(count) ?? Number.NaN)) + (half || halfAfter ? 0.5 : 0);
    if (!Number.isFinite(n)) return undefined;
    if (unitWord.startsWith("刻")) span.minutes = (span.minutes ?? 0) + n * 15;
    else if (unitWord.includes("季")) span.months = (span.months ?? 0) + n * 3;
    else {
      const unit = UNITS.find(([words]) => new RegExp(`^(?:${words})$`).test(unitWord))?.[1];
      if (!unit) return undefined;
      span[unit] = (span[unit] ?? 0) + n;
    }
  }
  return Object.keys(span).length > 0 ? span : undefined;
}

const ONE = `${COUNT}\\s?(?:来|多|几)?(?:个半)?${UNIT.replace("(", "(?:")}半?`;
const SPAN = `(${ONE}(?:[\\s零]?${ONE}){0,2}(?:${COUNT}分)?)`;

function spanReading(text: string, extra: Frame, more: { latent?: true; sign?: -1 } = {}): Reading | undefined {
  const span = chineseSpan(text);
  if (!span) return undefined;
  if (more.sign) for (const unit of Object.keys(span) as (keyof Span)[]) span[unit] = -(span[unit] ?? 0);
  return { frame: { span, ...extra }, ...(more.latent ? { latent: true } : {}) };
}

/** Spans of time: counted from now, or deadlines by their length. */
export const ZH_SPANS: readonly Rule[] = [
  rule("span after", `(?:再?过|再等)?${SPAN}\\s?(?:之后|以后|过后|后|开外)(?!天|面|年|台|续|端|来)`, (v) =>
    spanReading(v(1), {}),
  ),
  rule("span within", `(?:在|最迟|最晚|未来|接下来的?)?${SPAN}\\s?(?:之内|以内|内)(?!容|部|存|网)`, (v) =>
    spanReading(v(1), { mode: "within" }),
  ),
  rule("span ago", `${SPAN}\\s?(?:之前|以前|前)(?!天|面|端)`, (v) => spanReading(v(1), {}, { sign: -1 })),
  rule("span passed", `(?:再过|过|再等|等)${SPAN}(?!前)`, (v) => spanReading(v(1), {})),
  rule("span ahead", `(?:未来|接下来的?|今后|往后|之后)${SPAN}`, (v) => spanReading(v(1), { mode: "within" })),
  rule("a couple of days", "(?:再?过|等)(?:几|两三|三两)(天|日)", () => ({ span: { days: 3 }, vague: true })),
  rule("these days", "(?:这|近|最近)(?:两|几|一两|两三)天(?:之?内)?", () => ({
    span: { days: 2 },
    mode: "within",
    vague: true,
  })),
  rule("an hour and a half, Cantonese", "个半(?:钟头|钟|小时)(?:之?后|以后)?", () => ({
    frame: { span: { hours: 1.5 } },
    latent: true,
  })),
  rule("bare span", SPAN, (v) => spanReading(v(1), {}, { latent: true })),
];
