import { agentMarkdown } from "./agent-markdown.ts";
import { literal, note, row, words } from "./blocks.ts";
import { actionButton } from "./buttons.ts";
import type { Button, Card, Element, Markdown, RootElement } from "./card.ts";
import { cutText } from "./cut-text.ts";
import { escapeMarkdown } from "./escape.ts";
import { fitCard } from "./fit-card.ts";
import { type Look, say, type Write } from "./look.ts";
import { type MarkdownPart, splitMarkdown } from "./split-markdown.ts";
import { nameOf, type Who } from "./who.ts";
import { wordFor } from "./word-for.ts";

/** One use of a tool. Name and preview are untrusted. */
export type ToolView = {
  readonly name: string;
  readonly preview?: string | undefined;
  readonly state: "started" | "completed" | "failed";
};

export type ChatView = {
  readonly turn: string;
  readonly state: "waiting" | "running" | "completed" | "failed" | "stopped" | "lost";
  /** Turns before it, while it waits. */
  readonly ahead: number;
  /** The reply, or what was seen of it so far. The agent's markdown, untrusted. */
  readonly reply: string;
  /** From 1: a long reply goes on, on further cards. */
  readonly page: number;
  /** Tools used, when they are shown. */
  readonly tools?: readonly ToolView[];
  readonly canStop: boolean;
  readonly stopping: boolean;
  /** Key of what went wrong. */
  readonly failure?: string;
  /** Key of why Hermes could not be reached. */
  readonly away?: string;
  /** The other end's own words about it. Untrusted. */
  readonly why?: string;
  readonly stoppedBy?: Who;
  readonly retried: boolean;
  /** It was tried before it was begun: nothing has to be said of an end. */
  readonly begun: boolean;
  readonly tookMs?: number;
  readonly toolCalls?: number;
};

/** Bytes of the reply on one card: what else stands on it has room beside. */
const REPLY_BYTES = 22_000;
/** So many cards a reply takes at most; the last one says that there was more. */
const MOST_PAGES = 20;

/** Names of the elements that move while the card streams. */
export const LIVE = { reply: "reply", tools: "tools", stop: "stop" } as const;

const TOOLS_SHOWN = 6;

/** On how many cards a reply is shown, at least one. */
export function chatPages(reply: string): number {
  return pageOf(reply, 1).pages;
}

/** The latest reply with its parts: one card asks several times, and so do all cards of one reply. */
let latest: { reply: string; parts: readonly MarkdownPart[] } | undefined;

function partsOf(reply: string): readonly MarkdownPart[] {
  if (latest?.reply !== reply) latest = { reply, parts: splitMarkdown(agentMarkdown(reply), REPLY_BYTES) };
  return latest.parts;
}

/** What of a reply stands on one card. */
function pageOf(reply: string, page: number): { text: string; pages: number; cut: boolean } {
  const parts = partsOf(reply);
  const pages = Math.min(MOST_PAGES, Math.max(1, parts.length));
  return { text: parts[page - 1]?.shown ?? "", pages, cut: page === pages && parts.length > pages };
}

/** What a running card shows of a text: its end, when it is longer than a card. */
export function liveText(reply: string): string {
  const parts = partsOf(reply);
  const last = parts.at(-1)?.shown ?? "";
  return parts.length > 1 ? `…\n\n${last}` : last;
}

/** The tools used so far, in our own markdown. Signs instead of words: what streams has no second language. */
export function liveTools(tools: readonly ToolView[]): string {
  return tools.slice(-TOOLS_SHOWN).map(toolLine).join("\n") || "…";
}

/** A reply of Hermes: queued, being typed, or as it ended. No header: it is words, not a notice. */
export function chatCard(view: ChatView, look: Look): Card {
  const elements = view.page > 1 ? furtherPage(view) : firstPage(view, look);
  return fitCard(look, {
    summary: summaryOf(view),
    streaming: view.state === "running" && view.page === 1,
    forward: view.state === "completed",
    blocks: [{ stands: 0, elements: [...elements, ...footer(view, look)] }],
  });
}

function firstPage(view: ChatView, look: Look): RootElement[] {
  switch (view.state) {
    case "waiting":
      return [
        words(look, (t) => t.chat.waiting(view.ahead), { color: "grey" }),
        row([stopButton(view, look, (t) => t.chat.cancel)]),
      ];
    case "running":
      return [
        ...(view.tools ? [{ ...toolLines(view.tools), element_id: LIVE.tools }] : []),
        { tag: "markdown", element_id: LIVE.reply, content: liveText(view.reply) || thinking(look) },
        ...(view.canStop ? [row([runningStop(view, look)])] : []),
      ];
    case "completed":
      return [...toolPanel(view), reply(pageOf(view.reply, 1).text)];
    case "stopped":
      return [
        ...toolPanel(view),
        ...said(view),
        words(look, (t, f) => (view.begun ? stoppedLine(view)(t, f) : t.chat.takenBack), { color: "grey" }),
        ...retry(view, look),
      ];
    case "failed":
    case "lost":
      return [
        ...toolPanel(view),
        ...said(view),
        words(look, failureLine(view), {
          color: view.state === "lost" ? "orange" : "red",
        }),
        ...(view.why ? [literal(view.why, { maxChars: 300, size: "notation", color: "grey", lines: 4 })] : []),
        ...retry(view, look),
      ];
  }
}

/** Reasons for which "is it running?" would be the wrong advice. */
const NAMED_REASONS: ReadonlySet<string> = new Set([
  "not_hermes",
  "no_key",
  "key_refused",
  "open_without_key",
  "too_old",
  "busy",
]);

function failureLine({ failure, away }: ChatView): Write {
  return (t) =>
    away !== undefined && NAMED_REASONS.has(away)
      ? wordFor(t.error.hermesWhy, away)
      : wordFor(t.chat.failure, failure ?? "internal");
}

function furtherPage(view: ChatView): RootElement[] {
  return [reply(pageOf(view.reply, view.page).text)];
}

/** In one language only: the text that follows has no second one, either. */
function thinking(look: Look): string {
  return look.language === "both" ? "…" : say(look, (t) => t.chat.thinking).content;
}

function reply(text: string): Markdown {
  return { tag: "markdown", content: text };
}

/** What was said before it ended badly. */
function said(view: ChatView): RootElement[] {
  return view.reply.trim() === "" ? [] : [reply(pageOf(view.reply, 1).text)];
}

const stoppedLine =
  (view: ChatView): Write =>
  (t, f) =>
    view.stoppedBy === undefined ? t.chat.stopped : t.chat.stoppedBy(nameOf(view.stoppedBy)(t, f));

function stopButton(view: ChatView, look: Look, label: Write): Button {
  return actionButton("turn.stop", { turn: view.turn }, look, { label });
}

function runningStop(view: ChatView, look: Look): Button {
  const button = stopButton(view, look, (t) => (view.stopping ? t.chat.stopping : t.chat.stop));
  return { ...button, element_id: LIVE.stop, ...(view.stopping && { disabled: true }) };
}

/** The stop button once it was pressed, for the change of a streaming card. */
export function stoppingButton(turn: string, look: Look): Button {
  const view = { turn, stopping: true } as ChatView;
  return runningStop(view, look);
}

function retry(view: ChatView, look: Look): Element[] {
  if (view.retried) return [note(look, (t) => t.chat.retried)];
  return [
    row([actionButton("turn.retry", { turn: view.turn }, look, { label: (t) => t.chat.retry, style: "primary" })]),
  ];
}

function toolLines(tools: readonly ToolView[]): Markdown {
  return { tag: "markdown", text_size: "notation", content: liveTools(tools) };
}

const SIGNS: Readonly<Record<ToolView["state"], string>> = { started: "…", completed: "✓", failed: "✗" };

function toolLine({ name, preview, state }: ToolView): string {
  const what = preview ? ` ${cutText(preview.replace(/\s+/g, " "), 80)}` : "";
  return `<font color='grey'>${SIGNS[state]} ${escapeMarkdown(`${name}${what}`)}</font><br>`;
}

function toolPanel(view: ChatView): RootElement[] {
  return view.tools?.length ? [toolLines(view.tools)] : [];
}

function footer(view: ChatView, look: Look): Element[] {
  const { pages, cut } = pageOf(view.reply, view.page);
  const ended = view.state !== "waiting" && view.state !== "running";
  const facts: Write[] = [];
  if (ended && pages > 1) facts.push((t) => t.chat.page(view.page, pages));
  if (view.state === "completed" && view.page === pages) {
    const { tookMs, toolCalls, tools } = view;
    if (tookMs !== undefined && tookMs >= 1_000) facts.push((t, f) => t.chat.took(f.duration(tookMs)));
    if (tools && toolCalls) facts.push((t) => t.chat.tools(toolCalls));
  }
  return [
    ...(cut ? [note(look, (t) => t.card.textCut)] : []),
    ...(facts.length > 0 ? [note(look, (t, f) => facts.map((write) => write(t, f)).join(" · "))] : []),
  ];
}

function summaryOf(view: ChatView): Write {
  return (t, f) => {
    if (view.state === "waiting") return t.chat.summaryWaiting;
    if (view.state === "running") return t.chat.summaryRunning;
    const text = pageOf(view.reply, view.page)
      .text.replace(/[#*`>|_~-]+/g, " ")
      .replace(/\s+/g, " ")
      .trim();
    if (text !== "") return text;
    return view.failure ? failureLine(view)(t, f) : t.chat.stopped;
  };
}
