import { matchRules } from "./match-rules.ts";
import type { Features, Strategy } from "./rule.ts";

/** A person's ways to Herald: no rule closes them. */
const NEVER_BLOCKED: ReadonlySet<string> = new Set(["tracking_manage", "proactivity_read", "proactivity_select"]);

/** Why a tool call is held back; undefined when nothing speaks against it. */
export function guardToolCall(
  strategies: readonly Strategy[],
  call: Features & { tool: string },
  now: Date,
): { strategyId: string; why: string } | undefined {
  if (NEVER_BLOCKED.has(call.tool)) return undefined;
  const blocks = strategies.filter((strategy) => strategy.level === "block");
  const [first] = matchRules(blocks, call, now);
  return first && { strategyId: first.id, why: first.hint };
}
