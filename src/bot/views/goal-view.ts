import type { GoalTurnView, GoalView } from "../../cards/goal-card.ts";
import type { GoalListView } from "../../cards/goal-list-card.ts";
import { isTooOld } from "../../engine/card-post.ts";
import type { CardPost } from "../../engine/card-posts.ts";
import { criteriaOf } from "../../engine/goal/find-goal.ts";
import { goalSchema, goalTurnSchema } from "../../engine/goal/goal.ts";
import { judgeOf } from "../../engine/goal/judge-turn.ts";
import { TAIL_CHARS } from "../../engine/goal/limits.ts";
import { listGoals } from "../../engine/goal/list-goals.ts";
import { namesOf } from "../../engine/people/know-person.ts";
import { type ViewContext, whoIs } from "./view-context.ts";
import { viewerActor } from "./viewer.ts";

const TURNS_SHOWN = 20;
const WORK_SHOWN = 6;

/** Where a goal stands now, all from its rows. */
export async function goalView(context: ViewContext, post: CardPost): Promise<GoalView | undefined> {
  const { scope, look } = context;
  const agentId = scope.agent.id;
  const row = await scope.db.goal.findFirst({ where: { id: post.subjectId, agentId } });
  if (row === null) return undefined;
  const goal = goalSchema.parse(row);
  const criteria = await criteriaOf(scope.db, scope, goal.id);
  const turns = (
    await scope.db.goalTurn.findMany({
      where: { agentId, goalId: goal.id },
      orderBy: { number: "desc" },
      take: TURNS_SHOWN,
    })
  ).map((each) => goalTurnSchema.parse(each));
  const spent = await scope.db.goalTurn.aggregate({
    where: { agentId, goalId: goal.id },
    _sum: { inputTokens: true, outputTokens: true },
  });
  const failed = await scope.db.goalTurn.count({
    where: { agentId, goalId: goal.id, status: { in: ["failed", "lost"] } },
  });
  const [latest] = turns;
  const { budgetBy, pausedBecause, reason, evidence, check } = goal;
  const names = budgetBy === null ? new Map<string, string>() : await namesOf(scope, [budgetBy]);
  return {
    goal: goal.id,
    number: goal.number,
    text: goal.text,
    state: goal.status,
    ...(pausedBecause !== null && { cause: pausedBecause }),
    ...(reason !== null && { reason }),
    ...(evidence !== null && { evidence }),
    used: goal.turnsUsed,
    budget: goal.budget,
    ...(budgetBy !== null && { budgetBy: whoIs(context, budgetBy, names) }),
    failed,
    since: goal.createdAt,
    until: goal.endedAt ?? look.now,
    tokens: (spent._sum.inputTokens ?? 0) + (spent._sum.outputTokens ?? 0),
    criteria: criteria.map((each) => ({
      number: each.number,
      text: each.text,
      ...(each.metAt !== null && { evidence: each.evidence ?? "claimed" }),
    })),
    ...(check !== null && { check }),
    work: (latest?.tools ?? [])
      .slice(-WORK_SHOWN)
      .map(({ name, preview }) => (preview ? `${name} · ${preview}` : name)),
    turns: turns.map(
      (turn): GoalTurnView => ({
        number: turn.number,
        state: turn.status,
        ...(turn.verdict !== null && { verdict: turn.verdict }),
        ...(turn.reason !== null && { reason: turn.reason }),
      }),
    ),
    ...(latest !== undefined && latest.replyChars > TAIL_CHARS && { cutTo: TAIL_CHARS }),
    noJudge: judgeOf(scope) === undefined,
    turnRuns: latest?.status === "running" && latest.endedAt === null,
    ...(goal.status === "active" &&
      goal.nextTryAt !== null &&
      goal.nextTryAt > look.now && { waitsUntil: goal.nextTryAt }),
    details: post.view?.details === true,
    ...(isTooOld(post, look.now) && { expired: true }),
  };
}

/** The goals the reader may see; undefined when they may see none any more. */
export async function goalListView(context: ViewContext, post: CardPost): Promise<GoalListView | undefined> {
  const viewer = await viewerActor(context.scope, post.view);
  if (viewer === undefined) return undefined;
  const goals = await listGoals(context.scope, viewer.actor);
  return {
    goals: goals.map((goal) => ({
      goal: goal.id,
      number: goal.number,
      text: goal.text,
      state: goal.status,
      used: goal.turnsUsed,
      budget: goal.budget,
    })),
  };
}
