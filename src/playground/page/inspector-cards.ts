import type { PageMessage } from "../page-api.ts";
import { CARD_LIMITS, weighCard } from "./count-elements.ts";
import { formatLocal } from "./format-time.ts";
import { icon } from "./icons.ts";
import { make } from "./make.ts";
import { messageSummary } from "./message-summary.ts";
import type { PageStore } from "./page-store.ts";
import type { JsonObject } from "./read-json.ts";
import { showToast } from "./toast.ts";

/**
 * The open chat's cards as JSON, each with its weight against the platform's limits.
 * @param chosenId the card to show; without it the newest.
 */
export function drawCardJson(
  store: PageStore,
  chosenId: string | undefined,
  onChoose: (messageId: string) => void,
): Node[] {
  const words = store.words();
  const cards = cardsToShow(store, chosenId);
  const shown = cards.find((message) => message.messageId === chosenId) ?? cards[0];
  if (shown?.content.kind !== "card") return [make("p", "muted", words.emptyCards)];

  const place = { language: store.language(), timeZone: store.state().timeZone };
  const text = JSON.stringify(shown.content.card, null, 2);
  const picker = make(
    "select",
    { class: "wheel wide", attrs: { "aria-label": words.tabs.cards } },
    ...cards.map((message) =>
      make(
        "option",
        { attrs: { value: message.messageId, selected: message === shown } },
        `${formatLocal(Date.parse(message.createdAt), "time", place)} ${messageSummary(message, place.language, words.summary)}`,
      ),
    ),
  );
  picker.addEventListener("change", () => onChoose(picker.value));
  const copy = make("button", { class: "button default small", attrs: { type: "button" } }, icon("copy"), words.copy);
  copy.addEventListener("click", () => {
    navigator.clipboard?.writeText(text).then(
      () => showToast("success", words.copied),
      () => showToast("error", words.copyFailed),
    );
  });
  return [
    picker,
    drawWeight(shown.content.card, store),
    copy,
    make("pre", { class: "raw", attrs: { tabindex: 0 } }, text),
  ];
}

/** What {@link drawCardJson} would draw, in short: the same picture needs no new drawing. */
export function pictureOfCards(store: PageStore, chosenId: string | undefined): string {
  const cards = cardsToShow(store, chosenId);
  return JSON.stringify([
    store.language(),
    store.openChat(),
    chosenId,
    cards.map((card) => [card.messageId, card.content]),
  ]);
}

function cardsToShow(store: PageStore, chosenId: string | undefined): PageMessage[] {
  return Object.values(store.state().messages)
    .flat()
    .filter((message) => message.chatId === store.openChat() || message.messageId === chosenId)
    .filter((message) => message.content.kind === "card" && !message.recalled)
    .toReversed();
}

function drawWeight(card: JsonObject, store: PageStore): HTMLElement {
  const words = store.words();
  const weight = weighCard(card);
  const isOver = (Object.keys(CARD_LIMITS) as (keyof typeof CARD_LIMITS)[]).some(
    (key) => weight[key] > CARD_LIMITS[key],
  );
  return make(
    "p",
    `weight${isOver ? " over" : ""}`,
    make("strong", {}, words.cardWeight((weight.bytes / 1000).toFixed(1), weight.elements, weight.depth)),
    make("span", "muted", words.cardLimits(String(CARD_LIMITS.bytes / 1000), CARD_LIMITS.elements, CARD_LIMITS.depth)),
    isOver && make("strong", {}, words.overLimit),
  );
}
