import { z } from "zod";
import { touchCards, wantCard } from "../card-posts.ts";
import { cut } from "../clean-text.ts";
import { inTransaction, type Tx } from "../db.ts";
import { jsonColumn } from "../json-column.ts";
import { maskSecrets } from "../mask-secrets.ts";
import { type HermesGoal, LlmError } from "../ports.ts";
import type { Scope } from "../scope.ts";
import { judgePrompt, verdictSchema } from "./judge-prompt.ts";
import { judgeOf } from "./judge-turn.ts";
import { GOAL_CHARS } from "./limits.ts";
import { readVerdict } from "./read-verdict.ts";

/** What was seen to change between two looks. */
export const watchedChangeSchema = z.object({
  at: z.string(),
  status: z.string(),
  turnsUsed: z.number(),
  reason: z.string().optional(),
  /** the counter went back: somebody resumed it, or set it anew */
  reset: z.boolean().optional(),
});
export type WatchedChange = z.infer<typeof watchedChangeSchema>;

const MOST_CHANGES = 40;
/** Goals that stood still for longer are history: nobody is shown them when Herald first comes to a store. */
const FRESH_MS = 3 * 24 * 60 * 60_000;
const REASON_CHARS = 600;
const JUDGE_TIMEOUT_MS = 45_000;

/**
 * Looks at the goals Hermes runs by itself and keeps what changed. The owner gets one card for each goal that is being
 * worked on, changed in place from then on; Herald only watches. A goal that Hermes calls done is judged once more, and a
 * different view is shown beside it.
 * @returns how many changed
 */
export async function watchHermesGoals(scope: Scope): Promise<number> {
  const goals = await scope.hermesGoals?.list();
  let changed = 0;
  for (const goal of goals ?? []) if (await noteGoal(scope, goal)) changed++;
  return changed;
}

async function noteGoal(scope: Scope, goal: HermesGoal): Promise<boolean> {
  const key = { agentId_sessionId: { agentId: scope.agent.id, sessionId: goal.sessionId } };
  const before = await scope.db.watchedGoal.findUnique({ where: key });
  if (before === null && !isFresh(scope, goal)) return false;
  const text = cut(maskSecrets(goal.text), GOAL_CHARS);
  const reason = goal.reason === undefined ? null : cut(maskSecrets(goal.reason), REASON_CHARS);
  const seen = {
    text,
    status: goal.status,
    turnsUsed: goal.turnsUsed,
    maxTurns: goal.maxTurns,
    reason,
    continuedAs: goal.continuedAs ?? null,
  };
  const same =
    before !== null &&
    Object.entries(seen).every(([name, value]) => before[name as keyof typeof seen] === value) &&
    JSON.stringify(before.subgoals) === JSON.stringify(goal.subgoals);
  if (same) return false;
  // Asked before the transaction: on SQLite every other write would wait for the model.
  const opinion = goal.status === "done" && before?.status !== "done" ? await secondOpinion(scope, goal) : undefined;
  const now = scope.clock.now();
  const isNewGoal = before === null || before.text !== text;
  const change: WatchedChange = {
    at: now.toISOString(),
    status: goal.status,
    turnsUsed: goal.turnsUsed,
    ...(reason !== null && { reason }),
    ...(!isNewGoal && goal.turnsUsed < before.turnsUsed && { reset: true }),
  };
  const changes = [...(isNewGoal ? [] : watchedChangeSchema.array().catch([]).parse(before.changes)), change];
  const data = {
    ...seen,
    subgoals: jsonColumn([...goal.subgoals]),
    changes: jsonColumn(changes.slice(-MOST_CHANGES)),
    opinion: opinion ?? (goal.status === "done" ? (before?.opinion ?? null) : null),
    changedAt: now,
  };
  await inTransaction(scope.db, async (tx) => {
    await tx.watchedGoal.upsert({
      where: key,
      update: data,
      create: { ...data, agentId: scope.agent.id, sessionId: goal.sessionId, firstSeenAt: now },
    });
    if (goal.status === "active" || goal.status === "paused") await wantForOwner(tx, scope, goal.sessionId, text);
    await touchCards(tx, scope, { kind: "watched-goal", id: goal.sessionId });
  });
  return true;
}

function isFresh(scope: Scope, goal: HermesGoal): boolean {
  if (goal.status !== "active" && goal.status !== "paused") return false;
  const last = goal.lastTurnAt?.getTime() ?? scope.clock.now().getTime();
  return scope.clock.now().getTime() - last < FRESH_MS;
}

/** One card for each goal, however often it is seen: the words of the goal are part of what makes it the same. */
async function wantForOwner(tx: Tx, scope: Scope, sessionId: string, text: string): Promise<void> {
  const owner = await tx.person.findFirst({
    where: { agentId: scope.agent.id, role: "owner", revokedAt: null },
    orderBy: { createdAt: "asc" },
  });
  if (owner === null) return;
  await wantCard(tx, scope, {
    subject: { kind: "watched-goal", id: sessionId },
    to: { openId: owner.openId },
    language: owner.language === "en" || owner.language === "zh" ? owner.language : scope.agent.language,
    idempotencyKey: `wg-${digest(`${scope.agent.id}/${sessionId}/${text}`)}`,
    view: { viewer: owner.openId },
  });
}

/** Herald's own view of a goal that Hermes calls done, when it is another one; undefined when it agrees or cannot say. */
async function secondOpinion(scope: Scope, goal: HermesGoal): Promise<string | undefined> {
  const judge = judgeOf(scope);
  if (judge === undefined || goal.lastReply === undefined) return undefined;
  const criteria = goal.subgoals.map((text, i) => ({ number: i + 1, text }));
  try {
    const { value } = await judge.ask({
      purpose: "goal.second_opinion",
      ...judgePrompt({
        goal: goal.text,
        criteria,
        reply: maskSecrets(goal.lastReply),
        tools: [],
        now: scope.clock.now().toISOString(),
        language: scope.agent.language,
      }),
      reply: verdictSchema,
      maxTokens: 800,
      timeoutMs: JUDGE_TIMEOUT_MS,
    });
    const own = readVerdict(value, goal.lastReply, criteria, []);
    return own.verdict === "done" ? undefined : cut(maskSecrets(own.reason), REASON_CHARS);
  } catch (error) {
    if (error instanceof LlmError) return undefined;
    throw error;
  }
}

/** Short and stable, for a key. FNV-1a twice, over the text and its reverse. */
function digest(text: string): string {
  const fnv = (points: Iterable<string>): string => {
    let value = 0x811c9dc5;
    for (const point of points) value = Math.imul(value ^ (point.codePointAt(0) ?? 0), 0x01000193);
    return (value >>> 0).toString(36);
  };
  return `${fnv(text)}${fnv([...text].reverse())}`;
}
