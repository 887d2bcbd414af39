import { randomUUID } from "node:crypto";
import type { PlatformCore } from "./platform-core.ts";
import type { Person, StoredMessage } from "./platform-state.ts";

/** The events the stand-in sends besides taps. */
export type EventType =
  | "im.message.receive_v1"
  | "im.message.recalled_v1"
  | "im.message.reaction.created_v1"
  | "im.message.reaction.deleted_v1"
  | "im.chat.access_event.bot_p2p_chat_entered_v1"
  | "im.chat.member.bot.added_v1"
  | "im.chat.member.bot.deleted_v1"
  | "application.bot.menu_v6";

/** The platform's v2 envelope around an event; `createTime` as the event's kind writes it. */
export function newEnvelope(
  core: PlatformCore,
  type: EventType | "card.action.trigger",
  event: unknown,
  createTime = String(core.nowMs()),
): { eventId: string; body: Record<string, unknown> } {
  const eventId = randomUUID().replaceAll("-", "");
  const header = {
    event_id: eventId,
    token: core.app.verificationToken,
    create_time: createTime,
    event_type: type,
    tenant_key: core.state.tenantKey,
    app_id: core.app.appId,
  };
  return { eventId, body: { schema: "2.0", header, event } };
}

/** Sends an event to the bot, at least once. Ends with the first attempt. */
export async function emitEvent(core: PlatformCore, type: EventType, event: unknown): Promise<string> {
  const { eventId, body } = newEnvelope(core, type, event);
  await core.outbox.send(eventId, body);
  return eventId;
}

/** Id triple of a person as events carry it. */
export function idsOf(person: Person): { open_id: string; union_id: string; user_id: string } {
  return { open_id: person.openId, union_id: person.unionId, user_id: person.userId };
}

/** Body of `im.message.receive_v1`. */
export function receiveEvent(core: PlatformCore, message: StoredMessage, sender: Person): unknown {
  const chat = core.state.chats.get(message.chatId);
  return {
    sender: { sender_id: idsOf(sender), sender_type: "user", tenant_key: core.state.tenantKey },
    message: {
      message_id: message.messageId,
      ...(message.rootId === undefined ? {} : { root_id: message.rootId, parent_id: message.parentId }),
      ...(message.threadId === undefined ? {} : { thread_id: message.threadId }),
      create_time: String(message.createdMs),
      update_time: String(message.updatedMs),
      chat_id: message.chatId,
      chat_type: chat?.type ?? "p2p",
      message_type: message.wireType,
      content: message.content,
      ...(message.mentions.length === 0 ? {} : { mentions: message.mentions.map((each) => mentionOnWire(core, each)) }),
    },
  };
}

function mentionOnWire(core: PlatformCore, mention: StoredMessage["mentions"][number]): unknown {
  const person = core.state.people.get(mention.openId);
  const bot = core.state.bot;
  const id = person ? idsOf(person) : { open_id: mention.openId, union_id: bot.unionId, user_id: bot.userId };
  return { key: mention.key, id, name: mention.name, tenant_key: core.state.tenantKey };
}
