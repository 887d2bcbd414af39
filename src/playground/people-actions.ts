import { publish } from "./message-calls.ts";
import type { PlatformCore } from "./platform-core.ts";
import { emitEvent, idsOf, receiveEvent } from "./platform-events.ts";
import {
  type Chat,
  type Mention,
  type MessageType,
  messagesOf,
  newId,
  type Person,
  type StoredMessage,
} from "./platform-state.ts";

/** Something a person cannot do; `reason` is the key of the words for it. */
export class NotPossible extends Error {
  readonly reason: "unknownChat" | "unknownPerson" | "unknownMessage" | "notACard" | "emptyText" | "textTooLong";

  constructor(reason: NotPossible["reason"]) {
    super(reason);
    this.name = "NotPossible";
    this.reason = reason;
  }
}

const TEXT_BYTES = 150 * 1024;

export type SaidMessage = {
  chatId: string;
  userId: string;
  text: string;
  replyTo?: string;
  mentionBot?: boolean;
  /** Another kind than text: its wire type and content JSON. */
  raw?: { type: MessageType; wireType: string; content: Record<string, unknown> };
};

/**
 * A person writes. The bot hears of it in direct chats, and in groups when it is mentioned.
 * @returns the stored message, and a promise that ends when the bot acknowledged its event the first time (or failed to)
 * @throws NotPossible
 */
export function say(core: PlatformCore, said: SaidMessage): { message: StoredMessage; heard: Promise<void> } {
  const { chat, person } = placeOf(core, said.chatId, said.userId);
  if (said.raw === undefined && said.text.trim() === "" && !said.mentionBot) throw new NotPossible("emptyText");
  if (Buffer.byteLength(said.text, "utf8") > TEXT_BYTES) throw new NotPossible("textTooLong");
  const parent = said.replyTo === undefined ? undefined : core.state.messages.get(said.replyTo);
  if (said.replyTo !== undefined && parent?.chatId !== chat.chatId) throw new NotPossible("unknownMessage");
  const bot = core.state.bot;
  const mentions: Mention[] = said.mentionBot ? [{ key: "@_user_1", openId: bot.openId, name: bot.name }] : [];
  const text = said.mentionBot ? `@_user_1 ${said.text}`.trimEnd() : said.text;
  const now = core.nowMs();
  const message: StoredMessage = {
    messageId: newId("om_"),
    chatId: chat.chatId,
    senderId: person.openId,
    fromBot: false,
    type: said.raw?.type ?? "text",
    wireType: said.raw?.wireType ?? "text",
    content: JSON.stringify(said.raw?.content ?? { text }),
    createdMs: now,
    updatedMs: now,
    edits: 0,
    recalled: false,
    mentions,
    reactions: new Map(),
    cardVersion: 0,
    pendingTaps: 0,
    ...(parent === undefined ? {} : { parentId: parent.messageId, rootId: parent.rootId ?? parent.messageId }),
    ...(parent?.threadId === undefined ? {} : { threadId: parent.threadId }),
  };
  core.state.messages.set(message.messageId, message);
  publish(core, message, "message");
  const audible = chat.botInside && (chat.type === "p2p" || mentions.length > 0);
  const heard = audible
    ? emitEvent(core, "im.message.receive_v1", receiveEvent(core, message, person)).then(() => {})
    : Promise.resolve();
  return { message, heard };
}

/** A person takes an own message back. @throws NotPossible */
export async function takeBack(core: PlatformCore, messageId: string, userId: string): Promise<void> {
  const message = core.state.messages.get(messageId);
  if (!message || message.senderId !== userId || message.recalled) throw new NotPossible("unknownMessage");
  message.recalled = true;
  message.updatedMs = core.nowMs();
  publish(core, message, "recall");
  const event = {
    message_id: messageId,
    chat_id: message.chatId,
    recall_time: String(core.nowMs()),
    recall_type: "message_owner",
  };
  await emitEvent(core, "im.message.recalled_v1", event);
}

/** A person opens the direct chat with the bot. @throws NotPossible */
export async function enterChat(core: PlatformCore, chatId: string, userId: string): Promise<void> {
  const { chat, person } = placeOf(core, chatId, userId);
  if (chat.type !== "p2p") return;
  const last = messagesOf(core.state, chatId).at(-1);
  const event = {
    chat_id: chatId,
    operator_id: idsOf(person),
    ...(last === undefined
      ? {}
      : { last_message_id: last.messageId, last_message_create_time: String(last.createdMs) }),
  };
  await emitEvent(core, "im.chat.access_event.bot_p2p_chat_entered_v1", event);
}

/** A person presses an entry of the bot's menu (direct chat). @throws NotPossible */
export async function pressMenu(core: PlatformCore, userId: string, eventKey: string): Promise<void> {
  const person = core.state.people.get(userId);
  if (!person) throw new NotPossible("unknownPerson");
  const operator = { operator_name: person.name, operator_id: idsOf(person) };
  const timestamp = Math.floor(core.nowMs() / 1000);
  await emitEvent(core, "application.bot.menu_v6", { operator, event_key: eventKey, timestamp });
}

/** A person reacts to a message with an emoji. @throws NotPossible */
export async function react(core: PlatformCore, messageId: string, userId: string, emojiType: string): Promise<void> {
  const message = core.state.messages.get(messageId);
  const person = core.state.people.get(userId);
  if (!message || message.recalled) throw new NotPossible("unknownMessage");
  if (!person) throw new NotPossible("unknownPerson");
  const by = message.reactions.get(emojiType) ?? [];
  if (by.some((each) => each.openId === userId)) return;
  message.reactions.set(emojiType, [...by, { reactionId: newId(""), openId: userId }]);
  publish(core, message, "patch");
  const event = {
    message_id: messageId,
    reaction_type: { emoji_type: emojiType },
    operator_type: "user",
    user_id: idsOf(person),
    action_time: String(core.nowMs()),
  };
  await emitEvent(core, "im.message.reaction.created_v1", event);
}

/** The bot is put into a group or taken out of it by a member. @throws NotPossible */
export async function moveBot(core: PlatformCore, chatId: string, userId: string, inside: boolean): Promise<void> {
  const { chat, person } = placeOf(core, chatId, userId);
  chat.botInside = inside;
  const event = { chat_id: chatId, operator_id: idsOf(person), name: chat.name, external: false };
  await emitEvent(core, inside ? "im.chat.member.bot.added_v1" : "im.chat.member.bot.deleted_v1", event);
}

function placeOf(core: PlatformCore, chatId: string, userId: string): { chat: Chat; person: Person } {
  const chat = core.state.chats.get(chatId);
  if (!chat) throw new NotPossible("unknownChat");
  const person = core.state.people.get(userId);
  if (!person || !chat.members.includes(userId)) throw new NotPossible("unknownPerson");
  return { chat, person };
}
