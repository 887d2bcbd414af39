import { CallError, inspect } from "./call-server.ts";
import { CARD_LIMITS, weighCard } from "./count-elements.ts";
import { formatLocal } from "./format-time.ts";
import { icon } from "./icons.ts";
import { documentsIn, rowsIn } from "./inspect-rows.ts";
import { drawFields, drawRows } from "./inspector-rows.ts";
import { make } from "./make.ts";
import { buildMarkdown } from "./markdown/build-markdown.ts";
import { parseMarkdown } from "./markdown/parse-markdown.ts";
import { messageSummary } from "./message-summary.ts";
import type { PageStore } from "./page-store.ts";
import { asObject, asString, type JsonObject } from "./read-json.ts";
import { showToast } from "./toast.ts";

const TABS = ["items", "runs", "deliveries", "cards", "log"] as const;
type Tab = (typeof TABS)[number];

/** News come in bursts; the shown tab is read again once they are over. */
const SETTLE_MS = 400;

/** The right column, and the way to open one card's JSON in it. */
export type Inspector = { readonly element: HTMLElement; readonly showCard: (messageId: string) => void };

/** Builds the inspector: what the server has stored, what cards are made of, what happened. */
export function createInspector(store: PageStore, onClose: () => void): Inspector {
  let tab: Tab = "items";
  let runId: string | undefined;
  let cardId: string | undefined;
  let asked = 0;
  let timer: number | undefined;
  let drawnPicture = "";
  const tabs = make("div", { class: "tabs", attrs: { role: "tablist" } });
  const content = make("div", { class: "inspector-content", attrs: { role: "tabpanel", tabindex: 0 } });
  const head = make("div", "inspector-head");
  const element = make("aside", "inspector", head, tabs, content);

  const choose = (next: Tab): void => {
    tab = next;
    runId = undefined;
    content.replaceChildren(make("p", "muted", store.words().loading));
    draw();
    void refresh();
  };

  const drawTabs = (): void => {
    const words = store.words();
    element.setAttribute("aria-label", words.inspector);
    head.replaceChildren(
      make("h2", {}, words.inspector),
      make(
        "button",
        {
          class: "plain-icon",
          attrs: { type: "button", "aria-label": words.refresh, title: words.refresh },
          on: { click: () => void refresh() },
        },
        icon("refresh"),
      ),
      make(
        "button",
        {
          class: "plain-icon",
          attrs: { type: "button", "aria-label": words.hideInspector, title: words.hideInspector },
          on: { click: onClose },
        },
        icon("close"),
      ),
    );
    const hadFocus = tabs.contains(document.activeElement);
    tabs.replaceChildren(
      ...TABS.map((each) =>
        make(
          "button",
          {
            class: "tab",
            attrs: {
              type: "button",
              role: "tab",
              "aria-selected": String(each === tab),
              tabindex: each === tab ? 0 : -1,
            },
            on: { click: () => choose(each) },
          },
          words.tabs[each],
        ),
      ),
    );
    if (hadFocus) tabs.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
  };
  tabs.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    choose(TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length] ?? "items");
  });

  /** Tabs that come from the page's own state are drawn at once. */
  const draw = (): void => {
    const picture = JSON.stringify([tab, store.language()]);
    if (picture !== drawnPicture) drawTabs();
    drawnPicture = picture;
    if (tab === "log") content.replaceChildren(drawLog(store));
    if (tab === "cards") drawCards();
  };

  const drawCards = (): void => {
    const words = store.words();
    const all = Object.values(store.state().messages).flat();
    const inChat = all.filter((message) => message.chatId === store.openChat() || message.messageId === cardId);
    const cards = inChat.filter((message) => message.content.kind === "card" && !message.recalled).toReversed();
    const shown = cards.find((message) => message.messageId === cardId) ?? cards[0];
    if (shown?.content.kind !== "card") {
      content.replaceChildren(make("p", "muted", words.emptyCards));
      return;
    }
    const text = JSON.stringify(shown.content.card, null, 2);
    const key = `${shown.messageId} ${text.length} ${cards.length} ${store.language()} ${shown.updatedAt}`;
    if (content.dataset.card === key && content.querySelector(".raw")) return;
    content.dataset.card = key;
    const picker = make(
      "select",
      { class: "wheel wide", attrs: { "aria-label": words.tabs.cards } },
      ...cards.map((message) =>
        make(
          "option",
          { attrs: { value: message.messageId, selected: message === shown } },
          `${formatLocal(Date.parse(message.createdAt), "time", { language: store.language(), timeZone: store.state().timeZone })} ${messageSummary(message, store.language(), words.summary)}`,
        ),
      ),
    );
    picker.addEventListener("change", () => {
      cardId = picker.value;
      drawCards();
    });
    const copy = make("button", { class: "button default small", attrs: { type: "button" } }, icon("copy"), words.copy);
    copy.addEventListener("click", () => {
      void navigator.clipboard?.writeText(text).then(() => showToast("success", words.copied));
    });
    content.replaceChildren(
      picker,
      drawWeight(shown.content.card, store),
      copy,
      make("pre", { class: "raw", attrs: { tabindex: 0 } }, text),
    );
  };

  const refresh = async (): Promise<void> => {
    if (tab === "log" || tab === "cards") {
      draw();
      return;
    }
    asked += 1;
    const mine = asked;
    const words = store.words();
    let drawn: Node[];
    try {
      const data = await inspect(tab === "runs" && runId ? `run?id=${encodeURIComponent(runId)}` : tab);
      drawn = tab === "runs" && runId ? drawRun(data) : drawList(data);
    } catch (error) {
      const isMissing = error instanceof CallError && error.status === 404;
      drawn = [make("p", "muted", isMissing ? words.inspectMissing : words.inspectFailed)];
    }
    // A slower answer to an earlier question must not replace a newer one.
    if (mine !== asked || element.querySelector(".detail:not([hidden])")) return;
    content.replaceChildren(...drawn);
  };

  const drawList = (data: unknown): Node[] => {
    const words = store.words();
    const rows = rowsIn(data);
    const empty = {
      items: words.emptyItems,
      runs: words.emptyRuns,
      deliveries: words.emptyDeliveries,
      cards: "",
      log: "",
    }[tab];
    if (rows.length === 0) return [make("p", "muted", empty)];
    if (tab !== "runs") return [drawRows(rows, store)];
    return [
      drawRows(rows, store, (row) => {
        runId = asString(row.runId) ?? asString(row.id);
        content.replaceChildren(make("p", "muted", words.loading));
        void refresh();
      }),
    ];
  };

  const drawRun = (data: unknown): Node[] => {
    const words = store.words();
    const run = asObject(data) ?? {};
    const back = make(
      "button",
      { class: "button text small", attrs: { type: "button" } },
      icon("back"),
      words.backToRuns,
    );
    back.addEventListener("click", () => choose("runs"));
    const documents = documentsIn(run);
    const candidates = rowsIn(run.candidates ?? run.decisions);
    const rest: JsonObject = Object.fromEntries(
      Object.entries(asObject(run.run) ?? run).filter(
        ([key]) => !["documents", "candidates", "decisions"].includes(key),
      ),
    );
    const scene = {
      words,
      language: store.language(),
      timeZone: store.state().timeZone,
      person: () => undefined,
      imageUrl: () => "",
    };
    return [
      back,
      drawFields(rest, store),
      ...(candidates.length > 0 ? [make("h3", {}, words.decisions), drawRows(candidates, store)] : []),
      ...(documents.length > 0 ? [make("h3", {}, words.documents)] : []),
      ...documents.map(({ name, content: text }) =>
        make(
          "details",
          "document",
          make("summary", {}, name),
          make("div", "text markdown", buildMarkdown(parseMarkdown(text), scene)),
        ),
      ),
    ];
  };

  store.watch(() => {
    draw();
    window.clearTimeout(timer);
    if (store.reader().inspectorOpen && !document.hidden) timer = window.setTimeout(() => void refresh(), SETTLE_MS);
  });
  choose("items");
  return {
    element,
    showCard: (messageId) => {
      cardId = messageId;
      delete content.dataset.card;
      choose("cards");
    },
  };
}

function drawWeight(card: JsonObject, store: PageStore): HTMLElement {
  const words = store.words();
  const weight = weighCard(card);
  const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);
  const isOver = (Object.keys(CARD_LIMITS) as (keyof typeof CARD_LIMITS)[]).some(
    (key) => weight[key] > CARD_LIMITS[key],
  );
  return make(
    "p",
    `weight${isOver ? " over" : ""}`,
    make("strong", {}, words.cardWeight(kilobytes(weight.bytes), weight.elements, weight.depth)),
    make("span", "muted", words.cardLimits(String(CARD_LIMITS.bytes / 1000), CARD_LIMITS.elements, CARD_LIMITS.depth)),
    isOver && make("strong", {}, words.overLimit),
  );
}

function drawLog(store: PageStore): HTMLElement {
  const words = store.words();
  const place = { language: store.language(), timeZone: store.state().timeZone };
  if (store.log().length === 0) return make("p", "muted", words.emptyLog);
  return make(
    "ol",
    "log",
    ...store
      .log()
      .map((entry) =>
        make(
          "li",
          entry.kind,
          make("time", {}, formatLocal(entry.atMs, "time_sec", place)),
          make("span", `log-kind ${entry.kind}`, words.events[entry.kind]),
          make("span", "log-text", entry.text),
        ),
      ),
  );
}
