import { touchCards } from "../card-posts.ts";
import { inTransaction } from "../db.ts";
import type { Scope } from "../scope.ts";
import { expireQuestion } from "./answer-question.ts";
import { type AgentQuestion, type QuestionStatus, questionSchema, type VoidReason } from "./question.ts";

/** What a question that nobody answered is answered with, so that nothing at the other end waits for ever. */
const NO = "deny";
/** Telling is given up after this: the turn has moved on. */
const TELL_WITHIN_MS = 10 * 60_000;

/**
 * The sweep between a person's decision and Hermes: tells what was decided and notes whether it was taken, and ends what
 * nobody answered in time. Telling is noted before it is done: after a crash in between, a "no" of the other end says
 * nothing about the first try, and the card says that it is not known.
 * @returns how many questions moved on
 */
export async function tellAnswers(scope: Scope): Promise<number> {
  const now = scope.clock.now();
  const agentId = scope.agent.id;
  const late = await scope.db.agentQuestion.findMany({
    where: { agentId, status: "open", expiresAt: { lte: now } },
    orderBy: { expiresAt: "asc" },
    take: 100,
  });
  for (const row of late) {
    const question = questionSchema.parse(row);
    await inTransaction(scope.db, (tx) => expireQuestion(tx, scope, question));
    if (question.kind === "approval") await scope.turns.answer(question.ref, NO).catch(() => false);
  }
  const decided = await scope.db.agentQuestion.findMany({
    where: { agentId, status: "answered" },
    orderBy: { answeredAt: "asc" },
    take: 100,
  });
  let moved = late.length;
  for (const row of decided) if (await tell(scope, questionSchema.parse(row), now)) moved++;
  return moved;
}

async function tell(scope: Scope, question: AgentQuestion, now: Date): Promise<boolean> {
  const tried = question.tellingAt !== null;
  const { count } = await scope.db.agentQuestion.updateMany({
    where: { id: question.id, agentId: scope.agent.id, status: "answered", tellingAt: question.tellingAt },
    data: { tellingAt: now },
  });
  if (count === 0) return false;
  let taken: boolean;
  try {
    taken = await scope.turns.answer(question.ref, question.choice ?? NO);
  } catch (error) {
    scope.log.warn("question.not_told", { question: question.id, error: String(error) });
    const since = question.answeredAt?.getTime() ?? 0;
    if (scope.clock.now().getTime() - since < TELL_WITHIN_MS) return false;
    return settle(scope, question, "unsure", "not_taken");
  }
  if (taken) return settle(scope, question, "told");
  return tried ? settle(scope, question, "unsure", "not_taken") : settle(scope, question, "void", "not_taken");
}

async function settle(
  scope: Scope,
  question: AgentQuestion,
  status: QuestionStatus,
  voidBecause?: VoidReason,
): Promise<boolean> {
  return inTransaction(scope.db, async (tx) => {
    const { count } = await tx.agentQuestion.updateMany({
      where: { id: question.id, agentId: scope.agent.id, status: "answered" },
      data: {
        status,
        voidBecause: voidBecause ?? null,
        settledAt: scope.clock.now(),
        revision: { increment: 1 },
      },
    });
    if (count > 0) await touchCards(tx, scope, { kind: "question", id: question.id });
    return count > 0;
  });
}
