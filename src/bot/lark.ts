import type { LarkErrorKind } from "./lark-errors.ts";

/** What is sent: `content` is the object that becomes the platform's JSON string. */
export type Outgoing =
  | { type: "interactive"; content: object }
  | { type: "text"; content: { text: string } }
  | { type: "image"; content: { image_key: string } }
  | { type: "file"; content: { file_key: string } };

export type Recipient = { openId: string } | { chatId: string };

export interface SentMessage {
  messageId: string;
  chatId: string;
}

/** A message as the platform hands it back. */
export interface StoredMessage {
  messageId: string;
  /** text, post, image, interactive, … */
  type: string;
  /** JSON */
  content: string;
  /** open_id of a person, or the id of an app */
  senderId: string;
  fromApp: boolean;
  sentAt: Date;
  mentions: readonly { key: string; name: string }[];
}

/** What is to be uploaded. */
export interface Upload {
  bytes: Buffer;
  name: string;
}

export interface BotInfo {
  openId: string;
  name: string;
}

/** Feishu as the bot needs it. Every call throws LarkError when the platform refuses or cannot be reached. */
export interface Lark {
  /** `uuid` (≤ 50 characters) stays the same over all tries of one message: at most one arrives within an hour. */
  send(to: Recipient, message: Outgoing, uuid: string): Promise<SentMessage>;
  reply(messageId: string, message: Outgoing, uuid: string, inThread?: boolean): Promise<SentMessage>;
  /** Replaces a card of ours. Calls for one message must not overlap. */
  patch(messageId: string, card: object): Promise<void>;
  /** p2p or group, from the chat itself. */
  chatType(chatId: string): Promise<"p2p" | "group">;
  botInfo(): Promise<BotInfo>;
  /** A card entity, to be shown by sending a message that names it, once. */
  createCard(card: object): Promise<{ cardId: string }>;
  /**
   * The text of one element, whole, while the entity streams: what goes on where the old text ended is typed on. Feishu:
   * `sequence` strictly rising per card over all calls.
   */
  streamText(cardId: string, elementId: string, text: string, sequence: number): Promise<void>;
  /** Merges into the entity's config: opens or closes streaming, sets the summary. */
  cardSettings(cardId: string, config: object, sequence: number): Promise<void>;
  /** Several changes of the entity under one number, all or none. */
  batchUpdateCard(cardId: string, actions: readonly object[], sequence: number): Promise<void>;
  /** The whole entity anew. */
  updateCard(cardId: string, card: object, sequence: number): Promise<void>;
  uploadImage(file: Upload): Promise<{ imageKey: string }>;
  uploadFile(file: Upload): Promise<{ fileKey: string }>;
  /**
   * A file somebody sent in a message.
   * @throws LarkError `refused` when it is longer than `most` bytes
   */
  download(messageId: string, key: string, kind: "image" | "file", most: number): Promise<Buffer>;
  /** One message. Undefined when it was recalled or may not be read. */
  message(messageId: string): Promise<StoredMessage | undefined>;
  /** Messages of a topic, newest first. Needs the scope that reads messages. */
  threadMessages(threadId: string, most: number): Promise<readonly StoredMessage[]>;
  /** Messages this app sent into a chat between two instants, oldest first. Needs the scope that reads messages. */
  ownMessages(chatId: string, from: Date, until: Date): Promise<readonly { messageId: string; isCard: boolean }[]>;
}

/** A refused or failed call, with what is needed to decide about another try. Never holds a token or a message text. */
export class LarkError extends Error {
  readonly method: string;
  readonly kind: LarkErrorKind;
  readonly code: number | undefined;
  readonly subCode: number | undefined;
  /** ms the platform asks to wait, when it says so */
  readonly retryAfterMs: number | undefined;
  /** true when the platform may have carried the call out although no answer came */
  readonly inDoubt: boolean;
  readonly logId: string | undefined;

  constructor(facts: {
    method: string;
    kind: LarkErrorKind;
    code?: number | undefined;
    subCode?: number | undefined;
    retryAfterMs?: number | undefined;
    inDoubt?: boolean;
    logId?: string | undefined;
    message: string;
  }) {
    super(`${facts.method}: ${facts.code ?? "no answer"} ${facts.message}`.slice(0, 300));
    this.name = "LarkError";
    this.method = facts.method;
    this.kind = facts.kind;
    this.code = facts.code;
    this.subCode = facts.subCode;
    this.retryAfterMs = facts.retryAfterMs;
    this.inDoubt = facts.inDoubt ?? false;
    this.logId = facts.logId;
  }
}
