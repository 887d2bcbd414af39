import type { EvidenceClass, GoalCriterion, ToolUse } from "./goal.ts";
import type { Verdict } from "./judge-prompt.ts";

export interface ReadVerdict {
  verdict: "continue" | "done" | "blocked";
  reason: string;
  evidence: EvidenceClass;
  criteria: readonly { number: number; met: boolean; evidence: EvidenceClass }[];
}

/** Said when there is nothing more to try: the goal is not reached by it. */
const CANNOT =
  /(?:无法|不能|没法|没办法)(?:完成|达成|实现|继续|做到)|没有(?:权限|访问权)|权限不足|不可能(?:完成|达成|实现)?|被(?:拒绝|阻塞)|需要(?:你|用户|人工)(?:提供|确认|授权|处理)|(?:cannot|can't|can not|unable to|impossible to) (?:be )?(?:complete|achieve|continue|proceed|reach|access|do|reached|done|completed)|permission denied|no (?:permission|access)|needs? (?:the )?(?:user|human|you)\b|\bblocked\b|is impossible/iu;

const GOAL_CANNOT =
  /^(?:这个|该)?(?:目标|任务)?(?:目前|现在)?(?:无法|不能|没法|没办法|不可能)|^(?:the )?(?:goal|task|it) (?:cannot|can't|is impossible|is blocked)/iu;

/** An apology or a surrender: what a reply says that gives up without a result. */
const GIVES_UP =
  /(?:抱歉|对不起|很遗憾)[^。\n]{0,40}(?:无法|不能|没法|没能|做不到|失败)|我(?:已经)?(?:放弃|尽力了)|(?:i'?m |i am )?(?:sorry|afraid)[^.\n]{0,60}(?:can't|cannot|unable|couldn't|could not|failed)|i (?:give up|was unable to|could not|couldn't)\b/iu;

/**
 * A judge's answer, made careful: all criteria must hold for done; what cannot be reached is blocked, not done; a reply
 * that gives up is never done; "seen" needs a tool that ran in this very turn, whatever the judge believes.
 */
export function readVerdict(
  answer: Verdict,
  reply: string,
  criteria: readonly Pick<GoalCriterion, "number">[],
  tools: readonly ToolUse[],
): ReadVerdict {
  const ran = tools.some((tool) => tool.state === "completed");
  const judged = criteria.map(({ number }) => {
    const found = answer.criteria?.find((each) => each.n === number);
    const evidence: EvidenceClass = ran && found?.seen === true ? "seen" : "claimed";
    return { number, met: found?.met ?? (answer.done && !answer.criteria), evidence };
  });
  const { reason } = answer;
  const continued = { verdict: "continue", reason, evidence: "claimed", criteria: judged } as const;
  // Where the judge says itself that it is not blocked, only a reason that begins with the goal's failure outweighs that:
  // "the missing permission is fixed" is a success.
  const cannot = typeof answer.blocked === "boolean" ? GOAL_CANNOT : CANNOT;
  if (answer.blocked === true || (answer.done && cannot.test(reason))) return { ...continued, verdict: "blocked" };
  if (!answer.done || judged.some((each) => !each.met)) return continued;
  if (GIVES_UP.test(reply.slice(-600))) return continued;
  const seen = ran && (judged.length === 0 ? answer.seen === true : judged.every((each) => each.evidence === "seen"));
  return { verdict: "done", reason, evidence: seen ? "seen" : "claimed", criteria: judged };
}
