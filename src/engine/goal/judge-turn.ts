import { LlmError } from "../ports.ts";
import type { Scope } from "../scope.ts";
import type { Goal, GoalCriterion, ToolUse } from "./goal.ts";
import { judgeByRules } from "./judge-by-rules.ts";
import { judgePrompt, verdictSchema } from "./judge-prompt.ts";
import { type ReadVerdict, readVerdict } from "./read-verdict.ts";

const JUDGE_TIMEOUT_MS = 45_000;
const JUDGE_TOKENS = 1_200;

export type Judgement =
  | { judged: true; by: string; verdict: ReadVerdict }
  /** fails open: the work goes on, and the budget is the stop */
  | { judged: false; because: "no_answer" | "unreadable" };

/**
 * One question to the judge about the end of a reply; without any model the agent's own mark decides. Never rejects for a
 * judge that cannot be asked or read.
 */
export async function judgeTurn(
  scope: Scope,
  goal: Goal,
  criteria: readonly GoalCriterion[],
  turn: { reply: string; tools: readonly ToolUse[] },
): Promise<Judgement> {
  const judge = judgeOf(scope);
  if (judge === undefined) {
    const verdict = judgeByRules(turn.reply, criteria, turn.tools);
    return verdict === undefined ? { judged: false, because: "no_answer" } : { judged: true, by: "rules", verdict };
  }
  try {
    const { value, model } = await judge.ask({
      purpose: "goal.judge",
      ...judgePrompt({
        goal: goal.text,
        criteria,
        reply: turn.reply,
        tools: turn.tools,
        now: scope.clock.now().toISOString(),
        language: goal.language,
      }),
      reply: verdictSchema,
      maxTokens: JUDGE_TOKENS,
      timeoutMs: JUDGE_TIMEOUT_MS,
      runId: goal.id,
    });
    return { judged: true, by: model, verdict: readVerdict(value, turn.reply, criteria, turn.tools) };
  } catch (error) {
    if (!(error instanceof LlmError)) throw error;
    scope.log.info("goal.not_judged", { goal: goal.id, kind: error.kind });
    return { judged: false, because: error.kind === "unreadable" ? "unreadable" : "no_answer" };
  }
}

/** The model that judges: its own setting, else the main one; undefined when there is none at all. */
export function judgeOf(scope: Scope): Scope["llm"] | undefined {
  if (scope.judge?.configured) return scope.judge;
  return scope.llm.configured ? scope.llm : undefined;
}
