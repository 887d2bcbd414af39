import { botAvatar } from "./chat-list.ts";
import { make } from "./make.ts";
import type { PageStore } from "./page-store.ts";

const SUGGESTIONS = ["/help", "/items", "/status"];

/** What a chat without messages says: what is about to happen, and what one may try meanwhile. */
export function welcome(store: PageStore, isGroup: boolean, onSuggest: (text: string) => void): HTMLElement {
  const words = store.words();
  const isOnline = store.state().herald.connected;
  if (isGroup) return make("div", "welcome", make("p", {}, words.mentionBotHint));
  return make(
    "div",
    "welcome",
    botAvatar("huge"),
    make("h2", {}, isOnline ? words.welcomeTitle : words.offlineTitle),
    make("p", {}, isOnline ? words.welcomeText : words.offlineText),
    isOnline && make("div", { class: "pulse", attrs: { "aria-hidden": "true" } }, make("i"), make("i"), make("i")),
    isOnline &&
      make(
        "div",
        "suggestions",
        make("span", {}, words.welcomeHint),
        ...SUGGESTIONS.map((text) =>
          make(
            "button",
            { class: "suggestion", attrs: { type: "button" }, on: { click: () => onSuggest(text) } },
            text,
          ),
        ),
      ),
  );
}
