import type { Scope } from "../scope.ts";
import { inForce, plainText } from "./match-rules.ts";
import type { Condition, Strategy } from "./rule.ts";
import { plainPieces } from "./safe-pattern.ts";
import { readStrategies } from "./strategy-set.ts";

type Look = "platform" | "model" | "tool" | "text" | "input";

/** A rule that can be evaluated anywhere in linear time: it carries no pattern, only plain pieces that occur in order. */
export interface PortableRule {
  id: string;
  level: "warn" | "block";
  say: string;
  priority: number;
  when: (
    | { on: Look; op: "equals" | "contains" | "not_contains"; any: string[] }
    | { on: Look; op: "pattern"; any: string[][] }
  )[];
}

/** The rules in force in the form the plugin evaluates by itself. */
export async function strategyFeed(scope: Scope): Promise<PortableRule[]> {
  const { strategies } = await readStrategies(scope);
  return portableRules(strategies, scope.clock.now());
}

/** Rules that cannot be said without a pattern, or that look at what a hook does not know, are left out. */
export function portableRules(strategies: readonly Strategy[], now: Date): PortableRule[] {
  return strategies
    .filter((strategy) => inForce(strategy, now) && isPortable(strategy))
    .flatMap((strategy) => {
      const when = strategy.when.map(portable);
      return {
        id: strategy.id,
        level: strategy.level,
        say: strategy.hint,
        priority: strategy.priority,
        when: when.filter((condition) => condition !== undefined),
      };
    });
}

/**
 * Whether the plugin can evaluate a rule: it looks only at what its hook knows (a hint at the turn, a guard at the call), and
 * its patterns are plain pieces. A rule that is not would stand in the set and never act.
 */
export function isPortable({ level, when }: Pick<Strategy, "level" | "when">): boolean {
  const unknown: readonly string[] = level === "warn" ? ["tool", "input"] : ["text"];
  return when.every((condition) => portable(condition) !== undefined && !unknown.includes(condition.on));
}

function portable({ on, op, any }: Condition): PortableRule["when"][number] | undefined {
  if (on === "category") return undefined;
  if (op !== "regex_match") {
    const values = any.map(plainText);
    return values.includes("") ? undefined : { on, op, any: values };
  }
  const pieces = any.map(plainPieces);
  if (pieces.some((each) => each === undefined)) return undefined;
  return { on, op: "pattern", any: pieces.flatMap((each) => each ?? []) };
}
