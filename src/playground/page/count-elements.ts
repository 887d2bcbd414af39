import { asArray, asObject, type JsonObject } from "./read-json.ts";

/** What a card weighs against the platform's limits. */
export type CardWeight = {
  /** UTF-8 bytes of the card's JSON. */
  readonly bytes: number;
  /** Components and tagged elements: a `plain_text` inside a button counts too. */
  readonly elements: number;
  /** Deepest nesting of containers. */
  readonly depth: number;
  readonly tables: number;
};

/** Feishu: a 2.0 card takes 30 KB, 200 elements, containers five deep, five tables. */
export const CARD_LIMITS = { bytes: 30_000, elements: 200, depth: 5, tables: 5 } as const satisfies CardWeight;

/** Data that belongs to the bot or to a chart, not to the card's own tree. */
const FOREIGN = ["value", "chart_spec", "rows", "behaviors"];
const CONTAINERS = ["column_set", "column", "form", "interactive_container", "collapsible_panel"];
/** No card the platform takes is this deep; a hostile one must not cost a stack. */
const MAX_WALK = 100;

/** Weighs a card as the platform does. */
export function weighCard(card: JsonObject): CardWeight {
  const weight = { bytes: new TextEncoder().encode(JSON.stringify(card)).length, elements: 0, depth: 0, tables: 0 };
  walk(card, 0, 0, weight);
  return weight;
}

function walk(
  node: unknown,
  containers: number,
  level: number,
  weight: { elements: number; depth: number; tables: number },
): void {
  if (level > MAX_WALK) return;
  for (const each of asArray(node)) walk(each, containers, level + 1, weight);
  const object = asObject(node);
  if (!object) return;
  const tag = object.tag;
  let inside = containers;
  if (typeof tag === "string") {
    weight.elements += 1;
    if (tag === "table") weight.tables += 1;
    // A column belongs to its column_set: the pair is one level.
    if (CONTAINERS.includes(tag) && tag !== "column") inside += 1;
    weight.depth = Math.max(weight.depth, inside);
  }
  for (const [key, value] of Object.entries(object)) {
    if (!FOREIGN.includes(key)) walk(value, inside, level + 1, weight);
  }
}
