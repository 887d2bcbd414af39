import type { CardJson, PageContent, PageMessage, PostSpan } from "./page-api.ts";
import type { PlatformState, StoredMessage } from "./platform-state.ts";

/** Cards can be used for this long after they were sent. */
export const CARD_LIFE_MS = 14 * 24 * 60 * 60_000;

/** A stored message as the page draws it. */
export function viewMessage(message: StoredMessage, state: PlatformState, nowMs: number): PageMessage {
  return {
    messageId: message.messageId,
    chatId: message.chatId,
    senderId: message.senderId,
    fromBot: message.fromBot,
    createdAt: new Date(message.createdMs).toISOString(),
    updatedAt: new Date(message.updatedMs).toISOString(),
    edited: message.edits > 0,
    recalled: message.recalled,
    ...(message.parentId === undefined ? {} : { parentId: message.parentId }),
    ...(message.rootId === undefined ? {} : { rootId: message.rootId }),
    reactions: [...message.reactions].map(([emojiType, by]) => ({ emojiType, userIds: by.map((each) => each.openId) })),
    content: message.recalled ? { kind: "other", messageType: message.wireType } : viewContent(message, state, nowMs),
  };
}

function viewContent(message: StoredMessage, state: PlatformState, nowMs: number): PageContent {
  switch (message.type) {
    case "text":
      return {
        kind: "text",
        text: textOf(message.content),
        mentions: message.mentions.map(({ key, openId, name }) => ({ key, userId: openId, name })),
      };
    case "post":
      return viewPost(message.content);
    case "interactive":
      return {
        kind: "card",
        card: shownCard(message, state),
        streaming: message.cardId !== undefined && (state.cards.get(message.cardId)?.streaming ?? false),
        expired: nowMs - message.createdMs > CARD_LIFE_MS,
        version: message.cardVersion,
      };
    case "image":
      return { kind: "image", imageKey: stringAt(message.content, "image_key") };
    case "file": {
      const fileKey = stringAt(message.content, "file_key");
      const file = state.files.get(fileKey);
      return { kind: "file", fileKey, fileName: file?.name ?? fileKey, size: file?.bytes.length ?? 0 };
    }
    case "other":
      return { kind: "other", messageType: message.wireType };
  }
}

/** The card a message shows now: its own, or that of its card entity. */
export function shownCard(message: StoredMessage, state: PlatformState): CardJson {
  const entity = message.cardId === undefined ? undefined : state.cards.get(message.cardId);
  return entity?.card ?? message.card ?? {};
}

function textOf(content: string): string {
  return stringAt(content, "text");
}

function stringAt(content: string, key: string): string {
  const value = (JSON.parse(content) as Record<string, unknown>)[key];
  return typeof value === "string" ? value : "";
}

type Loose = Record<string, unknown>;

function viewPost(content: string): PageContent {
  const parsed = JSON.parse(content) as Loose;
  const body = (parsed.content === undefined ? (parsed.zh_cn ?? Object.values(parsed)[0]) : parsed) as
    | Loose
    | undefined;
  const lines = Array.isArray(body?.content) ? (body.content as unknown[]) : [];
  return {
    kind: "post",
    title: typeof body?.title === "string" ? body.title : "",
    paragraphs: lines.map((line) => (Array.isArray(line) ? (line as Loose[]).flatMap(viewSpan) : [])),
  };
}

function viewSpan(span: Loose): PostSpan[] {
  const text = typeof span.text === "string" ? span.text : "";
  switch (span.tag) {
    case "text":
      return [{ tag: "text", text, style: Array.isArray(span.style) ? span.style.map(String) : [] }];
    case "a":
      return [{ tag: "a", text, href: String(span.href ?? "") }];
    case "at":
      return [{ tag: "at", userId: String(span.user_id ?? ""), name: String(span.user_name ?? "") }];
    case "img":
      return [{ tag: "img", imageKey: String(span.image_key ?? "") }];
    case "code_block":
      return [{ tag: "code_block", language: String(span.language ?? ""), text }];
    case "md":
      return [{ tag: "md", text }];
    case "hr":
      return [{ tag: "hr" }];
    default:
      return text === "" ? [] : [{ tag: "text", text, style: [] }];
  }
}
