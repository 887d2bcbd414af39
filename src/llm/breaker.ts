/** After so many failures in a row an endpoint is left alone for a while. */
const FAILURES = 2;
const FIRST_REST_MS = 30_000;
const LONGEST_REST_MS = 10 * 60_000;

/**
 * Spares a dead endpoint's time-out at each question: after two failures in a row it rests, twice as long after each
 * failed trial. One question is let through as a trial when the rest is over.
 */
export class Breaker {
  #failures = 0;
  #restUntil = 0;

  /** `nowMs`: any clock that does not go back. */
  isResting(nowMs: number): boolean {
    return nowMs < this.#restUntil;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#restUntil = 0;
  }

  /** `retryAfterMs`: what the server itself asked for, which is honoured after the first failure already. */
  failed(nowMs: number, retryAfterMs = 0): void {
    this.#failures++;
    const rest = this.#failures < FAILURES ? 0 : FIRST_REST_MS * 2 ** (this.#failures - FAILURES);
    this.#restUntil = nowMs + Math.min(LONGEST_REST_MS, Math.max(rest, retryAfterMs));
  }
}
