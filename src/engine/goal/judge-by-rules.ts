import type { GoalCriterion, ToolUse } from "./goal.ts";
import { type ReadVerdict, readVerdict } from "./read-verdict.ts";

/** What Hermes is asked to end its reply with while there is no judge: its own word, and only in this form. */
export const DONE_MARK = "[GOAL: DONE]";
export const BLOCKED_MARK = "[GOAL: BLOCKED]";
const MARK = /^\s*[*_`]*\[GOAL:\s*(DONE|BLOCKED)\][*_`]*\s*(.*)$/iu;
const LAST_LINES = 4;

/**
 * Without a judge's model the agent's own word decides, and only as the marked last line it was asked for; everything else
 * continues. What rests on it is `claimed` at most.
 */
export function judgeByRules(
  reply: string,
  criteria: readonly Pick<GoalCriterion, "number">[],
  tools: readonly ToolUse[],
): ReadVerdict | undefined {
  const lines = reply.trimEnd().split("\n").slice(-LAST_LINES);
  for (const line of lines.reverse()) {
    const [, word, rest = ""] = MARK.exec(line) ?? [];
    if (word === undefined) continue;
    const blocked = word.toUpperCase() === "BLOCKED";
    const reason = rest
      .replace(/^[\s:：—-]+/u, "")
      .trim()
      .slice(0, 300);
    const said = reason === "" ? lastWords(reply, line) : reason;
    return readVerdict({ done: true, blocked, reason: said }, reply, criteria, tools);
  }
  return undefined;
}

/** The line before the mark, as the reason of a mark that gives none. */
function lastWords(reply: string, mark: string): string {
  const before = reply.slice(0, reply.lastIndexOf(mark)).trim().split("\n").at(-1)?.trim() ?? "";
  return before === "" ? mark.trim() : before.slice(0, 300);
}
