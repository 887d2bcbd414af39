import { type ApiAnswer, ok, Refusal } from "./api-answer.ts";
import type { ApiCall, ApiRoute } from "./api-routes.ts";
import { assertEntityCard, claimEntity, findElement, showEntity } from "./card-entity.ts";
import { isRecord } from "./card-rules.ts";
import type { CardJson } from "./page-api.ts";
import type { PlatformCore } from "./platform-core.ts";
import { type CardEntity, newId } from "./platform-state.ts";
import { parseObject } from "./read-content.ts";

const MAX_TEXT = 100_000;

/** `POST cardkit/v1/cards`: makes a card entity; it is shown by sending a message with its `card_id`, once. */
export function createCard(core: PlatformCore, call: ApiCall): ApiAnswer {
  const { type, data } = isRecord(call.body) ? call.body : {};
  if (type !== "card_json" || typeof data !== "string")
    throw new Refusal(10002, "type must be card_json and data a JSON string");
  const card = parseObject(data);
  if (!card) throw new Refusal(200220, "card content is not a JSON object");
  assertEntityCard(core, card);
  const now = core.nowMs();
  const entity: CardEntity = {
    cardId: newId("").slice(0, 20),
    card,
    sequence: 0,
    uuids: new Set(),
    createdMs: now,
    streaming: isRecord(card.config) && card.config.streaming_mode === true,
    streamingSinceMs: now,
  };
  core.state.cards.set(entity.cardId, entity);
  return ok({ card_id: entity.cardId });
}

/** `PUT cardkit/v1/cards/:id`: the whole card anew. */
export function updateCard(core: PlatformCore, call: ApiCall): ApiAnswer {
  const { entity, body } = claimEntity(core, call);
  const data = isRecord(body.card) ? body.card.data : undefined;
  const card = typeof data === "string" ? parseObject(data) : undefined;
  if (!card) throw new Refusal(10002, "card.data must be a JSON string");
  return change(core, entity, () => card);
}

/** `PATCH …/settings`: merges into the card's config; closes or opens streaming. */
export function setCardSettings(core: PlatformCore, call: ApiCall): ApiAnswer {
  const { entity, body } = claimEntity(core, call);
  return change(core, entity, (card) => withSettings(card, body.settings));
}

/** `PUT …/elements/:element_id/content`: the full text so far; only while streaming. */
export function streamCardText(core: PlatformCore, call: ApiCall): ApiAnswer {
  const { entity, body } = claimEntity(core, call);
  if (!entity.streaming) throw new Refusal(300309, "streaming mode is closed");
  const { content } = body;
  if (typeof content !== "string" || content.length < 1 || content.length > MAX_TEXT)
    throw new Refusal(10002, `content must have 1 to ${MAX_TEXT} characters`);
  return change(core, entity, (card) => {
    const { element } = placeOf(card, call.params.element_id);
    if (element.tag !== "markdown" && element.tag !== "plain_text") {
      const text = element.text;
      if (!isRecord(text) || text.tag !== "plain_text")
        throw new Refusal(300310, "only markdown and plain_text can be streamed");
      text.content = content;
    } else element.content = content;
    return card;
  });
}

/** `POST …/elements`: more components, before or after one, or at the end. */
export function addCardElements(core: PlatformCore, call: ApiCall): ApiAnswer {
  const { entity, body } = claimEntity(core, call);
  return change(core, entity, (card) => added(card, { ...body, elements: parseList(body.elements) }));
}

/** `PUT` and `PATCH …/elements/:element_id`: another component in its place, or some of its properties anew. */
export function changeCardElement(how: "replace" | "merge"): ApiRoute["answer"] {
  return (core, call) => {
    const { entity, body } = claimEntity(core, call);
    const text = how === "replace" ? body.element : body.partial_element;
    const given = typeof text === "string" ? parseObject(text) : undefined;
    if (!given) throw new Refusal(300313, "element must be a JSON string of an object");
    return change(core, entity, (card) => changed(card, call.params.element_id, given, how));
  };
}

/** `DELETE …/elements/:element_id`. */
export function removeCardElement(core: PlatformCore, call: ApiCall): ApiAnswer {
  const { entity } = claimEntity(core, call);
  return change(core, entity, (card) => removed(card, [call.params.element_id]));
}

type Step = (card: CardJson, params: Record<string, unknown>) => CardJson;

const BATCH_STEPS: Record<string, Step> = {
  partial_update_setting: (card, params) => withSettings(card, params.settings),
  add_elements: (card, params) => added(card, params),
  delete_elements: (card, params) => removed(card, Array.isArray(params.element_ids) ? params.element_ids : []),
  partial_update_element: (card, params) => changed(card, params.element_id, asObject(params.partial_element), "merge"),
  update_element: (card, params) => changed(card, params.element_id, asObject(params.element), "replace"),
};

/** `POST …/batch_update`: several steps under one sequence number, all or none. */
export function runCardBatch(core: PlatformCore, call: ApiCall): ApiAnswer {
  const { entity, body } = claimEntity(core, call);
  const steps = parseList(body.actions);
  return change(core, entity, (card) =>
    steps.reduce<CardJson>((soFar, step) => {
      const action = isRecord(step) && typeof step.action === "string" ? step.action : "";
      const run = Object.hasOwn(BATCH_STEPS, action) ? BATCH_STEPS[action] : undefined;
      if (!run || !isRecord(step)) throw new Refusal(10002, `unknown action "${action}"`);
      return run(soFar, isRecord(step.params) ? step.params : {});
    }, card),
  );
}

function change(core: PlatformCore, entity: CardEntity, how: (card: CardJson) => CardJson): ApiAnswer {
  const card = how(structuredClone(entity.card));
  assertEntityCard(core, card);
  showEntity(core, entity, card);
  return ok();
}

function withSettings(card: CardJson, settings: unknown): CardJson {
  const parsed = typeof settings === "string" ? parseObject(settings) : isRecord(settings) ? settings : undefined;
  if (!parsed || !isRecord(parsed.config)) throw new Refusal(300121, "settings must be a JSON string with a config");
  if (parsed.config.update_multi === false) throw new Refusal(300302, "update_multi must be true");
  return { ...card, config: { ...(isRecord(card.config) ? card.config : {}), ...parsed.config } };
}

function added(card: CardJson, params: Record<string, unknown>): CardJson {
  const elements = Array.isArray(params.elements) ? (params.elements as unknown[]) : [];
  if (elements.length === 0) throw new Refusal(300315, "elements must not be empty");
  const target = params.target_element_id;
  if (params.type === "append" && target === undefined) {
    const body = isRecord(card.body) ? card.body : {};
    return {
      ...card,
      body: { ...body, elements: [...(Array.isArray(body.elements) ? body.elements : []), ...elements] },
    };
  }
  const place = placeOf(card, target);
  if (params.type === "append") {
    const inside = place.element.elements;
    if (!Array.isArray(inside)) throw new Refusal(300315, "only a container can be appended to");
    inside.push(...elements);
  } else if (params.type === "insert_before") place.list.splice(place.index, 0, ...elements);
  else if (params.type === "insert_after") place.list.splice(place.index + 1, 0, ...elements);
  else throw new Refusal(10002, "type must be insert_before, insert_after or append");
  return card;
}

function changed(
  card: CardJson,
  elementId: unknown,
  given: Record<string, unknown>,
  how: "replace" | "merge",
): CardJson {
  const place = placeOf(card, elementId);
  if (given.tag !== undefined && how === "merge" && given.tag !== place.element.tag)
    throw new Refusal(300312, "tag cannot be changed");
  place.list[place.index] = how === "merge" ? { ...place.element, ...given } : given;
  return card;
}

function removed(card: CardJson, elementIds: readonly unknown[]): CardJson {
  for (const elementId of elementIds) {
    const place = placeOf(card, elementId, 300314);
    place.list.splice(place.index, 1);
  }
  return card;
}

function placeOf(card: CardJson, elementId: unknown, code = 300313): NonNullable<ReturnType<typeof findElement>> {
  const place = typeof elementId === "string" ? findElement(card, elementId) : undefined;
  if (!place) throw new Refusal(code, `element "${String(elementId)}" does not exist`);
  return place;
}

function asObject(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) throw new Refusal(10002, "an element must be an object");
  return value;
}

function parseList(text: unknown): unknown[] {
  try {
    const parsed: unknown = typeof text === "string" ? JSON.parse(text) : text;
    if (Array.isArray(parsed)) return parsed;
  } catch {
    // Told below, like any other form that is no list.
  }
  throw new Refusal(10002, "must be a JSON string of a list");
}
