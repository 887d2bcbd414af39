import { lunarDate, solarTerm } from "./lunar.ts";

/** A day on the calendar, without zone. */
export interface CivilDate {
  year: number;
  month: number;
  day: number;
}

/** How a holiday's day is found in a year. */
type Rule =
  | { on: readonly [month: number, day: number] }
  /** The n-th weekday (1 = Monday … 7) of a month, last = -1, plus days. */
  | { nth: readonly [n: number, weekday: number, month: number]; plus?: number }
  | { lunar: readonly [month: number, day: number]; plus?: number }
  | { easter: number }
  | { sun: number };

/** Each holiday once: its names (simplified or small letters, as text is folded) and its rule. */
const HOLIDAYS = {
  new_year: { names: ["元旦节", "元旦", "new year's day", "new years day", "the new year"], rule: { on: [1, 1] } },
  new_years_eve: { names: ["跨年夜", "跨年", "new year's eve", "new years eve", "nye"], rule: { on: [12, 31] } },
  valentine: { names: ["情人节", "valentine's day", "valentines day", "valentine's"], rule: { on: [2, 14] } },
  women: { names: ["三八妇女节", "妇女节", "三八节", "女神节", "women's day", "womens day"], rule: { on: [3, 8] } },
  consumers: { names: ["消费者权益日"], rule: { on: [3, 15] } },
  trees: { names: ["植树节", "arbor day"], rule: { on: [3, 12] } },
  st_patrick: { names: ["st. patrick's day", "st patrick's day", "st patricks day"], rule: { on: [3, 17] } },
  april_fools: {
    names: ["愚人节", "april fools' day", "april fool's day", "april fools day", "april fools"],
    rule: { on: [4, 1] },
  },
  earth_day: { names: ["earth day", "地球日"], rule: { on: [4, 22] } },
  labour: { names: ["五一劳动节", "五一国际劳动节", "国际劳动节", "劳动节", "may day"], rule: { on: [5, 1] } },
  may_first: { names: ["五一假期", "五一"], rule: { on: [5, 1] } },
  youth: { names: ["五四青年节", "青年节"], rule: { on: [5, 4] } },
  nurses: { names: ["护士节"], rule: { on: [5, 12] } },
  five_two_zero: { names: ["520情人节"], rule: { on: [5, 20] } },
  children: { names: ["六一儿童节", "国际儿童节", "儿童节", "六一", "children's day"], rule: { on: [6, 1] } },
  six_eighteen: { names: ["618购物节", "618大促", "618活动", "六一八"], rule: { on: [6, 18] } },
  juneteenth: { names: ["juneteenth"], rule: { on: [6, 19] } },
  party: { names: ["建党节", "七一建党节"], rule: { on: [7, 1] } },
  canada: { names: ["canada day"], rule: { on: [7, 1] } },
  july_fourth: { names: ["independence day", "美国独立日", "独立日"], rule: { on: [7, 4] } },
  army: { names: ["八一建军节", "建军节"], rule: { on: [8, 1] } },
  teachers: { names: ["教师节", "teachers' day", "teachers day"], rule: { on: [9, 10] } },
  national: {
    names: ["国庆节", "国庆假期", "国庆", "十一假期", "十一长假", "china's national day"],
    rule: { on: [10, 1] },
  },
  double_tenth: { names: ["双十节"], rule: { on: [10, 10] } },
  halloween: { names: ["万圣节前夜", "万圣夜", "halloween", "all hallows' eve"], rule: { on: [10, 31] } },
  all_saints: { names: ["万圣节", "all saints' day", "all saints day"], rule: { on: [11, 1] } },
  bonfire: { names: ["guy fawkes day", "guy fawkes night", "bonfire night"], rule: { on: [11, 5] } },
  singles: { names: ["光棍节", "双十一", "双11", "singles' day", "singles day"], rule: { on: [11, 11] } },
  veterans: {
    names: ["veterans day", "veteran's day", "veterans' day", "remembrance day", "armistice day"],
    rule: { on: [11, 11] },
  },
  double_twelve: { names: ["双十二", "双12"], rule: { on: [12, 12] } },
  memorial_nanjing: { names: ["国家公祭日"], rule: { on: [12, 13] } },
  christmas_eve: { names: ["平安夜", "圣诞前夜", "圣诞夜", "christmas eve", "xmas eve"], rule: { on: [12, 24] } },
  christmas: {
    names: ["圣诞节", "圣诞", "christmas day", "christmas", "xmas day", "xmas", "x-mas"],
    rule: { on: [12, 25] },
  },
  boxing: { names: ["节礼日", "boxing day"], rule: { on: [12, 26] } },
  mlk: {
    names: [
      "martin luther king jr. day",
      "martin luther king jr day",
      "martin luther king day",
      "martin luther king's day",
      "mlk day",
    ],
    rule: { nth: [3, 1, 1] },
  },
  presidents: { names: ["总统日", "presidents' day", "president's day", "presidents day"], rule: { nth: [3, 1, 2] } },
  mothers: { names: ["母亲节", "mother's day", "mothers' day", "mothers day"], rule: { nth: [2, 7, 5] } },
  memorial: { names: ["阵亡将士纪念日", "memorial day"], rule: { nth: [-1, 1, 5] } },
  fathers: { names: ["父亲节", "father's day", "fathers' day", "fathers day"], rule: { nth: [3, 7, 6] } },
  labor_day_us: { names: ["labor day", "labour day"], rule: { nth: [1, 1, 9] } },
  columbus: {
    names: ["哥伦布日", "columbus day", "indigenous peoples' day", "indigenous peoples day"],
    rule: { nth: [2, 1, 10] },
  },
  thanksgiving: { names: ["感恩节", "thanksgiving day", "thanksgiving"], rule: { nth: [4, 4, 11] } },
  black_friday: { names: ["黑色星期五", "黑五", "black friday"], rule: { nth: [4, 4, 11], plus: 1 } },
  cyber_monday: { names: ["网络星期一", "cyber monday"], rule: { nth: [4, 4, 11], plus: 4 } },
  easter: { names: ["复活节", "easter sunday", "easter day", "easter"], rule: { easter: 0 } },
  good_friday: { names: ["耶稣受难日", "good friday"], rule: { easter: -2 } },
  easter_monday: { names: ["easter monday", "复活节星期一"], rule: { easter: 1 } },
  palm_sunday: { names: ["palm sunday"], rule: { easter: -7 } },
  ash_wednesday: { names: ["ash wednesday"], rule: { easter: -46 } },
  shrove: { names: ["shrove tuesday", "pancake day", "mardi gras"], rule: { easter: -47 } },
  ascension: { names: ["ascension day"], rule: { easter: 39 } },
  pentecost: { names: ["pentecost", "whit sunday"], rule: { easter: 49 } },
  whit_monday: { names: ["whit monday", "pentecost monday"], rule: { easter: 50 } },
  laba: { names: ["腊八节", "腊八"], rule: { lunar: [12, 8] } },
  little_new_year: { names: ["小年夜", "小年"], rule: { lunar: [12, 23] } },
  spring_eve: {
    names: [
      "除夕夜",
      "除夕",
      "大年三十",
      "年三十",
      "年三十晚",
      "大年夜",
      "大年30",
      "chinese new year's eve",
      "lunar new year's eve",
    ],
    rule: { lunar: [1, 1], plus: -1 },
  },
  spring: {
    names: [
      "春节",
      "农历新年",
      "大年初一",
      "正月初一",
      "年初一",
      "旧历新年",
      "过年",
      "春节假期",
      "chinese new year's day",
      "chinese new year",
      "lunar new year",
      "cny",
      "spring festival",
    ],
    rule: { lunar: [1, 1] },
  },
  wealth: { names: ["破五"], rule: { lunar: [1, 5] } },
  lantern: { names: ["元宵节", "元宵", "正月十五", "上元节", "lantern festival"], rule: { lunar: [1, 15] } },
  dragon_head: { names: ["龙抬头"], rule: { lunar: [2, 2] } },
  dragon_boat: { names: ["端午节", "端午", "端阳节", "五月节", "dragon boat festival"], rule: { lunar: [5, 5] } },
  qixi: { names: ["七夕节", "七夕"], rule: { lunar: [7, 7] } },
  ghosts: { names: ["中元节", "鬼节", "盂兰节"], rule: { lunar: [7, 15] } },
  mid_autumn: {
    names: ["中秋节", "中秋", "八月节", "mid-autumn festival", "mid autumn festival", "mid-autumn", "moon festival"],
    rule: { lunar: [8, 15] },
  },
  double_ninth: { names: ["重阳节", "重阳", "double ninth festival"], rule: { lunar: [9, 9] } },
  spring_begins: { names: ["立春"], rule: { sun: 315 } },
  rain_water: { names: ["雨水节气"], rule: { sun: 330 } },
  insects: { names: ["惊蛰"], rule: { sun: 345 } },
  spring_equinox: { names: ["春分", "spring equinox", "vernal equinox"], rule: { sun: 0 } },
  tomb_sweeping: {
    names: ["清明节", "清明假期", "清明", "qingming festival", "qingming", "tomb sweeping day", "tomb-sweeping day"],
    rule: { sun: 15 },
  },
  grain_rain: { names: ["谷雨"], rule: { sun: 30 } },
  summer_begins: { names: ["立夏"], rule: { sun: 45 } },
  grain_full: { names: ["小满节气"], rule: { sun: 60 } },
  grain_in_ear: { names: ["芒种"], rule: { sun: 75 } },
  summer_solstice: { names: ["夏至", "summer solstice"], rule: { sun: 90 } },
  minor_heat: { names: ["小暑"], rule: { sun: 105 } },
  major_heat: { names: ["大暑"], rule: { sun: 120 } },
  autumn_begins: { names: ["立秋"], rule: { sun: 135 } },
  heat_ends: { names: ["处暑"], rule: { sun: 150 } },
  white_dew: { names: ["白露"], rule: { sun: 165 } },
  autumn_equinox: { names: ["秋分", "autumnal equinox", "autumn equinox"], rule: { sun: 180 } },
  cold_dew: { names: ["寒露"], rule: { sun: 195 } },
  frost: { names: ["霜降"], rule: { sun: 210 } },
  winter_begins: { names: ["立冬"], rule: { sun: 225 } },
  minor_snow: { names: ["小雪节气"], rule: { sun: 240 } },
  major_snow: { names: ["大雪节气"], rule: { sun: 255 } },
  winter_solstice: { names: ["冬至节", "冬至", "winter solstice"], rule: { sun: 270 } },
  minor_cold: { names: ["小寒"], rule: { sun: 285 } },
  major_cold: { names: ["大寒"], rule: { sun: 300 } },
} as const satisfies Record<string, { names: readonly string[]; rule: Rule }>;

export type HolidayName = keyof typeof HOLIDAYS;

const BY_NAME = new Map<string, HolidayName>();
for (const [holiday, { names }] of Object.entries(HOLIDAYS))
  for (const name of names) BY_NAME.set(name, holiday as HolidayName);

/** All names, the longest first, ready for a pattern. */
export const HOLIDAY_NAMES: readonly string[] = [...BY_NAME.keys()].sort((a, b) => b.length - a.length);

export function holidayOf(name: string): HolidayName | undefined {
  return BY_NAME.get(name);
}

/** Day of the month of the n-th weekday (1 = Monday); n = -1 is the last. undefined when the month has no such one. */
export function nthWeekday(year: number, month: number, n: number, weekday: number): number | undefined {
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const weekdayOf = (day: number): number => ((new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7) + 1;
  if (n < 0) return days - ((weekdayOf(days) - weekday + 7) % 7) + 7 * (n + 1);
  const day = 1 + ((weekday - weekdayOf(1) + 7) % 7) + 7 * (n - 1);
  return day <= days ? day : undefined;
}

/** Easter Sunday of the Gregorian calendar (Butcher's rule), plus days. */
function easter(year: number, plus: number): CivilDate {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return addDays({ year, month: Math.floor(n / 31), day: (n % 31) + 1 }, plus);
}

function addDays(date: CivilDate, days: number): CivilDate {
  const at = new Date(Date.UTC(date.year, date.month - 1, date.day + days));
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() };
}

/** The day of a holiday in a year (lunar ones: in the lunar year that begins in it, so 腊八 may fall in the next). */
export function holidayDate(name: HolidayName, year: number): CivilDate | undefined {
  const rule: Rule = HOLIDAYS[name].rule;
  if ("on" in rule) return { year, month: rule.on[0], day: rule.on[1] };
  if ("easter" in rule) return easter(year, rule.easter);
  if ("sun" in rule) return solarTerm(year, rule.sun);
  if ("lunar" in rule) {
    const day = lunarDate(year, rule.lunar[0], rule.lunar[1]);
    return day && addDays(day, rule.plus ?? 0);
  }
  const day = nthWeekday(year, rule.nth[2], rule.nth[0], rule.nth[1]);
  return day === undefined ? undefined : addDays({ year, month: rule.nth[2], day }, rule.plus ?? 0);
}
