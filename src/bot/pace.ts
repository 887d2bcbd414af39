/** Feishu: 5 messages a second to one person or one group, 5 updates a second of one message; one spare. */
export const PER_TARGET_MS = 1000 / 4;
/** Feishu: 50 calls a second for an API, app and tenant; kept below because group limits are shared with other bots. */
export const PER_APP_MS = 1000 / 40;

/**
 * Spaces calls: those with the same key at least `PER_TARGET_MS` apart and one after the other (in the order they
 * came), all together at least `PER_APP_MS` apart. `pauseUntil` holds back everything after the gateway said "too fast".
 */
export class Pace {
  readonly #tails = new Map<string, Promise<void>>();
  readonly #sleep: (ms: number) => Promise<void>;
  readonly #nowMs: () => number;
  #nextSlotMs = 0;

  constructor(world: { nowMs: () => number; sleep: (ms: number) => Promise<void> }) {
    this.#nowMs = world.nowMs;
    this.#sleep = world.sleep;
  }

  /** Runs `call` when its turn has come. A failing call does not hold up those behind it. */
  async run<T>(key: string, call: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    let done: () => void = () => {};
    const mine = new Promise<void>((resolve) => {
      done = resolve;
    });
    const tail = before.then(() => mine);
    this.#tails.set(key, tail);
    await before;
    await this.#appSlot();
    const startedMs = this.#nowMs();
    try {
      return await call();
    } finally {
      const restMs = PER_TARGET_MS - (this.#nowMs() - startedMs);
      const free = (): void => {
        done();
        if (this.#tails.get(key) === tail) this.#tails.delete(key);
      };
      if (restMs <= 0) free();
      else void this.#sleep(restMs).then(free);
    }
  }

  /** The gateway limits the whole app: nothing leaves before this many ms have passed. */
  pauseFor(ms: number): void {
    this.#nextSlotMs = Math.max(this.#nextSlotMs, this.#nowMs() + ms);
  }

  async #appSlot(): Promise<void> {
    for (;;) {
      const waitMs = this.#nextSlotMs - this.#nowMs();
      if (waitMs <= 0) break;
      await this.#sleep(waitMs);
    }
    this.#nextSlotMs = this.#nowMs() + PER_APP_MS;
  }
}
