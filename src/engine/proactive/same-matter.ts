import type { Evidence } from "../evidence.ts";
import { contentTerms, likeness } from "./content-terms.ts";
import { sourceKey } from "./number-sources.ts";

/** What two accounts of a matter are compared by. */
export interface Comparable {
  title: string;
  dueAt: Date | null;
  evidence: readonly Evidence[];
}

const SAME_LINE_LIKENESS = 0.4;
const OTHER_LINE_LIKENESS = 0.75;
const SAME_DATE_MS = 36 * 3_600_000;

/**
 * Do two accounts speak of one matter? Out of the same line they need only be alike; out of different lines they must be
 * nearly the same and not name dates far apart. Two matters of one line ("报价单周四前，周报周五前") stay two.
 */
export function isSameMatter(a: Comparable, b: Comparable): boolean {
  const alike = likeness(contentTerms(a.title), contentTerms(b.title));
  if (sharesALine(a.evidence, b.evidence)) return a.title.trim() === b.title.trim() || alike >= SAME_LINE_LIKENESS;
  if (a.dueAt && b.dueAt && Math.abs(a.dueAt.getTime() - b.dueAt.getTime()) > SAME_DATE_MS) return false;
  return alike >= OTHER_LINE_LIKENESS;
}

/** The same line by its id, or by its words: ids change when Hermes rewrites a session, words do not. */
export function sharesALine(a: readonly Evidence[], b: readonly Evidence[]): boolean {
  const keys = new Set(a.flatMap((e) => [sourceKey(e), wordsKey(e)]));
  return b.some((e) => keys.has(sourceKey(e)) || keys.has(wordsKey(e)));
}

/** Short lines ("好的") are said too often to be told apart by their words. */
function wordsKey(evidence: Evidence): string {
  const words = evidence.quote.replace(/\s+/gu, " ").trim();
  return words.length < 6 ? sourceKey(evidence) : `words ${evidence.role} ${words}`;
}

/** Both accounts' lines, without repeats, oldest first. */
export function joinEvidence(a: readonly Evidence[], b: readonly Evidence[], most: number): Evidence[] {
  const joined = new Map<string, Evidence>();
  for (const e of [...a, ...b]) joined.set(sourceKey(e), e);
  return [...joined.values()].sort((x, y) => x.at.getTime() - y.at.getTime()).slice(-most);
}
