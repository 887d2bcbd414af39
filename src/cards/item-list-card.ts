import { header, line, note, row, words } from "./blocks.ts";
import { actionButton } from "./buttons.ts";
import type { Card, Element } from "./card.ts";
import { type Block, fitCard } from "./fit-card.ts";
import { CARD_LIFE_DAYS } from "./limits.ts";
import type { Look } from "./look.ts";
import { type MatterView, matterElements } from "./matter.ts";
import { pager } from "./pager.ts";

/** Matters that fit well on one page of the list. */
export const ITEMS_PER_PAGE = 5;

export type ItemList = "open" | "closed" | "all";

/** One page of the list of matters. */
export type ItemListView = {
  readonly list: ItemList;
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  /** Matters on all pages. */
  readonly total: number;
  /** Those of this page, at most `ITEMS_PER_PAGE`; each with its number for typed commands. */
  readonly matters: readonly MatterView[];
  /** Shown in a group, where nothing of a direct chat is listed. */
  readonly inGroup?: boolean;
  /** Older than the platform lets a card live: nothing can be tapped any more. */
  readonly expired?: boolean;
};

const LISTS = ["open", "closed", "all"] as const;

/** What is followed up, with the same buttons a reminder has. */
export function itemListCard(view: ItemListView, look: Look): Card {
  const controls = !view.expired;
  const blocks: Block[] = [];
  if (view.matters.length === 0)
    blocks.push({
      stands: 0,
      elements: [words(look, (t) => (view.inGroup ? t.card.items.emptyInGroup : t.card.items.empty[view.list]))],
    });
  for (const matter of view.matters)
    blocks.push({ stands: 1, elements: matterElements(matter, look, { controls, numbered: true }) });
  const foot: Element[] = [line()];
  if (controls) {
    foot.push(
      ...pager(look, view, (page, direction) =>
        actionButton("items.page", { list: view.list, page }, look, {
          label: (t) => (direction === "back" ? t.card.common.previousPage : t.card.common.nextPage),
        }),
      ),
      row(
        LISTS.filter((list) => list !== view.list).map((list) =>
          actionButton("items.page", { list, page: 1 }, look, {
            label: (t) => t.card.items.title[list],
            style: "text",
          }),
        ),
      ),
    );
  }
  if (view.matters.some((matter) => matter.number !== undefined)) foot.push(note(look, (t) => t.card.items.typing));
  if (view.expired) foot.push(note(look, (t) => t.card.reminder.expiredHint(CARD_LIFE_DAYS)));
  blocks.push({ stands: 0, elements: foot });
  return fitCard(look, {
    header: header(look, view.expired ? "grey" : "blue", (t) => t.card.items.title[view.list], {
      ...(view.total > 0 && { subtitle: (t) => t.card.items.count(view.total) }),
    }),
    summary: (t) => `${t.card.items.title[view.list]} · ${t.card.items.count(view.total)}`,
    blocks,
  });
}
