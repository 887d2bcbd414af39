import { Refusal } from "./api-answer.ts";

/** Documented call limits. Seconds and minutes are those of the wire, not of the time machine. */
const RATE_LIMITS = {
  /** To one person or group, and for changes of one message. */
  perTargetASecond: 5,
  perApiASecond: 50,
  perApiAMinute: 1000,
  /** Changes of one card entity that is not being streamed. */
  perEntityASecond: 10,
} as const;

/** Counts calls in sliding windows. */
export class RateLimits {
  readonly #nowMs: () => number;
  readonly #enabled: boolean;
  readonly #seen = new Map<string, number[]>();

  constructor(nowMs: () => number, enabled: boolean) {
    this.#nowMs = nowMs;
    this.#enabled = enabled;
  }

  /**
   * The gateway's limit for one API.
   * @throws Refusal HTTP 429, code 99991400, with the seconds to wait in `x-ogw-ratelimit-reset`
   */
  checkApi(api: string): void {
    const key = `api ${api}`;
    const perSecond = this.#waitMs(key, RATE_LIMITS.perApiASecond, 1000);
    const perMinute = this.#waitMs(key, RATE_LIMITS.perApiAMinute, 60_000);
    const waitMs = Math.max(perSecond, perMinute);
    if (waitMs > 0) {
      throw new Refusal(99991400, "request trigger frequency limit", 429, {
        "x-ogw-ratelimit-limit": String(perMinute > 0 ? RATE_LIMITS.perApiAMinute : RATE_LIMITS.perApiASecond),
        "x-ogw-ratelimit-reset": String(Math.ceil(waitMs / 1000)),
      });
    }
    this.#note(key);
  }

  /**
   * Messaging's limit for one person, group or message.
   * @throws Refusal HTTP 400, code 230020, without a header
   */
  checkTarget(target: string): void {
    if (this.#waitMs(target, RATE_LIMITS.perTargetASecond, 1000) > 0)
      throw new Refusal(230020, "This operation triggers the frequency limit, ext=");
    this.#note(target);
  }

  /**
   * The limit for changes of one card entity. Its code is not documented; the gateway's is used.
   * @throws Refusal HTTP 429, code 99991400
   */
  checkEntity(cardId: string): void {
    const key = `entity ${cardId}`;
    if (this.#waitMs(key, RATE_LIMITS.perEntityASecond, 1000) > 0)
      throw new Refusal(99991400, "request trigger frequency limit", 429, { "x-ogw-ratelimit-reset": "1" });
    this.#note(key);
  }

  /** Milliseconds until another call fits, 0 when it fits now. */
  #waitMs(key: string, limit: number, windowMs: number): number {
    if (!this.#enabled) return 0;
    const now = this.#nowMs();
    const times = (this.#seen.get(key) ?? []).filter((at) => now - at < windowMs);
    const first = times[times.length - limit];
    return first === undefined ? 0 : first + windowMs - now;
  }

  #note(key: string): void {
    if (!this.#enabled) return;
    const now = this.#nowMs();
    const times = (this.#seen.get(key) ?? []).filter((at) => now - at < 60_000);
    times.push(now);
    this.#seen.set(key, times);
  }
}
