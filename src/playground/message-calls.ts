import { type ApiAnswer, ok, Refusal } from "./api-answer.ts";
import type { ApiCall } from "./api-routes.ts";
import { isRecord } from "./card-rules.ts";
import { CARD_LIFE_MS, shownCard, viewMessage } from "./page-view.ts";
import type { PlatformCore } from "./platform-core.ts";
import { type Chat, newId, type StoredMessage } from "./platform-state.ts";
import { platformText } from "./platform-text.ts";
import { parseObject, type ReadContent, readCard, readContent } from "./read-content.ts";

/** Requests with the same uuid send one message within this time. */
const UUID_LIFE_MS = 60 * 60_000;
const MAX_UUID = 50;
const MAX_EDITS = 20;

/** `POST im/v1/messages?receive_id_type=`: a new message to a chat or a person. */
export function createMessage(core: PlatformCore, call: ApiCall): ApiAnswer {
  const body = bodyOf(call);
  const chat = receiverOf(core, call.query.get("receive_id_type"), body.receive_id);
  return send(core, chat, body, undefined);
}

/** `POST im/v1/messages/:id/reply`. */
export function replyMessage(core: PlatformCore, call: ApiCall): ApiAnswer {
  const parent = messageAt(core, call);
  if (parent.recalled) throw new Refusal(230011, "The message was withdrawn.");
  const chat = core.state.chats.get(parent.chatId);
  if (!chat?.botInside) throw new Refusal(230002, "The bot can not be outside the group.");
  return send(core, chat, bodyOf(call), parent);
}

/** `PATCH im/v1/messages/:id`: the whole card anew. */
export function patchCard(core: PlatformCore, call: ApiCall): ApiAnswer {
  const message = messageAt(core, call);
  const content = bodyOf(call).content;
  assertOwn(message);
  if (message.type !== "interactive")
    throw new Refusal(230054, "This operation is not supported for this message type.");
  if (message.recalled) throw new Refusal(230011, "The message was withdrawn.");
  if (core.nowMs() - message.createdMs > CARD_LIFE_MS)
    throw new Refusal(230031, "The message is too old to be updated, over 14 days.");
  if (typeof content !== "string") throw new Refusal(99992402, "field validation failed, content is required");
  if (Buffer.byteLength(content, "utf8") > 30 * 1024)
    throw new Refusal(230025, "The length of the message content reaches its limit, ext=");
  const card = parseObject(content);
  if (!card)
    throw new Refusal(230001, "Your request contains an invalid request parameter, ext=content is not a JSON object.");
  core.rates.checkTarget(`update ${message.messageId}`);
  assertUnlocked(message);
  if (message.cardId !== undefined)
    throw new Refusal(
      230099,
      "Failed to create card content, ext=ErrCode: 300311; ErrMsg: a card entity is changed through its card_id; ",
    );
  showCard(core, message, readCard(core, card, shownCard(message, core.state)));
  return ok();
}

/** `PUT im/v1/messages/:id`: edits a text or post, at most 20 times. */
export function editMessage(core: PlatformCore, call: ApiCall): ApiAnswer {
  const message = messageAt(core, call);
  const body = bodyOf(call);
  assertOwn(message);
  if (message.recalled) throw new Refusal(230011, "The message was withdrawn.");
  if (message.type !== "text" && message.type !== "post")
    throw new Refusal(230054, "This operation is not supported for this message type.");
  if (message.edits >= MAX_EDITS)
    throw new Refusal(230072, "The message has reached the number of times it can be edited.");
  core.rates.checkTarget(`update ${message.messageId}`);
  const read = readContent(core, body.msg_type, body.content);
  if (read.type !== "text" && read.type !== "post")
    throw new Refusal(
      230001,
      "Your request contains an invalid request parameter, ext=only text and post can be edited.",
    );
  message.type = read.type;
  message.wireType = read.type;
  message.content = read.content;
  message.mentions = read.mentions;
  message.edits += 1;
  message.updatedMs = core.nowMs();
  publish(core, message, "patch");
  return ok(wireMessage(core, message));
}

/** `DELETE im/v1/messages/:id`: takes a message back. Once more is refused with 230011. */
export function recallMessage(core: PlatformCore, call: ApiCall): ApiAnswer {
  const message = messageAt(core, call);
  assertOwn(message);
  if (message.recalled) throw new Refusal(230011, "The message was withdrawn.");
  assertUnlocked(message);
  message.recalled = true;
  message.updatedMs = core.nowMs();
  publish(core, message, "recall");
  return ok();
}

/** `GET im/v1/messages/:id`. A 2.0 card's content is not given back, as on the platform. */
export function getMessage(core: PlatformCore, call: ApiCall): ApiAnswer {
  return ok({ items: [wireMessage(core, messageAt(core, call))] });
}

/** Puts a card in a message's place and tells the pages. */
export function showCard(core: PlatformCore, message: StoredMessage, card: Record<string, unknown>): void {
  message.card = card;
  message.cardVersion += 1;
  message.updatedMs = core.nowMs();
  publish(core, message, "patch");
}

/** Tells the pages that a message came or changed. */
export function publish(core: PlatformCore, message: StoredMessage, type: "message" | "patch" | "recall"): void {
  core.feed.publish({ type, message: viewMessage(message, core.state, core.nowMs()) });
}

/** @throws Refusal 230001 for a message id the platform does not know */
export function messageAt(core: PlatformCore, call: ApiCall): StoredMessage {
  const message = core.state.messages.get(call.params.message_id ?? "");
  if (!message)
    throw new Refusal(230001, "Your request contains an invalid request parameter, ext=invalid message_id.");
  return message;
}

/** While a tap is being answered its card cannot be changed otherwise. */
function assertUnlocked(message: StoredMessage): void {
  if (message.pendingTaps > 0)
    throw new Refusal(
      230099,
      "Failed to create card content, ext=ErrCode: 11310; ErrMsg: card action is lock; ErrPath: ; ",
    );
}

function assertOwn(message: StoredMessage): void {
  if (!message.fromBot) throw new Refusal(230071, "The operator is not the sender of the message.");
}

function bodyOf(call: ApiCall): Record<string, unknown> {
  if (!isRecord(call.body)) throw new Refusal(99992402, "field validation failed, a JSON body is required");
  return call.body;
}

function receiverOf(core: PlatformCore, kind: string | null, id: unknown): Chat {
  if (typeof id !== "string" || id === "")
    throw new Refusal(99992402, "field validation failed, receive_id is required");
  if (kind === "chat_id") {
    const chat = core.state.chats.get(id);
    if (!chat) throw new Refusal(230034, "The receive_id is invalid.");
    if (!chat.botInside) throw new Refusal(230002, "The bot can not be outside the group.");
    return chat;
  }
  const field = ({ open_id: "openId", union_id: "unionId", user_id: "userId" } as const)[kind ?? ""];
  if (!field) throw new Refusal(99992402, "field validation failed, invalid receive_id_type");
  const person = [...core.state.people.values()].find((each) => each[field] === id);
  if (!person)
    throw new Refusal(
      kind === "open_id" ? 99992351 : 230034,
      `The request you send is not a valid {${kind}} or not exists, example value. Invalid ids: [${id}]`,
    );
  const chat = [...core.state.chats.values()].find((each) => each.type === "p2p" && each.members[0] === person.openId);
  if (!chat) throw new Refusal(230013, "Bot has NO availability to this user.");
  return chat;
}

function send(
  core: PlatformCore,
  chat: Chat,
  body: Record<string, unknown>,
  parent: StoredMessage | undefined,
): ApiAnswer {
  const uuid = readUuid(body.uuid);
  const earlier = uuid === undefined ? undefined : core.state.sentByUuid.get(uuid);
  if (earlier && core.nowMs() - earlier.atMs < UUID_LIFE_MS) {
    const message = core.state.messages.get(earlier.messageId);
    if (message) return ok(wireMessage(core, message));
  }
  const read = readContent(core, body.msg_type, body.content);
  core.rates.checkTarget(`chat ${chat.chatId}`);
  const message = store(core, chat, read, String(body.msg_type), parent, body.reply_in_thread === true);
  if (uuid !== undefined) core.state.sentByUuid.set(uuid, { atMs: core.nowMs(), messageId: message.messageId });
  publish(core, message, "message");
  return ok(wireMessage(core, message));
}

function store(
  core: PlatformCore,
  chat: Chat,
  read: ReadContent,
  wireType: string,
  parent: StoredMessage | undefined,
  inThread: boolean,
): StoredMessage {
  const threadId = parent?.threadId ?? (inThread ? newId("omt_") : undefined);
  const now = core.nowMs();
  const message: StoredMessage = {
    messageId: newId("om_"),
    chatId: chat.chatId,
    senderId: core.state.bot.openId,
    fromBot: true,
    type: read.type,
    wireType,
    content: read.content,
    createdMs: now,
    updatedMs: now,
    edits: 0,
    recalled: false,
    mentions: read.mentions,
    reactions: new Map(),
    cardVersion: 1,
    pendingTaps: 0,
    ...(parent === undefined ? {} : { parentId: parent.messageId, rootId: parent.rootId ?? parent.messageId }),
    ...(threadId === undefined ? {} : { threadId }),
    ...(read.card === undefined ? {} : { card: read.card }),
    ...(read.entity === undefined ? {} : { cardId: read.entity.cardId }),
  };
  if (read.entity) read.entity.messageId = message.messageId;
  core.state.messages.set(message.messageId, message);
  return message;
}

function readUuid(uuid: unknown): string | undefined {
  if (uuid === undefined || uuid === null || uuid === "") return undefined;
  if (typeof uuid !== "string" || uuid.length > MAX_UUID)
    throw new Refusal(99992402, `field validation failed, uuid has at most ${MAX_UUID} characters`);
  return uuid;
}

/** What the platform shows instead of a 2.0 card when a message is read back. */
const CARD_SKETCH = JSON.stringify({
  title: null,
  elements: [[{ tag: "text", text: platformText("zh_cn").unreadableCard }]],
});

/** A message in the platform's wire form. */
export function wireMessage(core: PlatformCore, message: StoredMessage): Record<string, unknown> {
  const isCard2 = message.type === "interactive" && shownCard(message, core.state).schema === "2.0";
  return {
    message_id: message.messageId,
    ...(message.rootId === undefined ? {} : { root_id: message.rootId, parent_id: message.parentId }),
    ...(message.threadId === undefined ? {} : { thread_id: message.threadId }),
    msg_type: message.wireType,
    create_time: String(message.createdMs),
    update_time: String(message.updatedMs),
    deleted: message.recalled,
    updated: message.edits > 0,
    chat_id: message.chatId,
    sender: message.fromBot
      ? { id: core.app.appId, id_type: "app_id", sender_type: "app", tenant_key: core.state.tenantKey }
      : { id: message.senderId, id_type: "open_id", sender_type: "user", tenant_key: core.state.tenantKey },
    body: { content: message.recalled ? "This message was recalled" : isCard2 ? CARD_SKETCH : message.content },
    mentions: message.mentions.map((each) => ({
      key: each.key,
      id: each.openId,
      id_type: "open_id",
      name: each.name,
      tenant_key: core.state.tenantKey,
    })),
  };
}
