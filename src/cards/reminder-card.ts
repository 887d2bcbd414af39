import { header, line, literal, note, row, words } from "./blocks.ts";
import { actionButton } from "./buttons.ts";
import type { Card, Header } from "./card.ts";
import { cleanText } from "./escape.ts";
import { type Block, fitCard } from "./fit-card.ts";
import { CARD_LIFE_DAYS } from "./limits.ts";
import type { Look } from "./look.ts";
import { isOpen, type MatterView, matterElements } from "./matter.ts";

/** A proactive message and what became of its matters. */
export type ReminderView = {
  /** The message itself. Untrusted model text. */
  readonly text: string;
  /** In the order of the message, the folded ones last. */
  readonly matters: readonly MatterView[];
  /** So many of them are shown, all unless said; the others are a number and a way to the list. */
  readonly shown?: number;
  /** Older than the platform lets a card live: nothing can be tapped any more. */
  readonly expired: boolean;
  /** Found by rules, not by a model: the card says so. */
  readonly byRules?: boolean;
};

const TEXT_CHARS = 3_000;

/** Characters of the message that the chat-list line is made from. */
const SUMMARY_SOURCE_CHARS = 400;

/** The reminder in its present state: fresh, partly or wholly decided, or expired. */
export function reminderCard(view: ReminderView, look: Look): Card {
  const shown = view.matters.slice(0, view.shown ?? view.matters.length);
  // Its words are of the moment it was sent: once something is decided, only the header counts.
  const past = view.matters.some((matter) => !isOpen(matter.state));
  const blocks: Block[] = [
    { stands: 0, elements: [literal(view.text, { maxChars: TEXT_CHARS, ...(past && { color: "grey" }) })] },
    ...shown.map((matter) => ({ stands: 1, elements: matterElements(matter, look, { controls: !view.expired }) })),
  ];
  if (view.byRules) blocks.push({ stands: 0, elements: [note(look, (t) => t.card.reminder.byRules)] });
  if (view.expired) {
    blocks.push({ stands: 0, elements: [line(), note(look, (t) => t.card.reminder.expiredHint(CARD_LIFE_DAYS))] });
  }
  return fitCard(look, {
    header: headerOf(view, look),
    summary: () => cleanText(view.text.slice(0, SUMMARY_SOURCE_CHARS)).replace(/\s+/g, " ").trim(),
    blocks,
    alreadyLeftOut: view.matters.length - shown.length,
    more: (n) => [
      line(),
      words(look, (t) => t.card.reminder.more(n), { color: "grey" }),
      ...(view.expired
        ? []
        : [row([actionButton("items.page", { list: "open", page: 1 }, look, { label: (t) => t.card.common.seeAll })])]),
    ],
  });
}

function headerOf(view: ReminderView, look: Look): Header {
  if (view.expired) return header(look, "grey", (t) => t.card.reminder.expired);
  const total = view.matters.length;
  const open = view.matters.filter((matter) => isOpen(matter.state)).length;
  if (total > 0 && open === 0) return header(look, "green", (t) => t.card.reminder.allDecided);
  if (view.matters.length > 0 && view.matters.every((matter) => matter.claimedDone && isOpen(matter.state))) {
    return header(look, "blue", (t) => t.card.reminder.confirm(total));
  }
  return header(look, "blue", (t) => (open < total ? t.card.reminder.left(open) : t.card.reminder.open(total)));
}
