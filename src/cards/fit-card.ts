import { line, note } from "./blocks.ts";
import type { Card, Element, Header, RootElement } from "./card.ts";
import { cutText } from "./cut-text.ts";
import { cleanText } from "./escape.ts";
import { LIMITS } from "./limits.ts";
import { type Look, say, type Write } from "./look.ts";
import { isWithinLimits, measureCard } from "./measure-card.ts";
import { capTexts, trimElements, trimHeader } from "./trim-elements.ts";

/** Some elements that belong together and are left out together, so that no button ever loses what it is about. */
export type Block = {
  readonly elements: readonly RootElement[];
  /** How many things of a list the block shows; 0 for what is no part of a list and is left out last. */
  readonly stands: number;
};

/** A card before the limits are looked at. */
export type Draft = {
  readonly header: Header;
  /** What chat list and push show. */
  readonly summary: Write;
  /** May the card be forwarded? Its buttons never work in a forwarded copy. */
  readonly forward?: boolean;
  readonly blocks: readonly Block[];
  /** Things of the list that the card's maker has already left out. */
  readonly alreadyLeftOut?: number;
  /** Shown when `n` > 0 things are not on the card; a plain note when not given. */
  readonly more?: (n: number) => readonly Element[];
};

/** Characters to which the longest texts are cut, step by step, before anything is left out altogether. */
const TEXT_CAPS = [4_000, 2_000, 1_000, 500, 250] as const;

/** Characters to which texts are cut when even the indispensable is too much. */
const LAST_CAP = 60;

/**
 * Makes the card and brings it under every limit in `LIMITS`. In this order, and only as far as needed: single texts are
 * brought under their own limits; the longest texts are shortened; things of the list are left out from the end, whole,
 * with the number said on the card; what is no list is left out from the end. What stays keeps its buttons. Never throws.
 */
export function fitCard(look: Look, draft: Draft): Card {
  for (const cap of [Number.POSITIVE_INFINITY, ...TEXT_CAPS]) {
    const card = assemble(look, draft, draft.blocks, cap);
    if (fits(card)) return card;
  }
  let blocks = draft.blocks;
  for (const cap of [250, LAST_CAP]) {
    const mayGo = (block: Block): boolean => cap === LAST_CAP || block.stands > 0;
    while (blocks.some(mayGo)) {
      blocks = withoutLast(blocks, mayGo);
      const card = assemble(look, draft, blocks, cap);
      if (fits(card)) return card;
    }
  }
  return frame(look, draft, [note(look, (t) => t.card.tooLong)]);
}

function assemble(look: Look, draft: Draft, blocks: readonly Block[], maxChars: number): Card {
  const capped = capTexts(trimElements(blocks.flatMap((block) => block.elements)), maxChars);
  const leftOut = standing(draft.blocks) - standing(blocks) + (draft.alreadyLeftOut ?? 0);
  const more = draft.more ?? ((n: number) => [line(), note(look, (t) => t.card.leftOut(n))]);
  return frame(look, draft, [
    ...capped.elements,
    ...(leftOut > 0 ? more(leftOut) : []),
    ...(capped.cut ? [note(look, (t) => t.card.textCut)] : []),
  ]);
}

function frame(look: Look, draft: Draft, elements: readonly RootElement[]): Card {
  return {
    schema: "2.0",
    config: {
      update_multi: true,
      enable_forward: draft.forward ?? false,
      enable_forward_interaction: false,
      width_mode: "default",
      summary: say(look, (t, format) => cutText(cleanText(draft.summary(t, format)), LIMITS.summaryChars)),
      ...(look.language === "both" && { locales: ["zh_cn", "en_us"] as const }),
    },
    header: trimHeader(draft.header),
    body: { direction: "vertical", vertical_spacing: "8px", elements: trimElements(elements) },
  };
}

const fits = (card: Card): boolean => isWithinLimits(measureCard(card));

const standing = (blocks: readonly Block[]): number => blocks.reduce((sum, block) => sum + block.stands, 0);

function withoutLast(blocks: readonly Block[], mayGo: (block: Block) => boolean): readonly Block[] {
  const last = blocks.findLastIndex(mayGo);
  return blocks.filter((_, index) => index !== last);
}
