import type { PageEvent } from "./page-api.ts";

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;

/** An event before it has its number. */
export type PageNews = WithoutId<PageEvent>;

/** Events kept for pages that come back after a short absence. */
const KEPT = 500;

/** The numbered line of news for the pages that watch. */
export class PageFeed {
  #lastId: number;
  #kept: PageEvent[] = [];
  readonly #listeners = new Set<(event: PageEvent) => void>();

  /** `firstId` must be above all ids of earlier runs, so that a page of before a restart is told to load anew. */
  constructor(firstId: number) {
    this.#lastId = firstId;
  }

  get lastId(): number {
    return this.#lastId;
  }

  publish(news: PageNews): void {
    this.#lastId += 1;
    const event = { ...news, id: this.#lastId } as PageEvent;
    this.#kept.push(event);
    if (this.#kept.length > KEPT) this.#kept = this.#kept.slice(-KEPT);
    for (const listener of this.#listeners) listener(event);
  }

  /** Events after `id`; undefined when some of them are no longer kept, or `id` is of an earlier run. */
  since(id: number): PageEvent[] | undefined {
    if (id > this.#lastId) return undefined;
    const missed = this.#kept.filter((event) => event.id > id);
    return missed.length === this.#lastId - id ? missed : undefined;
  }

  /** @returns the function that ends it */
  listen(listener: (event: PageEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
