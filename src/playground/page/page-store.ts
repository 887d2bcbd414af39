import type { PageEvent, PageLanguage, PageMessage, PageUser, PlaygroundState } from "../page-api.ts";
import { applyEvent, chatsOf } from "./apply-event.ts";
import type { StreamStatus } from "./follow-stream.ts";
import { type PageWords, WORDS } from "./i18n.ts";
import { type Reader, rememberReader } from "./reader.ts";

/** One line of the inspector's event log. */
export type LogEntry = { readonly atMs: number; readonly kind: keyof PageWords["events"]; readonly text: string };

/** Everything the views show, and the ways it changes. Views are told after each change and draw what they need. */
export type PageStore = {
  readonly state: () => PlaygroundState;
  readonly reader: () => Reader;
  readonly me: () => PageUser;
  readonly language: () => PageLanguage;
  readonly words: () => PageWords;
  readonly openChat: () => string | undefined;
  readonly stream: () => StreamStatus;
  readonly log: () => readonly LogEntry[];
  readonly quoted: () => PageMessage | undefined;
  /** The page's clock: the server's, running on. In ms. */
  readonly nowMs: () => number;
  readonly replaceState: (state: PlaygroundState) => void;
  readonly hear: (event: PageEvent) => void;
  readonly change: (update: (state: PlaygroundState) => PlaygroundState) => void;
  readonly setReader: (part: Partial<Reader>) => void;
  readonly goTo: (chatId: string | undefined) => void;
  readonly quote: (message: PageMessage | undefined) => void;
  readonly setStream: (status: StreamStatus) => void;
  readonly note: (kind: LogEntry["kind"], text: string) => void;
  readonly watch: (listener: () => void) => void;
};

const LOG_LENGTH = 300;

/** Makes the store from the first state and what the browser remembered. */
export function createStore(first: PlaygroundState, remembered: Reader): PageStore {
  let state = first;
  let reader = remembered;
  let chatId: string | undefined;
  let stream: StreamStatus = "open";
  let quoted: PageMessage | undefined;
  let log: readonly LogEntry[] = [];
  let aheadMs = Date.parse(first.now) - Date.now();
  const listeners: (() => void)[] = [];
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  const me = (): PageUser => state.users.find((user) => user.userId === reader.userId) ?? state.me;
  const nowMs = (): number => Date.now() + aheadMs;
  const language = (): PageLanguage => reader.language ?? me().language;

  return {
    state: () => state,
    reader: () => reader,
    me,
    language,
    words: () => WORDS[language()],
    openChat: () => chatId,
    stream: () => stream,
    log: () => log,
    quoted: () => quoted,
    nowMs,
    replaceState: (next) => {
      state = next;
      aheadMs = Date.parse(next.now) - Date.now();
      if (chatId && !chatsOf(state, me().userId).some((chat) => chat.chatId === chatId)) chatId = undefined;
      tell();
    },
    hear: (event) => {
      state = applyEvent(state, event);
      if (event.type === "clock") aheadMs = Date.parse(event.now) - Date.now();
      tell();
    },
    change: (update) => {
      state = update(state);
      tell();
    },
    setReader: (part) => {
      reader = { ...reader, ...part };
      rememberReader(reader);
      tell();
    },
    goTo: (next) => {
      chatId = next;
      quoted = undefined;
      tell();
    },
    quote: (message) => {
      quoted = message;
      tell();
    },
    setStream: (status) => {
      if (stream === status) return;
      stream = status;
      tell();
    },
    note: (kind, text) => {
      log = [{ atMs: nowMs(), kind, text }, ...log].slice(0, LOG_LENGTH);
      tell();
    },
    watch: (listener) => {
      listeners.push(listener);
    },
  };
}
