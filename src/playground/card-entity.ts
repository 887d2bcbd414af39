import { Refusal } from "./api-answer.ts";
import type { ApiCall } from "./api-routes.ts";
import { isRecord } from "./card-rules.ts";
import { checkCard } from "./check-card.ts";
import { publish } from "./message-calls.ts";
import type { CardJson } from "./page-api.ts";
import { CARD_LIFE_MS } from "./page-view.ts";
import type { PlatformCore } from "./platform-core.ts";
import type { CardEntity } from "./platform-state.ts";

/** Streaming closes by itself after this. */
const STREAMING_LIFE_MS = 10 * 60_000;
const MAX_SEQUENCE = 2 ** 31 - 1;

/**
 * The card entity a call names, ready to be changed by it: alive, not held by a tap, sequence above all before.
 * @throws Refusal 200740 unknown · 200750 over 14 days · 200810 in interaction · 300317 sequence · 200770 uuid used
 */
export function claimEntity(core: PlatformCore, call: ApiCall): { entity: CardEntity; body: Record<string, unknown> } {
  const entity = core.state.cards.get(call.params.card_id ?? "");
  const body = isRecord(call.body) ? call.body : {};
  if (!entity) throw new Refusal(200740, "card entity does not exist");
  const now = core.nowMs();
  if (now - entity.createdMs > CARD_LIFE_MS) throw new Refusal(200750, "card entity has expired");
  const message = entity.messageId === undefined ? undefined : core.state.messages.get(entity.messageId);
  if ((message?.pendingTaps ?? 0) > 0) throw new Refusal(200810, "card is in interaction");
  if (!entity.streaming) core.rates.checkEntity(entity.cardId);
  const { sequence, uuid } = body;
  if (typeof sequence !== "number" || !Number.isInteger(sequence) || sequence < 1 || sequence > MAX_SEQUENCE)
    throw new Refusal(10002, "sequence must be an int32 of at least 1");
  if (sequence <= entity.sequence) throw new Refusal(300317, "sequence number compare failed");
  if (uuid !== undefined) {
    if (typeof uuid !== "string" || uuid.length < 1 || uuid.length > 64)
      throw new Refusal(10002, "uuid must have 1 to 64 characters");
    if (entity.uuids.has(uuid)) throw new Refusal(200770, "uuid has been used");
    entity.uuids.add(uuid);
  }
  entity.sequence = sequence;
  if (entity.streaming && now - entity.streamingSinceMs > STREAMING_LIFE_MS) {
    entity.streaming = false;
    if (call.params.element_id !== undefined) throw new Refusal(200850, "streaming mode has timed out");
  }
  return { entity, body };
}

/**
 * A card entity's JSON looked over.
 * @throws Refusal 200860 over 30 KB · 300303 not 2.0 · 300305 over 200 elements · 300301 an id twice · 200220 otherwise
 */
export function assertEntityCard(core: PlatformCore, card: CardJson): void {
  if (core.faults.refuseCards) throw new Refusal(200220, "card content is invalid");
  if (card.schema !== "2.0") throw new Refusal(300303, "only schema 2.0 is supported");
  const first = checkCard(card)[0];
  if (!first) return;
  const code = ({ 200860: 200860, 300301: 300301 } as Record<number, number>)[first.code];
  if (code !== undefined) throw new Refusal(code, first.message);
  if (first.message.startsWith("element exceeds")) throw new Refusal(300305, first.message);
  throw new Refusal(200220, `card content is invalid: ErrCode: ${first.code}; ${first.path} ${first.message}`);
}

/** Puts the changed card in place and tells the pages. */
export function showEntity(core: PlatformCore, entity: CardEntity, card: CardJson): void {
  entity.card = card;
  const streaming = isRecord(card.config) && card.config.streaming_mode === true;
  if (streaming && !entity.streaming) entity.streamingSinceMs = core.nowMs();
  entity.streaming = streaming;
  const message = entity.messageId === undefined ? undefined : core.state.messages.get(entity.messageId);
  if (!message) return;
  message.cardVersion += 1;
  message.updatedMs = core.nowMs();
  publish(core, message, "patch");
}

/** Where an element stands: the list that holds it and its place there. */
export type ElementPlace = { list: unknown[]; index: number; element: Record<string, unknown> };

/** The element with this id in the body, however deep. */
export function findElement(card: CardJson, elementId: string): ElementPlace | undefined {
  return search(card.body, elementId);
}

function search(node: unknown, elementId: string): ElementPlace | undefined {
  if (!isRecord(node)) return undefined;
  for (const key of ["elements", "columns"]) {
    const list: unknown = node[key];
    if (!Array.isArray(list)) continue;
    for (const [index, element] of list.entries()) {
      if (isRecord(element) && element.element_id === elementId) return { list, index, element };
      const deeper = search(element, elementId);
      if (deeper) return deeper;
    }
  }
  const own = node.text;
  return isRecord(own) && own.element_id === elementId ? { list: [own], index: 0, element: own } : undefined;
}
