import { wantCard } from "../card-posts.ts";
import { cut } from "../clean-text.ts";
import type { Tx } from "../db.ts";
import { jsonColumn } from "../json-column.ts";
import { personSchema } from "../people/person.ts";
import type { TurnFile } from "../ports.ts";
import type { Language, Scope } from "../scope.ts";

/** How a long text is cut into the parts cards show. The cards know their limits; whoever delivers brings it along. */
export type SplitMessage = (text: string) => readonly string[];

/** said = by itself · turn = the reply of a turn it began · cron = a delivery · question = it asks, and nobody here can answer for it */
export type AgentMessageOrigin = "said" | "turn" | "cron" | "question";

/** Herald's word for the owner's direct chat: where cron deliveries go that name no chat. */
export const OWNER_CHAT = "owner";
const MOST_PARTS = 30;
const MOST_FILES = 10;

export interface AgentMessageInput {
  /** Unique over all messages: the same id again is the same message. */
  id: string;
  /** A chat id, a person's open_id, or `owner`. */
  chat: string;
  origin: AgentMessageOrigin;
  text: string;
  files: readonly TurnFile[];
  /** it stops in the middle: the other end went away */
  broken?: boolean;
  split: SplitMessage;
}

/**
 * Words Hermes says by itself become owed cards, one per part, in the chat they are for: exactly once per id. The chat is the
 * one Hermes names, never another: a direct chat of somebody this bot serves, or a group it has spoken in.
 */
export async function deliverAgentMessage(
  tx: Tx,
  scope: Scope,
  message: AgentMessageInput,
): Promise<{ outcome: "owed" | "repeat" | "unknown_chat" | "empty" }> {
  if (message.text.trim() === "" && message.files.length === 0) return { outcome: "empty" };
  const receiver = await receiverOf(tx, scope, message.chat);
  if (receiver === undefined) {
    scope.log.warn("agent_message.unknown_chat", { id: message.id, origin: message.origin });
    return { outcome: "unknown_chat" };
  }
  if ((await tx.agentMessage.count({ where: { id: message.id, agentId: scope.agent.id } })) > 0) {
    return { outcome: "repeat" };
  }
  // A file without a word is the file alone.
  const parts = message.text.trim() === "" ? 0 : countParts(message.split, message.text);
  await tx.agentMessage.create({
    data: {
      id: message.id,
      agentId: scope.agent.id,
      receiveIdType: "openId" in receiver.to ? "open_id" : "chat_id",
      receiveId: "openId" in receiver.to ? receiver.to.openId : receiver.to.chatId,
      origin: message.origin,
      text: message.text,
      files: jsonColumn(message.files.map((file) => ({ ...file }))),
      parts,
      broken: message.broken ?? false,
      createdAt: scope.clock.now(),
    },
  });
  await wantParts(tx, scope, { id: message.id, from: 1, until: parts, ...receiver });
  await wantFiles(tx, scope, message, receiver);
  return { outcome: "owed" };
}

/** The text of a message said before has changed. Unknown ids and unchanged texts change nothing. */
export async function editAgentMessage(
  tx: Tx,
  scope: Scope,
  message: { id: string; text: string; split: SplitMessage },
): Promise<void> {
  const row = await tx.agentMessage.findFirst({ where: { id: message.id, agentId: scope.agent.id } });
  if (!row || row.text === message.text) return;
  const parts = Math.max(row.parts, countParts(message.split, message.text));
  await tx.agentMessage.updateMany({
    where: { id: row.id, agentId: scope.agent.id },
    data: { text: message.text, parts, editedAt: scope.clock.now() },
  });
  await tx.cardPost.updateMany({
    where: { agentId: scope.agent.id, subjectKind: "agent-message", subjectId: row.id, gaveUpAt: null },
    data: { wanted: { increment: 1 }, stale: true },
  });
  const receiver = await receiverOf(tx, scope, row.receiveId);
  if (receiver) await wantParts(tx, scope, { id: row.id, from: row.parts + 1, until: parts, ...receiver });
}

/** Where a message goes; of a direct chat also whose it is. */
export type Receiver = {
  to: { openId: string } | { chatId: string };
  language: Language | "both";
  person?: string;
};

async function wantParts(
  tx: Tx,
  scope: Scope,
  wanted: { id: string; from: number; until: number } & Receiver,
): Promise<void> {
  for (let part = wanted.from; part <= wanted.until; part++) {
    await wantCard(tx, scope, {
      subject: { kind: "agent-message", id: wanted.id },
      view: { part },
      to: wanted.to,
      language: wanted.language,
      idempotencyKey: keyOf(wanted.id, part),
    });
  }
}

/** Each file is a message of its own. Whether it may leave this machine is looked at when it is sent. */
async function wantFiles(tx: Tx, scope: Scope, message: AgentMessageInput, receiver: Receiver): Promise<void> {
  for (const [index, { path, name, mime }] of message.files.slice(0, MOST_FILES).entries()) {
    await wantCard(tx, scope, {
      subject: { kind: "file", id: message.id },
      view: { path, name: cut(name, 200), mime },
      to: receiver.to,
      language: receiver.language,
      idempotencyKey: keyOf(message.id, `f${index + 1}`),
    });
  }
}

function countParts(split: SplitMessage, text: string): number {
  return Math.min(MOST_PARTS, Math.max(1, split(text).length));
}

/** Ids of the plugin are a letter and 32 hex digits; a post's key holds 50 characters. */
function keyOf(id: string, part: number | string): string {
  return `am-${id.replace(/^turn-(?:own-)?/, "t").slice(-40)}-${part}`;
}

/** Whom a chat's name means; undefined when this bot has nothing to do with it. */
export async function receiverOf(tx: Tx, scope: Scope, chat: string): Promise<Receiver | undefined> {
  const agentId = scope.agent.id;
  const people = { agentId, revokedAt: null };
  const person = await tx.person.findFirst({
    where:
      chat === OWNER_CHAT
        ? { ...people, role: "owner" }
        : { ...people, OR: [{ openId: chat }, { directChatId: chat }] },
    orderBy: { createdAt: "asc" },
  });
  if (person) {
    const { openId, directChatId, language } = personSchema.parse(person);
    const to = directChatId === chat ? { chatId: chat } : { openId };
    return { to, language: language ?? scope.agent.language, person: openId };
  }
  const group = await tx.chatSession.findFirst({ where: { agentId, chatId: chat, chatType: "group" } });
  if (group) return { to: { chatId: chat }, language: scope.agent.language };
  return undefined;
}
