import { lookUp } from "./look-up.ts";

const NS = "http://www.w3.org/2000/svg";

/**
 * Line drawings on a 24 × 24 field, one path each. The names on the left are the page's own; card tokens are matched
 * by their first word, so `calendar_outlined` and `calendar-date_filled` both find the calendar.
 */
const PATHS = {
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  down: "M5 9l7 7 7-7",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 12.5l4.5 4.5L19 7.5",
  plus: "M12 5v14M5 12h14",
  more: "M5.5 12h.01M12 12h.01M18.5 12h.01",
  send: "M4 12l16-8-5 16-3.5-6.5L4 12zM11.5 13.5L20 4",
  reply: "M10 7L5 12l5 5M5 12h9a5 5 0 0 1 5 5v1",
  undo: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 0 12",
  recall: "M4 9h10a5 5 0 0 1 0 10H8M4 9l4-4M4 9l4 4",
  code: "M8 7l-5 5 5 5M16 7l5 5-5 5",
  panel: "M4 5h16v14H4zM14 5v14",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2",
  calendar: "M4 6h16v14H4zM4 10h16M8 3v5M16 3v5",
  alarm: "M12 20a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM12 9v4l2.5 1.5M4 6l3-3M20 6l-3-3",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2",
  moon: "M20 14A8.5 8.5 0 1 1 10 4a7 7 0 0 0 10 10z",
  halves: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 3v18M15 4.5v15M18 6.5v11",
  globe: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  power: "M12 3v8M7 6a8 8 0 1 0 10 0",
  chat: "M4 5h16v11H10l-4 4v-4H4z",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4.500 3.500-7 8-7s8 2.500 8 7",
  group:
    "M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM2.500 20c0-4 2.500-6 6.500-6s6.500 2 6.500 6M16 4.500a3.500 3.500 0 0 1 0 6.500M18 14.500c2.500.7 3.500 2.500 3.500 5.500",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l1.500 1.500h-15zM10 21h4",
  info: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5.500M12 7.500h.01",
  warning: "M12 4l9 16H3zM12 10v4.500M12 17.500h.01",
  error: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v6M12 16.500h.01",
  success: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM8 12.500l3 3 5.500-6",
  link: "M10 14l4-4M9 8l2-2a4 4 0 0 1 6 6l-2 2M15 16l-2 2a4 4 0 0 1-6-6l2-2",
  file: "M6 3h8l5 5v13H6zM14 3v5h5",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.500 9h.01",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5",
  list: "M9 6h11M9 12h11M9 18h11M4.500 6h.01M4.500 12h.01M4.500 18h.01",
  chart: "M5 20V10M12 20V4M19 20v-7",
  flag: "M5 21V4h13l-3 4.500 3 4.500H5",
  star: "M12 3l2.700 5.700 6.300.8-4.600 4.300 1.200 6.200-5.600-3-5.600 3 1.200-6.200L3 9.500l6.300-.8z",
  robot: "M5 9h14v10H5zM12 5v4M9 13.500h.01M15 13.500h.01M9.500 16.500h5",
  refresh: "M20 12a8 8 0 1 1-2.500-5.800M20 3v4h-4",
  copy: "M8 8h12v12H8zM16 8V4H4v12h4",
  settings:
    "M12 15.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM12 2.500v3M12 18.500v3M2.500 12h3M18.500 12h3M5.300 5.300l2.100 2.100M16.600 16.600l2.100 2.100M5.300 18.700l2.100-2.100M16.600 7.400l2.100-2.100",
  stop: "M6 6h12v12H6z",
  pause: "M8 5v14M16 5v14",
  play: "M7 4l13 8-13 8z",
  dot: "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
} as const;

export type IconName = keyof typeof PATHS;

/** First words of the platform's icon tokens, and the drawing that stands for them here. */
const TOKENS: Readonly<Record<string, IconName>> = {
  alarm: "alarm",
  announce: "bell",
  bell: "bell",
  notification: "bell",
  calendar: "calendar",
  todo: "success",
  done: "success",
  yes: "success",
  succeed: "success",
  check: "check",
  time: "clock",
  history: "clock",
  burnlife: "clock",
  chat: "chat",
  message: "chat",
  comment: "chat",
  group: "group",
  member: "person",
  people: "person",
  robot: "robot",
  bot: "robot",
  info: "info",
  help: "info",
  warning: "warning",
  error: "error",
  close: "close",
  more: "more",
  down: "down",
  right: "forward",
  left: "back",
  link: "link",
  file: "file",
  doc: "file",
  image: "image",
  picture: "image",
  search: "search",
  list: "list",
  chart: "chart",
  dashboard: "chart",
  flag: "flag",
  star: "star",
  favorite: "star",
  undo: "undo",
  refresh: "refresh",
  replace: "refresh",
  reply: "reply",
  code: "code",
  copy: "copy",
  setting: "settings",
  settings: "settings",
  stop: "stop",
  pause: "pause",
  play: "play",
  moon: "moon",
  sun: "sun",
  language: "globe",
  translate: "globe",
  internet: "globe",
  send: "send",
  add: "plus",
};

/** A decorative drawing; what it means must also stand in words. */
export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(NS, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", name === "dot" ? "icon filled" : "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(NS, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

/** The drawing for a card's `standard_icon` token; an unknown token gets a neutral dot. */
export function iconForToken(token: string | undefined): SVGSVGElement {
  const word = (token ?? "").split(/[_-]/)[0] ?? "";
  return icon(lookUp(TOKENS, word) ?? "dot");
}
