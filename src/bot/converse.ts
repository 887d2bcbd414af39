import type { CardPost } from "../engine/card-posts.ts";
import { answerQuestion } from "../engine/chat/answer-question.ts";
import { type Queued, queueTurn } from "../engine/chat/queue-turn.ts";
import { stopTurn } from "../engine/chat/stop-turn.ts";
import { whoIsAsked } from "../engine/chat/who-is-asked.ts";
import { inTransaction } from "../engine/db.ts";
import { isEngineError } from "../engine/errors.ts";
import type { ClaimedMessage } from "../engine/inbox/next-message.ts";
import type { PersonActor, Scope } from "../engine/scope.ts";
import { readSettings } from "../engine/settings.ts";
import { composeText } from "./compose-text.ts";
import { gatherContext } from "./gather-context.ts";
import type { Lark } from "./lark.ts";
import { type Message, withNames } from "./message.ts";
import type { MessageParts } from "./on-message.ts";
import type { From } from "./serve-message.ts";
import { type Reply, storeAnswer } from "./store-answer.ts";

/** What a conversation needs of the platform. */
export interface ChatParts {
  lark: Lark;
  /** where files that people send are kept, a folder for each chat; Hermes reads them there */
  inboxFolder: string;
}

/** What the message goes with. */
export interface Talk extends From {
  repliedTo: CardPost | undefined;
  /** a slash command for Hermes, as it is */
  command?: string;
  /** the reminder it answers */
  about?: CardPost;
}

/**
 * The message becomes a turn of Hermes, in the transaction that marks it as handled. What belongs to it (files, quotes,
 * the reminder it answers) is fetched before, so that a failing download is tried again with the message.
 * @returns undefined when Hermes cannot be spoken to from here
 */
export async function converse(
  parts: MessageParts,
  claimed: ClaimedMessage,
  message: Message,
  talk: Talk,
): Promise<Reply | "finished" | undefined> {
  const { scope, chat } = parts;
  if (scope.turns.way === "none" || chat === undefined) return undefined;
  const { actor, reader } = talk;
  const said = talk.command ?? withNames(message, parts.botOpenId());
  const question = talk.command === undefined ? await openQuestion(scope, message, actor) : undefined;
  if (question !== undefined && said !== "") {
    await inTransaction(scope.db, async (tx) => {
      const inside = { ...scope, db: tx };
      await answerQuestion(inside, actor, { questionId: question, choice: said });
      const line = reader.t.chat.toast.answered;
      await storeAnswer(inside, claimed, { message, reply: { line }, language: reader.language });
    });
    for (const job of ["answer-hermes", "sync-cards"]) parts.poke(job);
    return "finished";
  }
  const context = talk.command === undefined ? await gatherContext(scope, chat, message, talk) : undefined;
  const { groupSessions, whileRunning } = await readSettings(scope);
  const named = message.chatType === "group" && groupSessions === "chat" && talk.command === undefined;
  const text = composeText(reader.t, {
    text: said,
    ...(named && { sender: actor.name ?? "" }),
    ...context,
  });
  await inTransaction(scope.db, async (tx) => {
    const inside = { ...scope, db: tx };
    const queued = await queueTurn(tx, inside, actor, {
      dedupeKey: message.dedupeKey,
      origin: talk.command === undefined ? "message" : "command",
      place: { chatId: message.chatId, chatType: message.chatType, openId: actor.openId },
      threadId: message.threadId,
      messageId: message.messageId,
      language: reader.language,
      said: said === "" ? text : said,
      text,
      images: context?.images ?? [],
      files: context?.files ?? [],
      mayJoin: talk.command === undefined && !context?.images.length && !context?.files.length,
    });
    if (whileRunning === "interrupt") await interrupt(inside, actor, queued);
    await storeAnswer(inside, claimed, undefined);
  });
  for (const job of ["run-waiting-turns", "sync-cards"]) parts.poke(job);
  return "finished";
}

/** The new message ends what runs, when its writer may. */
async function interrupt(scope: Scope, who: PersonActor, { running }: Queued): Promise<void> {
  if (running === undefined) return;
  try {
    await stopTurn(scope, who, { turnId: running });
  } catch (error) {
    if (!isEngineError(error, "forbidden")) throw error;
  }
}

/** What Hermes has just asked this person here: words that come now are the answer, as anybody would expect. */
async function openQuestion(scope: Scope, message: Message, who: PersonActor): Promise<string | undefined> {
  const agentId = scope.agent.id;
  const open = await scope.db.agentQuestion.findFirst({
    where: {
      agentId,
      chatId: message.chatId,
      kind: "question",
      status: "open",
      expiresAt: { gt: scope.clock.now() },
    },
    orderBy: { askedAt: "desc" },
    select: { id: true, turnId: true },
  });
  if (open === null) return undefined;
  const asked = await whoIsAsked(scope.db, scope, open.turnId);
  return asked?.runs === true && asked.openId === who.openId ? open.id : undefined;
}
