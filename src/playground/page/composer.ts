import type { SayAnswer, SayRequest } from "../page-api.ts";
import { withMessage } from "./apply-event.ts";
import { CallError, post } from "./call-server.ts";
import { senderName } from "./chat-list.ts";
import { icon } from "./icons.ts";
import { make } from "./make.ts";
import { messageSummary } from "./message-summary.ts";
import type { PageStore } from "./page-store.ts";
import { showToast } from "./toast.ts";

const MAX_HEIGHT_PX = 160;

/** The line below a conversation. Enter sends; an input method's Enter only ends its own composing. */
export type Composer = { readonly element: HTMLElement; readonly fill: (text: string) => void };

/** Builds the composer of the open chat. */
export function createComposer(store: PageStore): Composer {
  const field = make("textarea", { class: "say-field", attrs: { rows: 1, autocomplete: "off", spellcheck: "false" } });
  const send = make("button", { class: "say-send", attrs: { type: "button" } }, icon("send"));
  const mention = make("button", { class: "mention-toggle", attrs: { type: "button", "aria-pressed": "true" } });
  const quote = make("div", { class: "say-quote" });
  const element = make("div", "composer", quote, make("div", "say-box", mention, field, send));
  const drafts = new Map<string, string>();
  let shownChat: string | undefined;
  let mentions = true;

  const grow = (): void => {
    field.style.height = "auto";
    // Not yet on screen there is nothing to measure: the one row it starts with is right.
    if (field.scrollHeight > 0) field.style.height = `${Math.min(MAX_HEIGHT_PX, field.scrollHeight)}px`;
    send.disabled = field.value.trim() === "";
  };
  const submit = async (): Promise<void> => {
    const chatId = store.openChat();
    const text = field.value.trim();
    if (!chatId || !text) return;
    const quoted = store.quoted();
    const isGroup = store.state().chats.find((chat) => chat.chatId === chatId)?.type === "group";
    const request: SayRequest = {
      chatId,
      userId: store.me().userId,
      text,
      ...(quoted ? { replyTo: quoted.messageId } : {}),
      ...(isGroup && mentions ? { mentionBot: true } : {}),
    };
    field.value = "";
    drafts.delete(chatId);
    grow();
    store.quote(undefined);
    try {
      const answer = await post<SayAnswer>("/message", request);
      store.note("say", text);
      store.change((state) => withMessage(state, answer.message));
    } catch (error) {
      // What was typed is never lost.
      if (field.value === "" && store.openChat() === chatId) field.value = text;
      else drafts.set(chatId, text);
      grow();
      if (quoted) store.quote(quoted);
      showToast("error", error instanceof CallError && error.message ? error.message : store.words().sendFailed);
    }
  };

  field.addEventListener("input", () => {
    if (shownChat) drafts.set(shownChat, field.value);
    grow();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && store.quoted()) store.quote(undefined);
    // keyCode 229: Safari ends composing before it tells of the Enter that ended it.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    void submit();
  });
  send.addEventListener("click", () => {
    void submit();
    field.focus();
  });
  mention.addEventListener("click", () => {
    mentions = !mentions;
    draw();
  });

  const draw = (): void => {
    const words = store.words();
    const chat = store.state().chats.find((each) => each.chatId === store.openChat());
    const name = chat?.type === "group" ? chat.name : store.state().bot.name;
    if (shownChat !== chat?.chatId) {
      shownChat = chat?.chatId;
      field.value = drafts.get(shownChat ?? "") ?? "";
      grow();
    }
    field.placeholder = words.inputPlaceholder(name);
    field.setAttribute("aria-label", words.inputPlaceholder(name));
    field.title = words.sendHint;
    send.setAttribute("aria-label", words.send);
    mention.hidden = chat?.type !== "group";
    mention.textContent = words.mentionBot(store.state().bot.name);
    mention.title = words.mentionBotHint;
    mention.setAttribute("aria-pressed", String(mentions));
    const quoted = store.quoted();
    quote.hidden = !quoted;
    quote.replaceChildren();
    if (quoted) {
      quote.append(
        make(
          "span",
          "quote-text",
          `${words.replyTo(senderName(store, quoted))}: ${messageSummary(quoted, store.language(), words.summary)}`,
        ),
        make(
          "button",
          {
            class: "plain-icon",
            attrs: { type: "button", "aria-label": words.cancel },
            on: { click: () => store.quote(undefined) },
          },
          icon("close"),
        ),
      );
    }
  };
  store.watch(draw);
  draw();
  return {
    element,
    fill: (text) => {
      field.value = text;
      if (shownChat) drafts.set(shownChat, text);
      grow();
      field.focus();
    },
  };
}
