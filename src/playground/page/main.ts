import type { PageEvent, PlaygroundState } from "../page-api.ts";
import { chatsOf } from "./apply-event.ts";
import { CallError, post, readState } from "./call-server.ts";
import { createChatList } from "./chat-list.ts";
import { createConversation } from "./conversation.ts";
import { followStream } from "./follow-stream.ts";
import { formatClock } from "./format-time.ts";
import { languageOf, WORDS } from "./i18n.ts";
import { createInspector } from "./inspector.ts";
import { make } from "./make.ts";
import { messageSummary } from "./message-summary.ts";
import { createStore, type PageStore } from "./page-store.ts";
import { paletteCss } from "./palette.ts";
import { rememberedReader } from "./reader.ts";
import { announce, showToast } from "./toast.ts";
import { createTopBar } from "./top-bar.ts";

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 4000;
const PHONE = matchMedia("(max-width: 600px)");

installPalette();
void start();

async function start(): Promise<void> {
  const app = document.getElementById("app");
  if (!app) return;
  const store = createStore(await firstState(app), rememberedReader());
  // On a phone one starts with the list, and the inspector, which lies over everything there, only opens when asked for.
  if (PHONE.matches) store.setReader({ inspectorOpen: false });
  else store.goTo(firstChat(store));

  const shell = make("div", "shell");
  // Told first, so that the panes are visible when the other views measure them.
  const arrange = (): void => {
    shell.classList.toggle("with-inspector", store.reader().inspectorOpen);
    shell.classList.toggle("in-chat", store.openChat() !== undefined);
  };
  store.watch(arrange);
  arrange();
  app.replaceChildren(shell);
  const openChat = (chatId: string): void => {
    store.goTo(chatId);
    enter(store, chatId);
    if (PHONE.matches) history.pushState({ chatId }, "");
  };
  const inspector = createInspector(store, () => store.setReader({ inspectorOpen: false }));
  const conversation = createConversation(
    store,
    () => (history.state?.chatId ? history.back() : store.goTo(undefined)),
    (messageId) => {
      store.setReader({ inspectorOpen: true });
      inspector.showCard(messageId);
    },
  );
  shell.append(createTopBar(store), createChatList(store, openChat), conversation, inspector.element);

  let shownPerson = store.me().userId;
  store.watch(() => {
    if (store.me().userId === shownPerson) return;
    shownPerson = store.me().userId;
    // What was read to one person is no news to the next.
    announce("");
    const first = PHONE.matches ? undefined : firstChat(store);
    store.goTo(first);
    if (first) enter(store, first);
  });
  // Turned or widened while only the list was shown: two panes need a chat in the second.
  PHONE.addEventListener("change", () => {
    const first = PHONE.matches || store.openChat() ? undefined : firstChat(store);
    if (first) store.goTo(first);
    if (first) enter(store, first);
  });
  window.addEventListener("popstate", () => store.goTo(history.state?.chatId));
  document.addEventListener("visibilitychange", () => store.change((state) => state));

  const first = store.openChat();
  if (first) enter(store, first);
  followStream(
    store.state().lastEventId,
    (event) => void hear(store, event),
    (status) => {
      const wasLost = store.stream() === "lost";
      store.setStream(status);
      if (status === "open" && wasLost) showToast("success", store.words().backOnline);
    },
  );
}

/** The direct chat with the bot, or whatever chat there is. */
function firstChat(store: PageStore): string | undefined {
  const chats = chatsOf(store.state(), store.me().userId);
  return (chats.find((chat) => chat.type === "p2p") ?? chats[0])?.chatId;
}

/** Waits for the server as long as it takes: the page may be open before it is up. */
async function firstState(app: HTMLElement): Promise<PlaygroundState> {
  const words = WORDS[languageOf(navigator.languages)];
  for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(LAST_RETRY_MS, retryMs * 2)) {
    try {
      return await readState();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      app.replaceChildren(make("p", { class: "boot", attrs: { role: "status" } }, words.loadFailed));
      await new Promise((resolve) => window.setTimeout(resolve, retryMs));
    }
  }
}

async function hear(store: PageStore, event: PageEvent): Promise<void> {
  note(store, event);
  if (event.type === "state" && event.reload) {
    try {
      store.replaceState(await readState());
    } catch {
      // The stream's own news go on; the next reload brings the rest.
    }
    return;
  }
  store.hear(event);
  if (event.type === "message" && event.message.fromBot) {
    announce(messageSummary(event.message, store.language(), store.words().summary));
  }
}

function note(store: PageStore, event: PageEvent): void {
  const words = store.words();
  switch (event.type) {
    case "message":
    case "patch":
    case "recall": {
      // What one has just sent stands in the log already.
      const isOwn = event.type === "message" && event.message.senderId === store.me().userId;
      if (!isOwn) store.note(event.type, messageSummary(event.message, store.language(), words.summary));
      return;
    }
    case "clock":
      store.note(
        "clock",
        formatClock(Date.parse(event.now), { language: store.language(), timeZone: store.state().timeZone }),
      );
      return;
    case "state":
      store.note("state", event.herald.connected ? words.connected : words.disconnected);
      return;
    case "agent":
      store.note("agent", event.agent.up ? words.agentUp : words.agentDown);
      return;
    default:
      event satisfies never;
  }
}

/** Opening a direct chat is an event the bot hears of. */
function enter(store: PageStore, chatId: string): void {
  const chat = store.state().chats.find((each) => each.chatId === chatId);
  if (chat?.type !== "p2p") return;
  post("/enter", { chatId, userId: store.me().userId }).catch(() => undefined);
}

function installPalette(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    [
      `:root{${paletteCss("light")}}`,
      `:root[data-look="dark"]{${paletteCss("dark")}}`,
      `@media (prefers-color-scheme: dark){:root:not([data-look="light"]){${paletteCss("dark")}}}`,
    ].join("\n"),
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
