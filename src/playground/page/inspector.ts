import { CallError, inspect } from "./call-server.ts";
import { formatLocal } from "./format-time.ts";
import { icon } from "./icons.ts";
import { rowsIn } from "./inspect-rows.ts";
import { drawCardJson, pictureOfCards } from "./inspector-cards.ts";
import { drawRows } from "./inspector-rows.ts";
import { drawRun } from "./inspector-run.ts";
import { make } from "./make.ts";
import type { PageStore } from "./page-store.ts";
import { asString } from "./read-json.ts";

const TABS = ["items", "runs", "deliveries", "cards", "jobs", "audit", "log"] as const;
type Tab = (typeof TABS)[number];

/** News come in bursts; the shown tab is read again once in this time at most. */
const SETTLE_MS = 400;

/** The right column, and the way to open one card's JSON in it. */
export type Inspector = { readonly element: HTMLElement; readonly showCard: (messageId: string) => void };

/** Builds the inspector: what the server has stored, what cards are made of, what happened. */
export function createInspector(store: PageStore, onClose: () => void): Inspector {
  const head = make("div", "inspector-head");
  const tabs = make("div", { class: "tabs", attrs: { role: "tablist" } });
  const content = make("div", { class: "inspector-content", attrs: { role: "tabpanel", tabindex: 0 } });
  const element = make("aside", "inspector", head, tabs, content);
  const opened = new Set<string>();
  let tab: Tab = "items";
  let runId: string | undefined;
  let cardId: string | undefined;
  let asked = 0;
  let timer: number | undefined;
  /** What was drawn last; the same again is left alone, so that nothing jumps while one reads. */
  let picture = "";
  let headPicture = "";

  const show = (nextPicture: string, draw: () => Node[]): void => {
    if (nextPicture === picture) return;
    const isSameTab = picture.startsWith(`${tab} ${runId ?? ""} `);
    picture = nextPicture;
    const { scrollTop } = content;
    content.replaceChildren(...draw());
    content.scrollTop = isSameTab ? scrollTop : 0;
  };
  const choose = (next: Tab, run?: string): void => {
    tab = next;
    runId = run;
    opened.clear();
    show(`${tab} ${runId ?? ""} loading`, () => [make("p", "muted", store.words().loading)]);
    void refresh();
  };

  /** Tabs made of the page's own state; the others ask the server. */
  const drawOwn = (): boolean => {
    const stamp = `${tab} ${runId ?? ""} ${store.language()} `;
    if (tab === "log") show(stamp + store.log().length + (store.log()[0]?.atMs ?? ""), () => [drawLog(store)]);
    else if (tab === "cards") show(stamp + pictureOfCards(store, cardId), () => drawCardJson(store, cardId, showCard));
    else return false;
    return true;
  };
  const refresh = async (): Promise<void> => {
    drawHead();
    if (drawOwn()) return;
    asked += 1;
    const mine = asked;
    const stamp = `${tab} ${runId ?? ""} ${store.language()} `;
    try {
      const data = await inspect(runId === undefined ? tab : `run?id=${encodeURIComponent(runId)}`);
      // A slower answer to an earlier question must not replace a newer one.
      if (mine === asked) show(stamp + JSON.stringify(data), () => drawAnswer(data));
    } catch (error) {
      if (mine !== asked) return;
      const words = store.words();
      const isMissing = error instanceof CallError && error.status === 404;
      show(`${stamp}error`, () => [make("p", "muted", isMissing ? words.inspectMissing : words.inspectFailed)]);
    }
  };
  const drawAnswer = (data: unknown): Node[] => {
    const words = store.words();
    if (runId !== undefined) return drawRun(data, store, opened, () => choose("runs"));
    const rows = rowsIn(data);
    const empties: Partial<Record<Tab, string>> = {
      items: words.emptyItems,
      runs: words.emptyRuns,
      deliveries: words.emptyDeliveries,
    };
    if (rows.length === 0) return [make("p", "muted", empties[tab] ?? words.emptyTable)];
    if (tab !== "runs") return [drawRows(rows, store, { what: tab, opened })];
    return [
      drawRows(rows, store, {
        what: tab,
        opened,
        onOpen: (row) => choose("runs", asString(row.runId) ?? asString(row.id)),
      }),
    ];
  };

  const drawHead = (): void => {
    const next = `${tab} ${store.language()}`;
    if (next === headPicture) return;
    headPicture = next;
    const words = store.words();
    element.setAttribute("aria-label", words.inspector);
    const tool = (name: "refresh" | "close", label: string, run: () => void): HTMLElement =>
      make(
        "button",
        { class: "plain-icon", attrs: { type: "button", "aria-label": label, title: label }, on: { click: run } },
        icon(name),
      );
    head.replaceChildren(
      make("h2", {}, words.inspector),
      tool("refresh", words.refresh, () => void refresh()),
      tool("close", words.hideInspector, onClose),
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
    const chosen = tabs.querySelector<HTMLElement>("[aria-selected=true]");
    if (hadFocus) chosen?.focus();
    chosen?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  element.addEventListener("keydown", (event) => {
    // On a narrow window it lies over the chat, like a dialog.
    if (event.key === "Escape" && getComputedStyle(element).position === "fixed") onClose();
  });
  tabs.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    choose(TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length] ?? "items");
  });

  const showCard = (messageId: string): void => {
    cardId = messageId;
    choose("cards");
    content.focus({ preventScroll: true });
  };
  store.watch(() => {
    drawHead();
    if (drawOwn() || timer !== undefined || !store.reader().inspectorOpen || document.hidden) return;
    timer = window.setTimeout(() => {
      timer = undefined;
      void refresh();
    }, SETTLE_MS);
  });
  choose("items");
  return { element, showCard };
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
          {},
          make("time", {}, formatLocal(entry.atMs, "time_sec", place)),
          make("span", `log-kind ${entry.kind}`, words.events[entry.kind]),
          make("span", "log-text", entry.text),
        ),
      ),
  );
}
