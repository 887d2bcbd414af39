import { recordAudit } from "../audit.ts";
import { touchCards } from "../card-posts.ts";
import { cleanText, cut } from "../clean-text.ts";
import { inTransaction, type Tx } from "../db.ts";
import { EngineError } from "../errors.ts";
import { statusesBefore } from "../lifecycle.ts";
import { assertMay, isAtLeast } from "../people/person.ts";
import type { PersonActor, Scope } from "../scope.ts";
import { readSettings } from "../settings.ts";
import { type AgentQuestion, questionLifecycle, questionSchema } from "./question.ts";
import { whoIsAsked } from "./who-is-asked.ts";

const SAID_CHARS = 1_000;

export type AnswerResult =
  | { outcome: "answered"; question: AgentQuestion }
  /** Somebody was quicker, time was, or nobody waits for it: how it stands. */
  | { outcome: "already"; question: AgentQuestion };

/**
 * A person decides what Hermes asked. Who may is looked up now: letting a command run takes the role of the setting,
 * other questions are for whoever asked Hermes, or an admin. Of several answers the first counts; Hermes is told by the
 * sweep, and until it has taken it the card says so.
 * @param input.choice index of what was offered, or words where nothing was
 * @throws EngineError forbidden · not_found · invalid_input
 */
export async function answerQuestion(
  scope: Scope,
  who: PersonActor,
  input: { questionId: string; choice: number | string },
): Promise<AnswerResult> {
  assertMay(who, "chat");
  return inTransaction(scope.db, async (tx) => {
    const question = await readQuestion(tx, scope, input.questionId);
    await assertMayAnswer({ ...scope, db: tx }, who, question);
    if (question.status !== "open") return { outcome: "already", question };
    const now = scope.clock.now();
    if (question.expiresAt <= now) return { outcome: "already", question: await expireQuestion(tx, scope, question) };
    const choice = typeof input.choice === "number" ? question.choices[input.choice] : said(question, input.choice);
    if (choice === undefined)
      throw new EngineError("invalid_input", {
        path: "choice",
        expected: "choice",
        example: question.choices[0] ?? "",
      });
    const { count } = await tx.agentQuestion.updateMany({
      where: {
        id: question.id,
        agentId: scope.agent.id,
        status: { in: statusesBefore(questionLifecycle, "answer") },
        expiresAt: { gt: now },
      },
      data: { status: "answered", choice, answeredBy: who.openId, answeredAt: now, revision: { increment: 1 } },
    });
    if (count === 0) return { outcome: "already", question: await readQuestion(tx, scope, question.id) };
    await recordAudit(tx, scope, {
      who,
      what: "question.answer",
      subject: { kind: "question", id: question.id },
      before: { status: "open" },
      after: { status: "answered", choice, kind: question.kind, text: cut(question.text, 500) },
    });
    await touchCards(tx, scope, { kind: "question", id: question.id });
    return { outcome: "answered", question: await readQuestion(tx, scope, question.id) };
  });
}

/** Nobody answered in time. The sweep tells Hermes, which takes it for a no. */
export async function expireQuestion(tx: Tx, scope: Scope, question: AgentQuestion): Promise<AgentQuestion> {
  const { count } = await tx.agentQuestion.updateMany({
    where: { id: question.id, agentId: scope.agent.id, status: { in: statusesBefore(questionLifecycle, "expire") } },
    data: { status: "expired", settledAt: scope.clock.now(), revision: { increment: 1 } },
  });
  if (count > 0) await touchCards(tx, scope, { kind: "question", id: question.id });
  return readQuestion(tx, scope, question.id);
}

/** @throws EngineError not_found */
export async function readQuestion(tx: Tx, scope: Scope, id: string): Promise<AgentQuestion> {
  const row = await tx.agentQuestion.findFirst({ where: { id, agentId: scope.agent.id } });
  if (row === null) throw new EngineError("not_found", { what: "question" });
  return questionSchema.parse(row);
}

/** @throws EngineError forbidden, naming the least role that may */
async function assertMayAnswer(scope: Scope, who: PersonActor, question: AgentQuestion): Promise<void> {
  const { approvers } = await readSettings(scope);
  const action = "question.answer";
  if (question.kind === "approval") {
    if (!isAtLeast(who.role, approvers)) throw new EngineError("forbidden", { action, need: approvers });
    return;
  }
  const asked = await whoIsAsked(scope.db, scope, question.turnId);
  if (asked?.openId !== who.openId) assertMay(who, "turn.of_others");
}

function said(question: AgentQuestion, words: string): string | undefined {
  const text = cut(cleanText(words).trim(), SAID_CHARS);
  // Whether a command may run is never a matter of free words.
  if (text === "" || question.kind === "approval") return undefined;
  return text;
}
