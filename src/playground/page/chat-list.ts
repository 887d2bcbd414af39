import type { PageChat, PageMessage } from "../page-api.ts";
import { chatsOf, countUnread } from "./apply-event.ts";
import { avatar } from "./card/person.ts";
import { formatChatTime } from "./format-time.ts";
import { icon } from "./icons.ts";
import { make } from "./make.ts";
import { messageSummary } from "./message-summary.ts";
import type { PageStore } from "./page-store.ts";

/** The left column: the person's chats with the newest line and an unread mark. */
export function createChatList(store: PageStore, onOpen: (chatId: string) => void): HTMLElement {
  const list = make("ul", "chat-items");
  const nav = make("nav", "chat-list", list);
  let drawn = "";

  const draw = (): void => {
    const me = store.me();
    const chats = chatsOf(store.state(), me.userId);
    const rows = chats.map((chat) => rowOf(store, chat));
    // Drawing again only what changed keeps the keyboard's focus where it is.
    const picture = JSON.stringify([rows, store.language()]);
    if (picture === drawn) return;
    drawn = picture;
    const unread = rows.reduce((sum, row) => sum + row.unread, 0);
    document.title = unread > 0 ? `(${unread}) ${store.state().bot.name}` : store.state().bot.name;
    nav.setAttribute("aria-label", store.words().chats);
    const focused = (document.activeElement as HTMLElement | null)?.dataset.chatId;
    list.replaceChildren(...rows.map((row) => drawRow(row, store, onOpen)));
    if (focused) list.querySelector<HTMLElement>(`[data-chat-id="${CSS.escape(focused)}"]`)?.focus();
  };
  store.watch(draw);
  draw();
  return nav;
}

type Row = {
  chatId: string;
  title: string;
  kind: "bot" | "group";
  time: string;
  line: string;
  unread: number;
  isOpen: boolean;
  pictureId: string;
  initials: string;
};

function rowOf(store: PageStore, chat: PageChat): Row {
  const state = store.state();
  const messages = state.messages[chat.chatId] ?? [];
  const last = messages.at(-1);
  const place = { language: store.language(), timeZone: state.timeZone };
  const seenAt = store.reader().seen[`${store.me().userId} ${chat.chatId}`];
  const isGroup = chat.type === "group";
  return {
    chatId: chat.chatId,
    title: isGroup ? chat.name : state.bot.name,
    kind: isGroup ? "group" : "bot",
    time: last ? formatChatTime(Date.parse(last.createdAt), store.nowMs(), place) : "",
    line: last
      ? (isGroup ? `${senderName(store, last)}: ` : "") + messageSummary(last, place.language, store.words().summary)
      : "",
    unread: countUnread(messages, store.me().userId, seenAt),
    isOpen: store.openChat() === chat.chatId,
    pictureId: isGroup ? chat.chatId : state.bot.userId,
    initials: isGroup ? [...chat.name].slice(0, 1).join("") : state.bot.initials,
  };
}

function drawRow(row: Row, store: PageStore, onOpen: (chatId: string) => void): HTMLElement {
  const words = store.words();
  return make(
    "li",
    {},
    make(
      "button",
      {
        class: "chat-row",
        attrs: { type: "button", "data-chat-id": row.chatId, "aria-current": row.isOpen ? "true" : undefined },
        on: { click: () => onOpen(row.chatId) },
      },
      make(
        "span",
        "chat-picture",
        row.kind === "bot" ? botAvatar("large") : avatar(row.pictureId, row.initials, "large"),
        row.unread > 0 &&
          make(
            "span",
            "badge",
            make("span", { attrs: { "aria-hidden": "true" } }, row.unread > 99 ? "99+" : String(row.unread)),
            make("span", "hidden", words.unread(row.unread)),
          ),
      ),
      make(
        "span",
        "chat-words",
        make(
          "span",
          "chat-top",
          make("span", "chat-name", row.title),
          make("span", `kind ${row.kind}`, row.kind === "bot" ? words.bot : words.group),
          make("span", "chat-time", row.time),
        ),
        make("span", "chat-line", row.line || " "),
      ),
    ),
  );
}

/** Name of a message's sender. */
export function senderName(store: PageStore, message: PageMessage): string {
  const state = store.state();
  if (message.fromBot) return state.bot.name;
  return state.users.find((user) => user.userId === message.senderId)?.name ?? store.words().unknownPerson;
}

/** The bot's picture. */
export function botAvatar(size: string): HTMLElement {
  return make("span", { class: `avatar bot ${size}`, attrs: { "aria-hidden": "true" } }, icon("robot"));
}
