import { agentMarkdown } from "./agent-markdown.ts";
import { header, note, words } from "./blocks.ts";
import type { Card, RootElement } from "./card.ts";
import { fitCard } from "./fit-card.ts";
import type { Look, Write } from "./look.ts";
import { splitMarkdown } from "./split-markdown.ts";
import { wordFor } from "./word-for.ts";

/** Words Hermes sent by itself, one card for each part of a long text. */
export type AgentMessageView = {
  /** said · cron · turn · question; an unknown one is shown without a word for it. */
  readonly origin: string;
  /** The whole text. Untrusted. */
  readonly text: string;
  /** From 1; one past the end shows nothing but its place. */
  readonly part: number;
  /** It stops in the middle: Hermes went away. */
  readonly broken: boolean;
};

/** Bytes of a part: under the card's limit, with room for what stands around it. */
const PART_BYTES = 20_000;

/** The parts of a text as cards show them. */
export function agentMessageParts(text: string): readonly string[] {
  return splitMarkdown(agentMarkdown(text), PART_BYTES).map((part) => part.shown);
}

export function agentMessageCard(view: AgentMessageView, look: Look): Card {
  const parts = agentMessageParts(view.text);
  const text = (parts[view.part - 1] ?? "").trim();
  const last = view.part >= parts.length;
  const elements: RootElement[] = text === "" ? [] : [{ tag: "markdown", content: text }];
  if (last && view.broken) elements.push(words(look, (t) => t.gateway.broken, { color: "orange" }));
  if (last && view.origin === "question") elements.push(words(look, (t) => t.gateway.question, { color: "orange" }));
  const from: Write = (t) => wordFor(t.gateway.origin, view.origin);
  if (parts.length > 1) elements.push(note(look, (t) => t.gateway.part(view.part, parts.length)));
  // A text that became shorter leaves its last cards with nothing.
  if (elements.length === 0) elements.push(note(look, () => "…"));
  return fitCard(look, {
    header: header(look, view.origin === "question" ? "orange" : "blue", from),
    summary: (t, f) => text.split("\n")[0]?.slice(0, 80) || from(t, f),
    blocks: [{ stands: 0, elements }],
  });
}
