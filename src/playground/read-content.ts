import { cardRefusal, Refusal } from "./api-answer.ts";
import { isRecord } from "./card-rules.ts";
import { CARD_LIMITS, checkCard } from "./check-card.ts";
import type { CardJson } from "./page-api.ts";
import type { PlatformCore } from "./platform-core.ts";
import type { CardEntity, Mention, MessageType } from "./platform-state.ts";

const TEXT_BYTES = 150 * 1024;
const TYPES: Record<string, MessageType> = {
  text: "text",
  post: "post",
  image: "image",
  file: "file",
  interactive: "interactive",
  audio: "other",
  media: "other",
  sticker: "other",
  share_chat: "other",
  share_user: "other",
  system: "other",
};

export type ReadContent = {
  type: MessageType;
  content: string;
  mentions: Mention[];
  card?: CardJson;
  entity?: CardEntity;
};

/**
 * Looks a message's content over as the platform does before it takes it.
 * @throws Refusal 230001 wrong content · 230025 too long · 230099 card refused · 300311 card entity used or unknown
 */
export function readContent(core: PlatformCore, msgType: unknown, content: unknown): ReadContent {
  const type = typeof msgType === "string" && Object.hasOwn(TYPES, msgType) ? TYPES[msgType] : undefined;
  if (!type) throw new Refusal(230001, "Your request contains an invalid request parameter, ext=invalid msg_type.");
  if (typeof content !== "string") throw new Refusal(99992402, "field validation failed, content must be a string");
  const parsed = parseObject(content);
  if (!parsed)
    throw new Refusal(230001, "Your request contains an invalid request parameter, ext=content is not a JSON object.");
  const limit = type === "text" ? TEXT_BYTES : CARD_LIMITS.bytes;
  if (Buffer.byteLength(content, "utf8") > limit)
    throw new Refusal(230025, "The length of the message content reaches its limit, ext=");
  switch (type) {
    case "text":
      return readText(core, parsed);
    case "interactive":
      return readCardMessage(core, content, parsed);
    case "image":
      requireFile(core, parsed.image_key, "image_key");
      break;
    case "file":
      requireFile(core, parsed.file_key, "file_key");
      break;
    case "post":
    case "other":
      break;
  }
  return { type, content, mentions: [] };
}

/**
 * A card for a patch or an answer to a tap: always whole, never a card entity.
 * @throws Refusal 230025 over 30 KB · 230099 with the sub code of the first breach
 */
export function readCard(core: PlatformCore, card: CardJson, before: CardJson | undefined): CardJson {
  if (core.faults.refuseCards)
    throw cardRefusal(200621, "parse card json err, please check whether the card json is correct");
  if (card.schema !== "2.0") {
    // Version 1.0 is taken as it is (the stand-in does not know its rules), but never in place of a 2.0 card.
    if (before?.schema === "2.0") throw cardRefusal(200830, "card schema V2 can not change to V1");
    return card;
  }
  const first = checkCard(card)[0];
  if (first) throw cardRefusal(first.code, first.message, first.path);
  return card;
}

export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function readText(core: PlatformCore, parsed: Record<string, unknown>): ReadContent {
  if (typeof parsed.text !== "string" || parsed.text === "")
    throw new Refusal(230001, "Your request contains an invalid request parameter, ext=text is empty.");
  const mentions: Mention[] = [];
  const text = parsed.text.replace(/<at user_id="([^"]*)">([^<]*)<\/at>/g, (_, openId: string, label: string) => {
    const key = openId === "all" ? "@_all" : `@_user_${mentions.length + 1}`;
    mentions.push({ key, openId, name: core.state.people.get(openId)?.name ?? label });
    return key;
  });
  return { type: "text", content: JSON.stringify({ ...parsed, text }), mentions };
}

function readCardMessage(core: PlatformCore, content: string, parsed: Record<string, unknown>): ReadContent {
  if (parsed.type === "template") throw cardRefusal(200380, "template does not exist");
  if (parsed.type === "card") {
    const cardId = isRecord(parsed.data) ? parsed.data.card_id : undefined;
    const entity = typeof cardId === "string" ? core.state.cards.get(cardId) : undefined;
    if (!entity) throw cardRefusal(200740, "card entity does not exist");
    if (entity.messageId !== undefined) throw cardRefusal(300311, "card entity has been sent already");
    return { type: "interactive", content, mentions: [], entity };
  }
  return { type: "interactive", content, mentions: [], card: readCard(core, parsed, undefined) };
}

function requireFile(core: PlatformCore, key: unknown, field: string): void {
  if (typeof key !== "string" || !core.state.files.has(key))
    throw new Refusal(230001, `Your request contains an invalid request parameter, ext=invalid ${field}.`);
}
