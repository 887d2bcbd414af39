import { receiverOf } from "../agent-messages/deliver-agent-message.ts";
import { type SubjectRef, touchCards, wantCard } from "../card-posts.ts";
import { cleanText, cut } from "../clean-text.ts";
import { inTransaction, type Tx } from "../db.ts";
import { jsonColumn } from "../json-column.ts";
import { statusesBefore } from "../lifecycle.ts";
import { maskSecrets } from "../mask-secrets.ts";
import type { TurnEvent } from "../ports.ts";
import type { Scope } from "../scope.ts";
import { questionLifecycle, type VoidReason } from "./question.ts";
import type { Turn } from "./turn.ts";

/** How long a question is open when the other end does not say: Hermes' gateway waits five minutes for an approval. */
const OPEN_MS = { approval: 5 * 60_000, question: 30 * 60_000 } as const;
/** A question that reaches further ahead is no question of a running turn. */
const LONGEST_MS = 24 * 60 * 60_000;
const TEXT_CHARS = 4_000;
/** A command is shown whole up to this length. Of a longer one nobody sees all: it may be let run once, never again and again. */
export const WHOLE_COMMAND_CHARS = 6_000;
/** Of a command that is longer still the beginning and the end are kept. */
const COMMAND_CHARS = { head: 14_000, tail: 6_000 } as const;
const OF_LONG_COMMANDS: ReadonlySet<string> = new Set(["once", "deny"]);
const CHOICE_CHARS = 200;
const MOST_CHOICES = 20;

/** An event of a turn that asks something. */
export type Asked = Extract<TurnEvent, { kind: "approval" | "question" }>;

/** A turn in whose middle Hermes asks: a chat's own, or one of a goal (which has no message it answers to). */
export type AskingTurn = Pick<
  Turn,
  "id" | "chatId" | "chatType" | "threadId" | "messageId" | "senderOpenId" | "language"
> & {
  /** the card that shows the turn; the turn's own when not given */
  card?: SubjectRef;
};

/**
 * Hermes asks: the question is kept with its turn and its expiry, and a card is owed. The same question again is the same
 * card. Nothing of it is shown with its secrets.
 */
export async function askPerson(scope: Scope, turn: AskingTurn, asked: Asked): Promise<{ questionId: string }> {
  return inTransaction(scope.db, async (tx) => {
    const { id, fresh } = await keepQuestion(tx, scope, { turnId: turn.id, chatId: turn.chatId, asked });
    if (!fresh) return { questionId: id };
    const replies = turn.messageId !== null && (turn.chatType === "group" || turn.threadId !== null);
    await wantCard(tx, scope, {
      subject: { kind: "question", id },
      view: {
        chatType: turn.chatType,
        ...(turn.chatType === "p2p" && turn.senderOpenId !== null && { viewer: turn.senderOpenId }),
      },
      to: { chatId: turn.chatId },
      language: turn.chatType === "group" ? "both" : turn.language,
      idempotencyKey: `ask-${id}`,
      ...(replies && turn.messageId !== null && { replyTo: turn.messageId }),
    });
    await touchCards(tx, scope, turn.card ?? { kind: "turn", id: turn.id });
    return { questionId: id };
  });
}

/**
 * Hermes asks in a turn it began by itself (a goal of its own, a job's follow-up): in the chat it names, where this bot
 * serves it. Who may answer is no other question than for turns that were asked for here.
 * @returns false when this bot has nothing to do with the chat: nobody is asked
 */
export async function askInChat(
  tx: Tx,
  scope: Scope,
  { turnId, chat, asked }: { turnId: string; chat: string; asked: Asked },
): Promise<boolean> {
  const receiver = await receiverOf(tx, scope, chat);
  if (receiver === undefined) return false;
  const { to, person, language } = receiver;
  const chatId = "chatId" in to ? to.chatId : to.openId;
  const { id, fresh } = await keepQuestion(tx, scope, { turnId, chatId, asked });
  if (!fresh) return true;
  await wantCard(tx, scope, {
    subject: { kind: "question", id },
    view: person === undefined ? { chatType: "group" } : { chatType: "p2p", viewer: person },
    to,
    language: person === undefined ? "both" : language,
    idempotencyKey: `ask-${id}`,
  });
  return true;
}

async function keepQuestion(
  tx: Tx,
  scope: Scope,
  { turnId, chatId, asked }: { turnId: string; chatId: string; asked: Asked },
): Promise<{ id: string; fresh: boolean }> {
  const agentId = scope.agent.id;
  const key = { agentId_turnId_ref: { agentId, turnId, ref: cut(asked.ref, 500) } };
  const known = await tx.agentQuestion.findUnique({ where: key, select: { id: true } });
  if (known) return { id: known.id, fresh: false };
  const now = scope.clock.now();
  const id = scope.ids.opaque();
  await tx.agentQuestion.create({
    data: {
      id,
      agentId,
      turnId,
      chatId,
      kind: asked.kind,
      ref: key.agentId_turnId_ref.ref,
      text: asked.kind === "approval" ? command(asked.command) : shown(asked.question),
      description: asked.kind === "approval" && asked.description ? shown(asked.description) : null,
      choices: jsonColumn(choicesOf(asked)),
      status: "open",
      askedAt: now,
      expiresAt: expiry(asked, now),
    },
  });
  return { id, fresh: true };
}

/** Nobody waits for the answers of this turn any more (to one question, or to all). */
export async function voidQuestions(
  tx: Tx,
  scope: Scope,
  turnId: string,
  because: VoidReason,
  ref?: string,
): Promise<void> {
  const where = {
    agentId: scope.agent.id,
    turnId,
    ...(ref !== undefined && { ref }),
    // What was decided is being told meanwhile; whoever tells it learns how it went.
    status: { in: statusesBefore(questionLifecycle, "expire") },
  };
  const open = await tx.agentQuestion.findMany({ where, select: { id: true } });
  if (open.length === 0) return;
  await tx.agentQuestion.updateMany({
    where,
    data: { status: "void", voidBecause: because, settledAt: scope.clock.now(), revision: { increment: 1 } },
  });
  for (const { id } of open) await touchCards(tx, scope, { kind: "question", id });
}

function expiry(asked: Asked, now: Date): Date {
  const given = asked.expiresAt?.getTime();
  const until = given !== undefined && given > now.getTime() ? given - now.getTime() : OPEN_MS[asked.kind];
  return new Date(now.getTime() + Math.min(until, LONGEST_MS));
}

function choicesOf(asked: Asked): string[] {
  const choices = asked.choices.slice(0, MOST_CHOICES).map((choice) => cut(cleanText(choice), CHOICE_CHARS));
  const whole = asked.kind !== "approval" || command(asked.command).length <= WHOLE_COMMAND_CHARS;
  return whole ? choices : choices.filter((choice) => OF_LONG_COMMANDS.has(choice));
}

/** What a command ends with matters as much as how it begins. */
function command(text: string): string {
  const masked = maskSecrets(text);
  const { head, tail } = COMMAND_CHARS;
  if (masked.length <= head + tail) return masked;
  return `${masked.slice(0, head)}\n…\n${masked.slice(-tail)}`.toWellFormed();
}

function shown(text: string): string {
  return cut(maskSecrets(text), TEXT_CHARS);
}
