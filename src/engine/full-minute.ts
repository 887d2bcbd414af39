const MINUTE_MS = 60_000;

/**
 * The full minute at or after an instant. What a person is told to hear at is named by its minute, so that is when it is
 * said: "in 1 minute" at 17:26:40 is 17:28 and not 40 seconds after the 17:27 that was answered.
 */
export function fullMinute(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / MINUTE_MS) * MINUTE_MS);
}
