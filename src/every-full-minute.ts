const MINUTE_MS = 60_000;
/** A clock that jumps is noticed within this time. */
const LOOK_MS = 5_000;
/** Timers may fire a little early; a look before the minute is full would only have to be repeated. */
const MARGIN_MS = 2;

/**
 * Calls back as each minute of a clock begins, and soon after that clock has jumped. The clock need not be the machine's:
 * its minutes may begin at any second of the machine's minute. Returns how to end it.
 */
export function everyFullMinute(now: () => Date, tick: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let seen = minuteOf(now());
  function wait(): void {
    const left = MINUTE_MS - (now().getTime() % MINUTE_MS) + MARGIN_MS;
    timer = setTimeout(look, Math.min(left, LOOK_MS));
  }
  function look(): void {
    const minute = minuteOf(now());
    const begun = minute !== seen;
    seen = minute;
    wait();
    if (begun) tick();
  }
  wait();
  return () => clearTimeout(timer);
}

function minuteOf(at: Date): number {
  return Math.floor(at.getTime() / MINUTE_MS);
}
