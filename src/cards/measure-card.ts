import type { Card } from "./card.ts";
import { LIMITS } from "./limits.ts";

export type CardSize = {
  /** UTF-8 bytes of the card's JSON. */
  readonly bytes: number;
  /** UTF-8 bytes of that JSON as a JSON string, as `content` carries it. */
  readonly contentBytes: number;
  /** Objects with a `tag`, at any place of the card. */
  readonly elements: number;
};

/** How large the card is, counted as the platform counts. */
export function measureCard(card: Card): CardSize {
  const json = JSON.stringify(card);
  return {
    bytes: Buffer.byteLength(json),
    contentBytes: Buffer.byteLength(JSON.stringify(json)),
    elements: countTags(card),
  };
}

/** Whether nothing has to be taken away. */
export function isWithinLimits(size: CardSize): boolean {
  return size.bytes <= LIMITS.cardBytes && size.contentBytes <= LIMITS.contentBytes && size.elements <= LIMITS.elements;
}

function countTags(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = "tag" in value ? 1 : 0;
  for (const inner of Object.values(value)) count += countTags(inner);
  return count;
}
