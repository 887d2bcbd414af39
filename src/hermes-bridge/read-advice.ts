import type { Scope } from "../engine/scope.ts";

/** On what a condition looks: the person's words of the turn, or the arguments of a call. */
export type AdviceOn = "platform" | "model" | "tool" | "text" | "input";

/**
 * A rule as the plugin takes it. It never carries a regular expression: `pattern` is a choice of pieces of text that occur
 * in order, so that a search takes time in proportion to the text.
 */
export interface AdviceRule {
  id: string;
  level: "warn" | "block";
  /** the hint, or why a call should not be made */
  say: string;
  priority: number;
  /** all of them hold */
  when: readonly (
    | { on: AdviceOn; op: "equals" | "contains" | "not_contains"; any: readonly string[] }
    | { on: AdviceOn; op: "pattern"; any: readonly (readonly string[])[] }
  )[];
}

/** The rules in force. */
export async function readAdvice(_scope: Scope): Promise<readonly AdviceRule[]> {
  return [];
}
