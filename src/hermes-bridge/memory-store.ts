import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Memory, MemoryStore } from "../engine/ports.ts";

/** Hermes joins entries by exactly this. */
const DELIMITER = "\n§\n";
const FILES = [
  { name: "MEMORY.md", target: "memory" },
  { name: "USER.md", target: "user" },
] as const satisfies readonly { name: string; target: Memory["target"] }[];

const words = new Intl.Segmenter("zh", { granularity: "word" });

/** The MemoryStore port on `memories/` of a Hermes home: small files, read afresh each time. */
export class HermesMemoryStore implements MemoryStore {
  readonly #folder: string;

  constructor(hermesHome: string) {
    this.#folder = join(hermesHome, "memories");
  }

  async recall(keywords: readonly string[], most: number): ReturnType<MemoryStore["recall"]> {
    const files = await Promise.all(
      FILES.map(async ({ name, target }) => ({ target, ...(await this.#entries(name)) })),
    );
    const states = files.map(({ state }) => state);
    const wanted = new Set(keywords.flatMap(wordsOf));
    const memories = files
      .flatMap(({ target, entries }) => entries.map((text) => ({ target, text, score: score(text, wanted) })))
      .filter(({ score: shared }) => shared > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, most)
      .map(({ target, text }) => ({ target, text }));
    if (states.includes("unreadable")) return { state: "unreadable", memories };
    return { state: states.includes("ok") ? "ok" : "missing", memories };
  }

  async #entries(name: string): Promise<{ state: "ok" | "missing" | "unreadable"; entries: string[] }> {
    try {
      const text = (await readFile(join(this.#folder, name), "utf8")).replaceAll("\r\n", "\n");
      return {
        state: "ok",
        entries: text
          .split(DELIMITER)
          .map((entry) => entry.trim())
          .filter(Boolean),
      };
    } catch (error) {
      return { state: (error as NodeJS.ErrnoException).code === "ENOENT" ? "missing" : "unreadable", entries: [] };
    }
  }
}

/** Words worth comparing: of two characters or more, so that particles and punctuation do not tie everything together. */
function wordsOf(text: string): string[] {
  return [...words.segment(text.toLowerCase())]
    .filter(({ segment, isWordLike }) => isWordLike && [...segment].length > 1)
    .map(({ segment }) => segment);
}

/** How many of the wanted words the entry shares; longer words say more. */
function score(entry: string, wanted: ReadonlySet<string>): number {
  let sum = 0;
  for (const word of new Set(wordsOf(entry))) if (wanted.has(word)) sum += 1 + Math.min(word.length, 10) / 10;
  return sum;
}
