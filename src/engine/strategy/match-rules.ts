import type { Condition, Features, Strategy } from "./rule.ts";
import { LOOKED_AT, PatternCache } from "./safe-pattern.ts";

/** One cache for the process: the same rules are asked again and again. */
const patterns = new PatternCache();

/** As texts are compared: small letters, one space for any white space. */
export function plainText(text: string): string {
  return text.slice(0, LOOKED_AT).toLowerCase().replace(/\s+/g, " ").trim();
}

/** A rule counts while it is switched on and not past its end. */
export function inForce(strategy: Strategy, now: Date): boolean {
  return strategy.enabled && (strategy.expiresAt === undefined || strategy.expiresAt > now);
}

/** Whether every condition holds. A condition on something unknown does not. */
export function fits(strategy: Pick<Strategy, "when">, features: Features, cache = patterns): boolean {
  const texts = new Map<string, string>();
  // Patterns last: most rules fall at a plain text before one is run.
  const when = strategy.when.toSorted((a, b) => Number(a.op === "regex_match") - Number(b.op === "regex_match"));
  return when.every((condition) => {
    const given = features[condition.on];
    if (given === undefined) return false;
    const text = texts.get(condition.on) ?? plainText(given);
    texts.set(condition.on, text);
    return holds(condition, text, cache);
  });
}

function holds({ op, any }: Condition, text: string, cache: PatternCache): boolean {
  switch (op) {
    case "contains":
      return any.some((value) => text.includes(plainText(value)));
    case "equals":
      return any.some((value) => text === plainText(value));
    case "not_contains":
      return !any.some((value) => text.includes(plainText(value)));
    case "regex_match":
      return any.some((pattern) => cache.matches(pattern, text));
  }
}

/** Those that fit, the most important first; of equals, the one given first. */
export function matchRules(
  strategies: readonly Strategy[],
  features: Features,
  now: Date,
  cache = patterns,
): Strategy[] {
  return strategies
    .filter((strategy) => inForce(strategy, now) && fits(strategy, features, cache))
    .sort((a, b) => b.priority - a.priority);
}
