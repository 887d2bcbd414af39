import { botAvatar } from "./chat-list.ts";
import type { PageWords } from "./i18n.ts";
import { make } from "./make.ts";
import type { PageStore } from "./page-store.ts";

/** Which true thing a chat without messages can say. */
export type WelcomeKind = "offline" | "reading" | "quiet" | "guest" | "group";

/** After this long "in a few seconds" would no longer be true. */
export const READING_MS = 45_000;

/** Reminders go to the owner's direct chat only; everybody else is told so instead of waiting for one. */
export function welcomeKind(facts: {
  readonly isGroup: boolean;
  readonly isOwner: boolean;
  readonly isConnected: boolean;
  /** How long the owner's empty chat has been on screen with the bot connected. */
  readonly waitedMs: number;
}): WelcomeKind {
  if (facts.isGroup) return "group";
  if (!facts.isConnected) return "offline";
  if (!facts.isOwner) return "guest";
  return facts.waitedMs < READING_MS ? "reading" : "quiet";
}

/** What a chat without messages says: what is about to happen, and what one may try meanwhile. */
export function drawWelcome(kind: WelcomeKind, store: PageStore, onSuggest: (text: string) => void): HTMLElement {
  const words = store.words();
  if (kind === "group") return make("div", "welcome", make("p", {}, words.mentionBotHint));
  const { title, text, tries } = sayings(words, store.state().me.name)[kind];
  return make(
    "div",
    `welcome ${kind}`,
    botAvatar("huge"),
    make("h2", {}, title),
    make("p", {}, text),
    kind === "reading" &&
      make("div", { class: "pulse", attrs: { "aria-hidden": "true" } }, make("i"), make("i"), make("i")),
    tries.length > 0 &&
      make(
        "div",
        "suggestions",
        make("span", {}, words.welcomeHint),
        ...tries.map((each) =>
          make(
            "button",
            { class: "suggestion", attrs: { type: "button" }, on: { click: () => onSuggest(each) } },
            each,
          ),
        ),
      ),
  );
}

function sayings(
  words: PageWords,
  owner: string,
): Record<Exclude<WelcomeKind, "group">, { title: string; text: string; tries: readonly string[] }> {
  return {
    offline: { title: words.offlineTitle, text: words.offlineText, tries: [] },
    reading: { title: words.welcomeTitle, text: words.welcomeText, tries: ["/help", "/items", "/status"] },
    quiet: { title: words.quietTitle, text: words.quietText, tries: ["/tick", "/items", "/status"] },
    guest: { title: words.guestTitle(owner), text: words.guestText, tries: [] },
  };
}
