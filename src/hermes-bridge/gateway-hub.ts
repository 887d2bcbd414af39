import type { TurnAbilities } from "../engine/ports.ts";
import type { LooseEvent } from "./gateway-wire.ts";

/** Seconds after its last word (and with no question of it waiting here) until the plugin counts as away. */
const SILENT_MS = 10_000;

/**
 * What this process knows beyond the rows: whether the plugin is there at this moment, and who waits for news. Rows are the
 * truth; a wake-up only saves the wait until somebody would have looked again.
 */
export class GatewayHub {
  /** questions for orders that wait here now, by gateway process */
  readonly #waiting = new Map<string, number>();
  readonly #heardAt = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  readonly #loose = new Map<string, Set<(event: LooseEvent) => void>>();
  readonly #elapsed: () => number;
  closed = false;
  /** what the plugin said it is able to do */
  abilities: TurnAbilities | undefined;
  /** this process has heard of a plugin */
  everHeard = false;
  /** a plugin was ever heard of, by this process or one before it */
  met = false;

  /** @param elapsed ms of a clock that only goes forward; not the app's, which a time machine may move */
  constructor(elapsed: () => number = () => performance.now()) {
    this.#elapsed = elapsed;
  }

  heard(instance: string): void {
    this.everHeard = true;
    this.met = true;
    this.#heardAt.set(instance, this.#elapsed());
  }

  /** It speaks; whether it listens, too, is for its questions to show. */
  heardAgain(instance: string): void {
    if (this.#heardAt.has(instance)) this.heard(instance);
  }

  left(instance: string): void {
    this.#heardAt.delete(instance);
  }

  /** A question of this process waits here until the returned function is called. */
  asks(instance: string): () => void {
    this.#waiting.set(instance, (this.#waiting.get(instance) ?? 0) + 1);
    return () => {
      const rest = (this.#waiting.get(instance) ?? 1) - 1;
      if (rest > 0) this.#waiting.set(instance, rest);
      else this.#waiting.delete(instance);
      this.heardAgain(instance);
    };
  }

  /** A gateway process that is there now. */
  isThere(instance?: string): boolean {
    const there = (each: string): boolean => {
      const heard = this.#heardAt.get(each);
      return heard !== undefined && (this.#waiting.has(each) || this.#elapsed() - heard < SILENT_MS);
    };
    return instance === undefined ? [...this.#heardAt.keys()].some(there) : there(instance);
  }

  /** Something has changed: whoever waits looks again. */
  wake(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Resolves at the next wake-up, after `ms`, or when the signal is aborted. */
  next(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#listeners.delete(done);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      timer.unref();
      this.#listeners.add(done);
      signal?.addEventListener("abort", done, { once: true });
    });
  }

  tellLoose(event: LooseEvent): void {
    for (const listener of this.#loose.get(event.turn) ?? []) listener(event);
  }

  onLoose(turnId: string, listener: (event: LooseEvent) => void): () => void {
    const listeners = this.#loose.get(turnId) ?? new Set();
    this.#loose.set(turnId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#loose.delete(turnId);
    };
  }

  /** Ends the waits of the plugin's questions, and of watches that have no signal of their own: the server is going. */
  close(): void {
    this.closed = true;
    this.wake();
  }
}
