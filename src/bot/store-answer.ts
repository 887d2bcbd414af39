import { wantCard } from "../engine/card-posts.ts";
import { inTransaction } from "../engine/db.ts";
import { finishEvent } from "../engine/inbox/finish-event.ts";
import type { ClaimedMessage } from "../engine/inbox/next-message.ts";
import type { Scope } from "../engine/scope.ts";
import { textsFor } from "../text/pick.ts";
import type { CommandReply } from "./command.ts";
import { keyOf, type Message } from "./message.ts";

/** What is answered to a message. */
export interface Reply {
  reply: CommandReply;
  language: "zh" | "en";
  /** asked in a group, told to this person alone */
  privateTo?: string;
}

/** The answer and the end of the message, in one transaction; then the answer is sent. */
export async function finishMessage(
  parts: { scope: Scope; poke: (job: string) => void },
  claimed: ClaimedMessage,
  answer: Answer | undefined,
): Promise<void> {
  await inTransaction(parts.scope.db, (tx) => storeAnswer({ ...parts.scope, db: tx }, claimed, answer));
  parts.poke("sync-cards");
}

type Answer = Reply & { message: Message };

/** The answer and the end of the message, in the caller's transaction. A message that was finished meanwhile is answered once. */
export async function storeAnswer(scope: Scope, claimed: ClaimedMessage, answer: Answer | undefined): Promise<void> {
  await inTransaction(scope.db, async (tx) => {
    const first = await finishEvent(tx, scope, claimed.seq, { status: "done", payload: claimed.payload });
    if (!first) throw new Error("the message was handled elsewhere meanwhile");
    if (answer === undefined) return;
    const { message, reply, language, privateTo } = answer;
    const replyTo = message.chatType === "group" || message.threadId !== undefined ? message.messageId : undefined;
    const key = keyOf(message.dedupeKey);
    const line = (text: string) => ({ subject: { kind: "line", id: message.messageId }, view: { text } }) as const;
    const said = "line" in reply ? line(reply.line) : reply.card;
    if (privateTo !== undefined)
      await wantCard(tx, scope, { ...said, to: { openId: privateTo }, language, idempotencyKey: `dm-${key}` });
    await wantCard(tx, scope, {
      ...(privateTo === undefined ? said : line(textsFor(language).command.toldInPrivate)),
      to: { chatId: message.chatId },
      language: message.chatType === "group" && privateTo === undefined && "card" in reply ? "both" : language,
      idempotencyKey: `re-${key}`,
      ...(replyTo === undefined ? {} : { replyTo }),
    });
  });
}
