import { line, note } from "./blocks.ts";
import type { Card, Element, Header, RootElement } from "./card.ts";
import { cutText } from "./cut-text.ts";
import { cleanText } from "./escape.ts";
import { LIMITS } from "./limits.ts";
import { type Look, say, type Write } from "./look.ts";
import { isWithinLimits, measureCard } from "./measure-card.ts";
import { capTexts, elementTrimmer, trimHeader } from "./trim-elements.ts";

/** Some elements that belong together and are left out together, so that no button ever loses what it is about. */
export type Block = {
  readonly elements: readonly RootElement[];
  /** How many things of a list the block shows; 0 for what is no part of a list and is left out last. */
  readonly stands: number;
};

/** A card before the limits are looked at. */
export type Draft = {
  /** A reply in a chat has none: it is words, not a notice. */
  readonly header?: Header;
  /** What chat list and push show. */
  readonly summary: Write;
  /** Its text is being typed. */
  readonly streaming?: boolean;
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

/** Characters to which texts are cut while things of the list are left out. */
const SHORTEST_IN_LIST = 250;

/** Characters to which texts are cut when even the indispensable is too much. */
const LAST_CAP = 60;

/**
 * Makes the card and brings it under every limit in `LIMITS`. In this order, and only as far as needed: single texts are
 * brought under their own limits; the longest texts are shortened; things of the list are left out from the end, whole,
 * with the number said on the card; what is no list is left out from the end. What stays keeps its buttons. Never throws.
 */
export function fitCard(look: Look, draft: Draft): Card {
  const shell = shellOf(look, draft);
  const trimmed = trimBlocks(draft.blocks);
  for (const maxChars of [Number.POSITIVE_INFINITY, ...TEXT_CAPS]) {
    const card = assemble(look, draft, shell, capBlocks(trimmed, maxChars));
    if (fits(card)) return card;
  }
  let blocks = capBlocks(trimmed, SHORTEST_IN_LIST);
  while (blocks.some(isListed)) {
    blocks = withoutLast(blocks, isListed);
    const card = assemble(look, draft, shell, blocks);
    if (fits(card)) return card;
  }
  blocks = capBlocks(blocks, LAST_CAP);
  while (blocks.length > 0) {
    const card = assemble(look, draft, shell, blocks);
    if (fits(card)) return card;
    blocks = blocks.slice(0, -1);
  }
  return withBody(shell, [note(look, (t) => t.card.tooLong)]);
}

/** A block whose texts have been looked at, and whether one of them lost something. */
type TrimmedBlock = Block & { readonly cut: boolean };

function trimBlocks(blocks: readonly Block[]): TrimmedBlock[] {
  const trim = elementTrimmer();
  return blocks.map((block) => ({ ...block, elements: trim(block.elements), cut: false }));
}

function capBlocks(blocks: readonly TrimmedBlock[], maxChars: number): TrimmedBlock[] {
  return blocks.map((block) => {
    const { elements, cut } = capTexts(block.elements, maxChars);
    return { ...block, elements, cut: block.cut || cut };
  });
}

function assemble(look: Look, draft: Draft, shell: Shell, blocks: readonly TrimmedBlock[]): Card {
  const leftOut = standing(draft.blocks) - standing(blocks) + (draft.alreadyLeftOut ?? 0);
  const more = draft.more ?? ((n: number) => [line(), note(look, (t) => t.card.leftOut(n))]);
  return withBody(shell, [
    ...blocks.flatMap((block) => block.elements),
    ...(leftOut > 0 ? elementTrimmer()(more(leftOut)) : []),
    ...(blocks.some((block) => block.cut) ? [note(look, (t) => t.card.textCut)] : []),
  ]);
}

/** All of a card but its body. */
type Shell = Omit<Card, "body">;

function shellOf(look: Look, draft: Draft): Shell {
  return {
    schema: "2.0",
    config: {
      update_multi: true,
      enable_forward: draft.forward ?? false,
      enable_forward_interaction: false,
      width_mode: "default",
      summary: say(look, (t, format) => cutText(cleanText(draft.summary(t, format)), LIMITS.summaryChars)),
      ...(look.language === "both" && { locales: ["zh_cn", "en_us"] as const }),
      ...(draft.streaming && { streaming_mode: true as const }),
    },
    ...(draft.header && { header: trimHeader(draft.header) }),
  };
}

function withBody(shell: Shell, elements: readonly RootElement[]): Card {
  return { ...shell, body: { direction: "vertical", vertical_spacing: "8px", elements: tidyLines(elements) } };
}

/** Lines part things: none stands first, last, or beside another. */
function tidyLines(elements: readonly RootElement[]): RootElement[] {
  return elements.filter((element, index) => {
    const next = elements[index + 1];
    return element.tag !== "hr" || (index > 0 && next !== undefined && next.tag !== "hr");
  });
}

const fits = (card: Card): boolean => isWithinLimits(measureCard(card));

const standing = (blocks: readonly Block[]): number => blocks.reduce((sum, block) => sum + block.stands, 0);

const isListed = (block: Block): boolean => block.stands > 0;

function withoutLast(blocks: readonly TrimmedBlock[], mayGo: (block: Block) => boolean): TrimmedBlock[] {
  const last = blocks.findLastIndex(mayGo);
  return blocks.filter((_, index) => index !== last);
}
