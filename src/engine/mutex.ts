/**
 * Lets one in at a time: first those in a hurry, otherwise in order of arrival. Nobody who is in is interrupted, so work
 * that holds it long must be cut into pieces by whoever does it.
 */
export class Mutex {
  #taken = false;
  readonly #urgent: (() => void)[] = [];
  readonly #waiting: (() => void)[] = [];

  /**
   * Resolves when it is the caller's turn, with the function that ends the turn (calling it twice does no harm).
   * @param options.withinMs then it gives up, and resolves with undefined
   */
  async acquire(options?: { urgent?: boolean }): Promise<() => void>;
  async acquire(options: { urgent?: boolean; withinMs: number }): Promise<(() => void) | undefined>;
  async acquire({
    urgent = false,
    withinMs,
  }: {
    urgent?: boolean;
    withinMs?: number;
  } = {}): Promise<(() => void) | undefined> {
    if (this.#taken && !(await this.#turn(urgent ? this.#urgent : this.#waiting, withinMs))) return undefined;
    this.#taken = true;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const next = this.#urgent.shift() ?? this.#waiting.shift();
      // It stays taken from hand to hand, so that nobody slips in between.
      if (next) next();
      else this.#taken = false;
    };
  }

  #turn(queue: (() => void)[], withinMs: number | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const next = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      queue.push(next);
      if (withinMs === undefined) return;
      timer = setTimeout(() => {
        queue.splice(queue.indexOf(next), 1);
        resolve(false);
      }, withinMs);
    });
  }
}
