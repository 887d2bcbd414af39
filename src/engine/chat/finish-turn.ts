import { createHash } from "node:crypto";
import { touchCards, wantCard } from "../card-posts.ts";
import { cleanText, cut } from "../clean-text.ts";
import { inTransaction, type Tx } from "../db.ts";
import { maskSecrets } from "../mask-secrets.ts";
import type { TurnFile, TurnResult } from "../ports.ts";
import type { Scope } from "../scope.ts";
import { voidQuestions } from "./ask-person.ts";
import { holder } from "./claim-turn.ts";
import { wantTurnCard } from "./queue-turn.ts";
import { letSessionGo } from "./session.ts";
import { type Turn, type TurnFailure, type TurnStatus, turnSchema } from "./turn.ts";

/** A reply is kept up to this length: fifty long cards, more than anybody reads in a chat. */
const REPLY_CHARS = 400_000;
const WHY_CHARS = 500;
const MOST_FILES = 20;

export interface TurnEnd {
  result: TurnResult;
  /** Why there is no good end, when the result alone does not say it. */
  failure?: TurnFailure;
  /** On how many cards this reply is shown. */
  pages: (reply: string) => number;
}

/**
 * How a turn ended is stored once, with everything that follows from it: the session is free, what was asked is void, the
 * cards and files of the reply are owed. The first end that is told counts.
 * @returns false when it had ended already
 */
export async function finishTurn(scope: Scope, turn: Turn, end: TurnEnd): Promise<boolean> {
  const { result } = end;
  return inTransaction(scope.db, async (tx) => {
    const row = await tx.turn.findUnique({ where: { id: turn.id } });
    if (row?.status !== "running") return false;
    const now = scope.clock.now();
    // A failed turn may have said something before; it stays on the card.
    const reply = cut(maskSecrets(result.text === "" ? row.reply : result.text), REPLY_CHARS);
    const { status, failure } = outcomeOf(end, reply, result.files ?? []);
    const { count } = await tx.turn.updateMany({
      where: { id: turn.id, agentId: scope.agent.id, status: "running" },
      data: {
        status,
        failure,
        why: result.why === undefined ? null : cut(maskSecrets(result.why, { personal: true }), WHY_CHARS),
        reply,
        leaseUntil: null,
        endedAt: now,
        ...(result.toolCalls !== undefined && { toolCalls: result.toolCalls }),
        ...(result.inputTokens !== undefined && { inputTokens: result.inputTokens }),
        ...(result.outputTokens !== undefined && { outputTokens: result.outputTokens }),
      },
    });
    if (count === 0) return false;
    const ended = turnSchema.parse({ ...row, status, failure, reply, endedAt: now, leaseUntil: null });
    await letSessionGo(tx, scope, turn.sessionId, holder(turn.id), result.sessionId);
    await voidQuestions(tx, scope, turn.id, "turn_ended");
    await wantTurnCard(tx, scope, ended);
    for (let page = 2; page <= end.pages(reply); page++) await wantTurnCard(tx, scope, ended, page);
    await wantFiles(tx, scope, ended, result.files ?? []);
    await touchCards(tx, scope, { kind: "turn", id: turn.id });
    if (result.undelivered) await queueLate(tx, scope, ended, result.undelivered);
    return true;
  });
}

function outcomeOf(
  { result, failure }: TurnEnd,
  reply: string,
  files: readonly TurnFile[],
): { status: TurnStatus; failure: TurnFailure | null } {
  switch (result.outcome) {
    case "completed":
      // Success needs an effect.
      if (reply.trim() === "" && files.length === 0) return { status: "failed", failure: "empty" };
      return { status: "completed", failure: null };
    case "failed":
      return { status: "failed", failure: failure ?? "agent" };
    case "stopped":
      return { status: "stopped", failure: null };
    case "lost":
      return { status: "lost", failure: "unclear" };
  }
}

/** Each file is a message of its own, owed like a card: sent once, whatever happens in between. */
async function wantFiles(tx: Tx, scope: Scope, turn: Turn, files: readonly TurnFile[]): Promise<void> {
  for (const [index, { path, name, mime }] of files.slice(0, MOST_FILES).entries()) {
    const replies = turn.messageId !== null && (turn.chatType === "group" || turn.threadId !== null);
    await wantCard(tx, scope, {
      subject: { kind: "file", id: turn.id },
      view: { path, name: cut(cleanText(name), 200), mime },
      to: { chatId: turn.chatId },
      language: turn.language,
      idempotencyKey: `file-${turn.id}-${index + 1}`,
      ...(replies && turn.messageId !== null && { replyTo: turn.messageId }),
    });
  }
}

/** Words that were put into the turn and came too late for it are the next turn. */
async function queueLate(tx: Tx, scope: Scope, turn: Turn, text: string): Promise<void> {
  await tx.turn.create({
    data: {
      id: scope.ids.id("turn"),
      agentId: scope.agent.id,
      sessionId: turn.sessionId,
      dedupeKey: `late:${createHash("sha256").update(turn.id).digest("hex").slice(0, 40)}`,
      origin: "message",
      chatId: turn.chatId,
      chatType: turn.chatType,
      threadId: turn.threadId,
      messageId: turn.messageId,
      senderOpenId: turn.senderOpenId,
      language: turn.language,
      said: cut(text, 200),
      text: cut(text, 60_000),
      images: [],
      files: [],
      status: "waiting",
      createdAt: scope.clock.now(),
    },
  });
}
