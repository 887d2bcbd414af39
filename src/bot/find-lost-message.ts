import type { CardPost } from "../engine/card-posts.ts";
import type { Scope } from "../engine/scope.ts";
import type { Lark } from "./lark.ts";

/** How far the platform's clock may be from ours when a message is looked for by its time. */
const CLOCK_SLACK_MS = 2 * 60_000;

/**
 * Looks for a first message whose answer never came, when its key is too old for the platform to recognise it: the one
 * message of this bot in the chat, sent around then, that no post knows. Undefined when there is none or none can be told.
 */
export async function findLostMessage(
  scope: Scope,
  lark: Lark,
  post: CardPost,
): Promise<{ messageId: string; chatId: string; sentAs: "card" | "text" } | undefined> {
  const chatId = post.receiveIdType === "chat_id" ? post.receiveId : await directChat(scope, post.receiveId);
  if (chatId === undefined || post.inDoubtSince === null) return undefined;
  const from = new Date(post.inDoubtSince.getTime() - CLOCK_SLACK_MS);
  const until = new Date(post.inDoubtSince.getTime() + CLOCK_SLACK_MS);
  const own = await lark.ownMessages(chatId, from, until);
  const known = await scope.db.cardPost.findMany({
    where: { agentId: scope.agent.id, messageId: { in: own.map((message) => message.messageId) } },
    select: { messageId: true },
  });
  const taken = new Set(known.map((row) => row.messageId));
  const lost = own.filter((message) => !taken.has(message.messageId));
  const [only] = lost;
  if (only === undefined || lost.length > 1) return undefined;
  return { messageId: only.messageId, chatId, sentAs: only.isCard ? "card" : "text" };
}

async function directChat(scope: Scope, openId: string): Promise<string | undefined> {
  const person = await scope.db.person.findUnique({
    where: { agentId_openId: { agentId: scope.agent.id, openId } },
    select: { directChatId: true },
  });
  return person?.directChatId ?? undefined;
}
