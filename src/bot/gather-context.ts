import type { CardPost } from "../engine/card-posts.ts";
import { namesOf } from "../engine/people/know-person.ts";
import type { TurnFile } from "../engine/ports.ts";
import type { Scope } from "../engine/scope.ts";
import { handOverText } from "../engine/tracking/carry-on.ts";
import type { Quoted, TurnWords } from "./compose-text.ts";
import type { ChatParts, Talk } from "./converse.ts";
import { keepAttachments } from "./keep-attachments.ts";
import { LarkError, type StoredMessage } from "./lark.ts";
import { mattersOnCard } from "./matters-on-card.ts";
import type { Message } from "./message.ts";
import { readContent } from "./read-content.ts";
import { lineText } from "./views/notice-view.ts";

/** Messages of a topic that go along at most. */
const THREAD_MESSAGES = 10;

export type Context = Pick<TurnWords, "quoted" | "thread" | "matters" | "missing"> & {
  images: readonly TurnFile[];
  files: readonly TurnFile[];
};

/** Everything a message goes with: its files, what it quotes, the topic it stands in, the reminder it answers. */
export async function gatherContext(scope: Scope, chat: ChatParts, message: Message, talk: Talk): Promise<Context> {
  const { t } = talk.reader;
  const own = talk.repliedTo ?? talk.about;
  const quotedMessage =
    message.parentId !== undefined && own === undefined ? await fetchMessage(scope, chat, message.parentId) : undefined;
  const quoted =
    own === undefined ? await quoteOf(scope, quotedMessage, t.chat.prompt) : await ownWords(scope, own, t.chat.prompt);
  const thread = await threadOf(scope, chat, message, talk);
  const matters = own?.subjectKind === "delivery" ? await mattersText(scope, own) : undefined;
  const kept = await keepAttachments(
    scope,
    chat,
    t,
    [
      ...message.attachments.map((attachment) => ({ ...attachment, messageId: message.messageId })),
      ...(quotedMessage?.attachments ?? []).map((attachment) => ({
        ...attachment,
        messageId: quotedMessage?.messageId ?? "",
      })),
    ],
    message.chatId,
  );
  return {
    ...(quoted && { quoted }),
    ...(thread.length > 0 && { thread }),
    ...(matters && { matters }),
    ...kept,
  };
}

type Prompt = Talk["reader"]["t"]["chat"]["prompt"];

/** What one of our own messages says. A card's words come from the rows, not from the platform. */
async function ownWords(scope: Scope, post: CardPost, prompt: Prompt): Promise<Quoted | undefined> {
  if (post.subjectKind === "line") return { by: prompt.quotedMe, text: lineText(post.view) };
  if (post.subjectKind !== "turn") return undefined;
  const turn = await scope.db.turn.findFirst({
    where: { id: post.subjectId, agentId: scope.agent.id },
    select: { reply: true },
  });
  return turn === null || turn.reply === "" ? undefined : { by: prompt.quotedMe, text: turn.reply };
}

async function mattersText(scope: Scope, post: CardPost): Promise<string> {
  return (await mattersOnCard(scope, post)).map(handOverText).join("\n\n");
}

interface Fetched extends StoredMessage {
  attachments: ReturnType<typeof readContent>["attachments"];
  text: string;
}

async function fetchMessage(scope: Scope, { lark }: ChatParts, messageId: string): Promise<Fetched | undefined> {
  try {
    const message = await lark.message(messageId);
    return message && { ...message, ...readContent(message.type, message.content, message.mentions) };
  } catch (error) {
    return withoutIt(scope, error);
  }
}

async function quoteOf(scope: Scope, message: Fetched | undefined, prompt: Prompt): Promise<Quoted | undefined> {
  if (message === undefined || message.text === "") return undefined;
  const names = await namesOf(scope, [message.senderId]);
  return { by: names.get(message.senderId) ?? prompt.quotedOther, text: named(message) };
}

/** In a group's topic: what was said there before and Hermes has not seen. */
async function threadOf(scope: Scope, { lark }: ChatParts, message: Message, talk: Talk): Promise<Quoted[]> {
  if (message.threadId === undefined || message.chatType !== "group") return [];
  let found: readonly StoredMessage[];
  try {
    found = await lark.threadMessages(message.threadId, THREAD_MESSAGES + 10);
  } catch (error) {
    withoutIt(scope, error);
    return [];
  }
  const seen = await scope.db.turn.findMany({
    where: { agentId: scope.agent.id, messageId: { in: found.map(({ messageId }) => messageId) } },
    select: { messageId: true },
  });
  const known = new Set([message.messageId, message.parentId, ...seen.map(({ messageId }) => messageId)]);
  const others = found.filter((each) => !each.fromApp && !known.has(each.messageId)).slice(0, THREAD_MESSAGES);
  const names = await namesOf(
    scope,
    others.map(({ senderId }) => senderId),
  );
  return others
    .map((each) => ({
      by: names.get(each.senderId) ?? talk.reader.t.chat.prompt.quotedOther,
      text: named({ ...each, ...readContent(each.type, each.content, each.mentions) }),
    }))
    .filter(({ text }) => text !== "")
    .reverse();
}

function named({ text, mentions }: { text: string; mentions: StoredMessage["mentions"] }): string {
  return mentions.reduce((soFar, { key, name }) => soFar.replaceAll(key, `@${name}`), text);
}

/** What goes along is good to have; a message that can be read alone does not wait for it. @throws what is worth another try */
function withoutIt(scope: Scope, error: unknown): undefined {
  if (!(error instanceof LarkError)) throw error;
  scope.log.info("chat.without_context", { method: error.method, code: error.code, kind: error.kind });
  return undefined;
}
