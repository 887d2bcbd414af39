import { parseWallTime, wallInstant } from "./wall-time.ts";

/** When Herald may speak up by itself, on the wall of a zone. `from` later than `until` reaches over midnight; equal means always. */
export interface ActiveWindow {
  /** HH:MM, the first minute in which speaking is allowed */
  activeFrom: string;
  /** HH:MM, the first minute in which it no longer is */
  activeUntil: string;
}

/** True when `at` lies inside the window. */
export function isActive(at: Date, zone: string, window: ActiveWindow): boolean {
  return nextOpening(at, zone, window).getTime() === at.getTime();
}

/** `at` itself when it lies inside the window, otherwise the next instant at which the window opens. */
export function nextOpening(at: Date, zone: string, window: ActiveWindow): Date {
  const from = parseWallTime(window.activeFrom);
  const until = parseWallTime(window.activeUntil);
  if (window.activeFrom === window.activeUntil) return at;
  const overnight = window.activeFrom > window.activeUntil;
  for (const day of [-1, 0, 1, 2]) {
    const opens = wallInstant(at, zone, from, day);
    const closes = wallInstant(at, zone, until, overnight ? day + 1 : day);
    if (at < opens) return opens;
    if (at < closes) return at;
  }
  return at;
}
