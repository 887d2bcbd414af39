import type { Evidence } from "../evidence.ts";

/** A quoted piece of evidence under the number workers cite: [source:N]. */
export interface Source {
  number: number;
  evidence: Evidence;
}

/**
 * Numbers evidence in the order it is shown. The same line keeps its number wherever it turns up again; numbers already
 * given never change, so a later worker's documents may be built on the earlier ones.
 */
export class SourceNumbers {
  readonly #sources: Source[] = [];
  readonly #numbers = new Map<string, number>();

  /** The number of this line, given now if it has none yet. */
  numberOf(evidence: Evidence): number {
    const key = sourceKey(evidence);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#sources.length + 1;
    this.#sources.push({ number, evidence });
    this.#numbers.set(key, number);
    return number;
  }

  /** The evidence a worker cited; undefined when there is no such number. */
  find(number: number): Evidence | undefined {
    return this.#sources[number - 1]?.evidence;
  }

  get all(): readonly Source[] {
    return this.#sources;
  }
}

/** What makes two pieces of evidence the same line. */
export function sourceKey(evidence: Pick<Evidence, "sessionId" | "messageId" | "role">): string {
  return `${evidence.role === "cron" || evidence.role === "memory" ? evidence.role : "message"} ${evidence.sessionId} ${evidence.messageId}`;
}
