import type { PageMessage } from "../page-api.ts";
import { findMessage } from "./apply-event.ts";
import { CallError, post } from "./call-server.ts";
import type { Draft } from "./card/scene.ts";
import { createComposer } from "./composer.ts";
import { dayNumber, formatLocal } from "./format-time.ts";
import { icon } from "./icons.ts";
import { keepFocus } from "./keep-focus.ts";
import { make } from "./make.ts";
import { drawMessage, type MessageDeeds } from "./message-view.ts";
import type { PageStore } from "./page-store.ts";
import { askFirst } from "./popup.ts";
import { sendTap } from "./send-tap.ts";
import { settleChildren } from "./settle-children.ts";
import { announce, showToast } from "./toast.ts";
import { drawWelcome, READING_MS, welcomeKind } from "./welcome.ts";

/** A finger's double tap: its second half must not hit the button that the answer put under it. */
const DOUBLE_TAP_MS = 400;
/** Something closer to the end than this counts as "at the end". */
const NEAR_END_PX = 80;

/** A drawn message: what it was drawn from, so that only what changed is drawn again. */
type Row = { element: HTMLElement; message: PageMessage; surroundings: string; picture: string };

/** The middle column: head, messages, composer of the open chat. */
export function createConversation(
  store: PageStore,
  onBack: () => void,
  onInspectCard: (messageId: string) => void,
): HTMLElement {
  const composer = createComposer(store);
  const head = make("header", "conversation-head");
  const banner = make("div", { class: "banner", attrs: { role: "status" } });
  const list = make("div", { class: "messages", attrs: { tabindex: 0, role: "log", "aria-live": "off" } });
  const jump = make("button", { class: "jump", attrs: { type: "button", hidden: true } });
  const element = make("main", "conversation", head, banner, make("div", "messages-box", list, jump), composer.element);

  const rows = new Map<string, Row>();
  const drafts = new Map<string, Draft>();
  /** Cards with a tap on its way: they are not redrawn under the finger before the answer is there. */
  const waiting = new Set<string>();
  const changedAt = new Map<string, number>();
  let shownChat: string | undefined;
  let unseenBelow = 0;
  let emptySinceMs: number | undefined;
  let empty: { picture: string; element: HTMLElement } | undefined;

  const draftOf = (messageId: string): Draft => {
    const known = drafts.get(messageId) ?? new Map<string, unknown>();
    drafts.set(messageId, known);
    return known;
  };
  const complain = (messageId: string, text: string | undefined): void => {
    const line = rows.get(messageId)?.element.querySelector<HTMLElement>(".message-error");
    if (!line) return;
    line.textContent = text ?? "";
    line.hidden = !text;
    if (text) announce(text);
  };
  const deeds: MessageDeeds = {
    tap: async (message, part, control) => {
      const sinceChange = performance.now() - (changedAt.get(message.messageId) ?? Number.NEGATIVE_INFINITY);
      if (waiting.has(message.messageId) || sinceChange < DOUBLE_TAP_MS) return;
      waiting.add(message.messageId);
      const row = rows.get(message.messageId)?.element;
      control.setAttribute("aria-busy", "true");
      row?.classList.add("waiting");
      complain(message.messageId, undefined);
      const { error, changed } = await sendTap(store, message, part);
      waiting.delete(message.messageId);
      if (changed) changedAt.set(message.messageId, performance.now());
      if (!error && part.formValue) draftOf(message.messageId).clear();
      redraw(message.messageId);
      complain(message.messageId, error);
    },
    reply: (message) => {
      store.quote(message);
      element.querySelector<HTMLElement>(".say-field")?.focus();
    },
    recall: async (message) => {
      const words = store.words();
      if (!(await askFirst(words.recallAsk, "", words.recall, words.cancel))) return;
      try {
        await post("/recall", { messageId: message.messageId, userId: store.me().userId });
      } catch (error) {
        showToast("error", error instanceof CallError && error.message ? error.message : words.sendFailed);
      }
    },
    inspect: (message) => onInspectCard(message.messageId),
    complain: (message, text) => complain(message.messageId, text),
  };

  const messagesOfChat = (): readonly PageMessage[] => store.state().messages[store.openChat() ?? ""] ?? [];
  /** Draws one message anew, whatever was drawn before: after a tap the card goes back to what it is. */
  const redraw = (messageId: string): void => {
    const row = rows.get(messageId);
    if (row) row.picture = "";
    draw();
  };
  const isNearEnd = (): boolean => list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX;
  const toEnd = (): void => {
    list.scrollTop = list.scrollHeight;
    unseenBelow = 0;
    jump.hidden = true;
  };
  jump.addEventListener("click", toEnd);
  // Neither a picture that arrives late, nor a phone's keyboard, nor the first layout may put the end out of sight.
  let wasNearEnd = true;
  new ResizeObserver(() => wasNearEnd && toEnd()).observe(list);
  list.addEventListener("load", () => wasNearEnd && toEnd(), { capture: true });
  list.addEventListener("scroll", () => {
    wasNearEnd = isNearEnd();
    if (wasNearEnd && !jump.hidden) toEnd();
  });

  const draw = (): void => {
    const words = store.words();
    const state = store.state();
    const chatId = store.openChat();
    const chat = state.chats.find((each) => each.chatId === chatId);
    const isOther = chatId !== shownChat;
    if (isOther) {
      shownChat = chatId;
      rows.clear();
      list.replaceChildren();
    }
    drawHead(head, store, onBack);
    const isLost = store.stream() === "lost";
    banner.hidden = !isLost && state.herald.connected;
    banner.className = `banner ${isLost ? "lost" : "waiting"}`;
    const bannerText = isLost ? words.reconnecting : words.offlineTitle;
    if (banner.textContent !== bannerText) banner.textContent = bannerText;
    list.setAttribute("aria-label", chat ? (chat.type === "group" ? chat.name : state.bot.name) : words.messages);
    composer.element.hidden = !chat;

    const stay = isNearEnd();
    const before = rows.size;
    const wanted: HTMLElement[] = [];
    let day: number | undefined;
    for (const message of messagesOfChat()) {
      const atMs = Date.parse(message.createdAt);
      const itsDay = dayNumber(atMs, state.timeZone);
      if (itsDay !== day) wanted.push(dayLine(atMs, itsDay, store));
      day = itsDay;
      wanted.push(rowFor(message));
    }
    if (wanted.length === 0) wanted.push(nothingYet(chat?.type === "group"));
    settleChildren(list, wanted);
    const fresh = rows.size - before;
    const last = messagesOfChat().at(-1);
    if (isOther || stay || (fresh > 0 && last?.senderId === store.me().userId)) toEnd();
    else if (fresh > 0) {
      unseenBelow += fresh;
      jump.hidden = false;
    }
    jump.replaceChildren(unseenBelow > 0 ? words.newMessages(unseenBelow) : words.jumpToLatest, icon("down"));
    markSeen(store, last);
  };

  const rowFor = (message: PageMessage): HTMLElement => {
    const known = rows.get(message.messageId);
    if (known && waiting.has(message.messageId)) return known.element;
    const surroundings = surroundingsOf(message, store);
    // A message that is the very same object needs no comparing: chats may be long, and news may come many a second.
    if (known?.message === message && known.surroundings === surroundings && known.picture) return known.element;
    const picture = pictureOf(message);
    if (known?.picture === picture && known.surroundings === surroundings) {
      known.message = message;
      return known.element;
    }
    const element = drawMessage(message, store, draftOf(message.messageId), deeds);
    if (known) keepFocus(known.element, element);
    rows.set(message.messageId, { element, message, surroundings, picture });
    return element;
  };
  const nothingYet = (isGroup: boolean): HTMLElement => {
    const { herald, me } = store.state();
    if (!herald.connected) emptySinceMs = undefined;
    else if (emptySinceMs === undefined) {
      emptySinceMs = performance.now();
      window.setTimeout(draw, READING_MS + 100);
    }
    const kind = welcomeKind({
      isGroup,
      isOwner: store.me().userId === me.userId,
      isConnected: herald.connected,
      waitedMs: performance.now() - (emptySinceMs ?? performance.now()),
    });
    const picture = `${kind} ${store.language()}`;
    if (empty?.picture !== picture) empty = { picture, element: drawWelcome(kind, store, composer.fill) };
    return empty.element;
  };

  matchMedia("(max-width: 600px)").addEventListener("change", () => {
    for (const row of rows.values()) row.picture = "";
    draw();
  });
  store.watch(draw);
  draw();
  return element;
}

/** What a message shows of itself; a card's version number is no part of its looks. */
function pictureOf(message: PageMessage): string {
  const { content, recalled, edited, reactions } = message;
  return JSON.stringify([content.kind === "card" ? { ...content, version: 0 } : content, recalled, edited, reactions]);
}

/** What a message shows of its surroundings: reader, day, and the message it quotes. */
function surroundingsOf(message: PageMessage, store: PageStore): string {
  const parent = message.parentId ? findMessage(store.state(), message.parentId) : undefined;
  const today = dayNumber(store.nowMs(), store.state().timeZone);
  return [store.language(), store.me().userId, today, parent?.updatedAt].join(" ");
}

function drawHead(head: HTMLElement, store: PageStore, onBack: () => void): void {
  const words = store.words();
  const state = store.state();
  const chat = state.chats.find((each) => each.chatId === store.openChat());
  const isGroup = chat?.type === "group";
  const picture = JSON.stringify([chat, state.herald.connected, store.language()]);
  if (head.dataset.picture === picture) return;
  head.dataset.picture = picture;
  const status = state.herald.connected ? words.connected : words.disconnected;
  head.replaceChildren(
    make(
      "button",
      { class: "plain-icon back", attrs: { type: "button", "aria-label": words.back }, on: { click: onBack } },
      icon("back"),
    ),
    make(
      "div",
      "head-words",
      make(
        "h1",
        {},
        chat ? (isGroup ? chat.name : state.bot.name) : "",
        chat &&
          make(
            "span",
            `kind ${isGroup ? "group" : "bot"}`,
            isGroup ? words.people(chat.members.length + 1) : words.bot,
          ),
      ),
    ),
    make(
      "span",
      { class: `link-state ${state.herald.connected ? "on" : "off"}`, attrs: { title: status } },
      make("span", "link-text", status),
    ),
  );
}

function dayLine(atMs: number, day: number, store: PageStore): HTMLElement {
  const { timeZone } = store.state();
  const today = dayNumber(store.nowMs(), timeZone);
  const words = store.words();
  const place = { language: store.language(), timeZone };
  const text = day === today ? words.today : day === today - 1 ? words.yesterday : formatLocal(atMs, "date", place);
  return make("div", { class: "day-line", attrs: { "data-day": day } }, make("span", {}, text));
}

function markSeen(store: PageStore, last: PageMessage | undefined): void {
  const chatId = store.openChat();
  if (!last || !chatId || document.hidden) return;
  const key = `${store.me().userId} ${chatId}`;
  const { seen } = store.reader();
  if ((seen[key] ?? "") >= last.createdAt) return;
  // After this drawing is done: marking tells the other views.
  queueMicrotask(() => store.setReader({ seen: { ...store.reader().seen, [key]: last.createdAt } }));
}
