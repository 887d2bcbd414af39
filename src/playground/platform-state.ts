import { randomBytes } from "node:crypto";
import type { CardJson, PageLanguage } from "./page-api.ts";

/** A demo person. Ids follow the platform's three kinds: per app, per developer, per tenant. */
export type Person = {
  openId: string;
  unionId: string;
  userId: string;
  name: string;
  initials: string;
  language: PageLanguage;
  role: Record<PageLanguage, string>;
};

export type Chat = {
  chatId: string;
  name: string;
  type: "p2p" | "group";
  /** Open ids of the people in it. */
  members: string[];
  /** False once the bot was taken out of a group. */
  botInside: boolean;
};

export type Mention = { key: string; openId: string; name: string };

export type MessageType = "text" | "post" | "image" | "file" | "interactive" | "other";

export type StoredMessage = {
  messageId: string;
  chatId: string;
  /** Open id of a person or of the bot. */
  senderId: string;
  fromBot: boolean;
  type: MessageType;
  /** The type's name on the wire, which may be one the stand-in does not draw. */
  wireType: string;
  /** Content JSON as a string, as on the wire. For cards: what was sent last. */
  content: string;
  createdMs: number;
  updatedMs: number;
  /** How often its text was edited; the platform allows 20. */
  edits: number;
  recalled: boolean;
  parentId?: string;
  rootId?: string;
  threadId?: string;
  mentions: Mention[];
  /** Emoji type to the open ids that chose it; the bot's own among them. */
  reactions: Map<string, { reactionId: string; openId: string }[]>;
  card?: CardJson;
  /** Rises with each change of the card. */
  cardVersion: number;
  /** Card entity this message shows. */
  cardId?: string;
  /** Taps whose answer is still awaited; meanwhile the card is locked. */
  pendingTaps: number;
};

/** A card entity (streaming cards): lives apart from the message that shows it. */
export type CardEntity = {
  cardId: string;
  card: CardJson;
  /** Last sequence number taken; the next must be higher. */
  sequence: number;
  uuids: Set<string>;
  createdMs: number;
  streaming: boolean;
  /** When streaming was last opened; it closes by itself 10 minutes later. */
  streamingSinceMs: number;
  messageId?: string;
};

export type StoredFile = { key: string; name: string; mime: string; bytes: Buffer; messageId?: string };

/** A tap's permission to change its card later: `c-…`. */
export type UpdateTicket = { token: string; messageId: string; issuedMs: number; uses: number; answered: boolean };

/** Everything the stand-in knows. Held in memory; messages and what belongs to them can be kept over restarts. */
export type PlatformState = {
  people: Map<string, Person>;
  chats: Map<string, Chat>;
  messages: Map<string, StoredMessage>;
  cards: Map<string, CardEntity>;
  files: Map<string, StoredFile>;
  /** Idempotency key to the message it made. */
  sentByUuid: Map<string, { atMs: number; messageId: string }>;
  tickets: Map<string, UpdateTicket>;
  bot: { openId: string; unionId: string; userId: string; name: string };
  tenantKey: string;
};

/** A fresh id with the platform's prefix and the alphabet SDK users check for (letters and digits). */
export function newId(prefix: "om_" | "oc_" | "ou_" | "on_" | "omt_" | "c-" | ""): string {
  return prefix + randomBytes(16).toString("hex");
}

/** Messages of a chat, oldest first (the map keeps the order of sending). */
export function messagesOf(state: PlatformState, chatId: string): StoredMessage[] {
  return [...state.messages.values()].filter((message) => message.chatId === chatId);
}
