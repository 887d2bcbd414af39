import type { time as zhTime } from "../zh/time.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const monthName = (month: number): string => MONTHS[month - 1] ?? String(month);

const plural = (n: number, unit: string): string => (n === 1 ? `1 ${unit}` : `${n} ${unit}s`);

export const time: typeof zhTime = {
  weekdays: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"],
  todayAlone: "today",
  tomorrowAlone: "tomorrow",
  yesterdayAlone: "yesterday",
  today: (clock) => `today ${clock}`,
  tomorrow: (clock) => `tomorrow ${clock}`,
  moment: (month, day, clock) => `${day} ${monthName(month)}, ${clock}`,
  around: (day) => `around ${day}`,
  dayAfterTomorrow: (month, day, weekday, clock) => `${weekday} ${day} ${monthName(month)}, ${clock}`,
  yesterday: (clock) => `yesterday ${clock}`,
  thisYear: (month, day, weekday, clock) => `${weekday} ${day} ${monthName(month)}, ${clock}`,
  otherYear: (year, month, day, clock) => `${day} ${monthName(month)} ${year}, ${clock}`,
  weekdayAndDay: (month, day, weekday) => `${weekday} ${day} ${monthName(month)}`,
  day: (month, day) => `${day} ${monthName(month)}`,
  dayWithYear: (year, month, day) => `${day} ${monthName(month)} ${year}`,
  justNow: "just now",
  soon: "any moment",
  seconds: (n) => plural(n, "second"),
  minutes: (n) => plural(n, "minute"),
  hours: (n) => plural(n, "hour"),
  days: (n) => plural(n, "day"),
  weeks: (n) => plural(n, "week"),
  months: (n) => plural(n, "month"),
  later: (length) => `in ${length}`,
  ago: (length) => `${length} ago`,
  absoluteAndRelative: (absolute, relative) => `${absolute} (${relative})`,
};
