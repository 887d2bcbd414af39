/** Dates, ages and durations as they are read in Chinese. Hours on a 24-hour clock, `clock` is "18:05". */
export const time = {
  weekdays: ["周日", "周一", "周二", "周三", "周四", "周五", "周六"],
  todayAlone: "今天",
  tomorrowAlone: "明天",
  yesterdayAlone: "昨天",
  today: (clock: string): string => `今天 ${clock}`,
  tomorrow: (clock: string): string => `明天 ${clock}`,
  /** Month, day and clock without the weekday. */
  moment: (month: number, day: number, clock: string): string => `${month}月${day}日 ${clock}`,
  /** A day that is only roughly meant. */
  around: (day: string): string => `${day}前后`,
  /** Same arguments as `thisYear`; languages without a word for it write the date. */
  dayAfterTomorrow: (_month: number, _day: number, _weekday: string, clock: string): string => `后天 ${clock}`,
  yesterday: (clock: string): string => `昨天 ${clock}`,
  /** `month` 1–12, `weekday` from `weekdays`. */
  thisYear: (month: number, day: number, weekday: string, clock: string): string =>
    `${month}月${day}日 ${weekday} ${clock}`,
  otherYear: (year: number, month: number, day: number, clock: string): string =>
    `${year}年${month}月${day}日 ${clock}`,
  weekdayAndDay: (month: number, day: number, weekday: string): string => `${month}月${day}日 ${weekday}`,
  day: (month: number, day: number): string => `${month}月${day}日`,
  dayWithYear: (year: number, month: number, day: number): string => `${year}年${month}月${day}日`,
  justNow: "刚刚",
  soon: "马上",
  seconds: (n: number): string => `${n} 秒`,
  minutes: (n: number): string => `${n} 分钟`,
  hours: (n: number): string => `${n} 小时`,
  days: (n: number): string => `${n} 天`,
  weeks: (n: number): string => `${n} 周`,
  months: (n: number): string => `${n} 个月`,
  later: (length: string): string => `${length}后`,
  ago: (length: string): string => `${length}前`,
  absoluteAndRelative: (absolute: string, relative: string): string => `${absolute}（${relative}）`,
};
