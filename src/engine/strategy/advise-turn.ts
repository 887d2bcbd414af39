import { matchRules } from "./match-rules.ts";
import type { Features, Strategy } from "./rule.ts";

/** Characters of hints a turn is given at most, and how many hints. */
export const BUDGET_CHARS = 600;
export const MOST_HINTS = 3;

export interface Advice {
  strategyId: string;
  hint: string;
}

/**
 * The best few hints that fit a turn, within a budget of characters. What does not fit the budget any more is passed over
 * for a shorter one behind it.
 */
export function adviseTurn(
  strategies: readonly Strategy[],
  features: Features,
  now: Date,
  { budgetChars = BUDGET_CHARS, most = MOST_HINTS }: { budgetChars?: number; most?: number } = {},
): Advice[] {
  const advice: Advice[] = [];
  let left = budgetChars;
  const warnings = strategies.filter((strategy) => strategy.level === "warn");
  for (const { id, hint } of matchRules(warnings, features, now)) {
    if (advice.length === most) break;
    if (hint.length > left || advice.some((each) => each.hint === hint)) continue;
    advice.push({ strategyId: id, hint });
    left -= hint.length;
  }
  return advice;
}
