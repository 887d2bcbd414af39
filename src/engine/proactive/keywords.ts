import type { Steps } from "../in-slices.ts";
import { contentTerms } from "./content-terms.ts";

/** The words memories are looked up by: the most frequent terms of what was said and of what is followed up. */
export function* keywordSteps(texts: readonly string[], most: number): Steps<string[]> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const term of contentTerms(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
    yield;
  }
  return [...counts]
    .filter(([term]) => term.length > 1)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, most)
    .map(([term]) => term);
}
