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
  const bytes = Buffer.byteLength(json);
  return { bytes, contentBytes: bytes + escapes(json) + 2, elements: countTags(card) };
}

/** How many characters of a JSON text get a backslash when it becomes a JSON string itself. */
function escapes(json: string): number {
  let count = 0;
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i);
    if (code === QUOTE || code === BACKSLASH) count++;
  }
  return count;
}

const QUOTE = 34;
const BACKSLASH = 92;

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
