/** Work that has been begun and must not be cut off: a stop waits for it. */
export class InHand {
  readonly #works = new Set<Promise<unknown>>();

  get size(): number {
    return this.#works.size;
  }

  /** Passes `work` through and remembers it until it ends. */
  hold<T>(work: Promise<T>): Promise<T> {
    const ended = work.then(
      () => {},
      () => {},
    );
    this.#works.add(ended);
    void ended.then(() => this.#works.delete(ended));
    return work;
  }

  /** Resolves when nothing is in hand, or after so many ms. @returns false when something still is */
  async settled(withinMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(resolve, withinMs, "late");
    });
    const all = async (): Promise<"done"> => {
      while (this.#works.size > 0) await Promise.all(this.#works);
      return "done";
    };
    const first = await Promise.race([all(), late]);
    clearTimeout(timer);
    return first === "done";
  }
}
