import type { PageLanguage, PageMessage } from "../page-api.ts";
import { parseMarkdown } from "./markdown/parse-markdown.ts";
import { plainBlocks } from "./markdown/plain-text.ts";
import { pickText } from "./pick-text.ts";
import { asArray, asObject, type JsonObject } from "./read-json.ts";

/** The page's own words a summary may need. */
export type SummaryWords = { card: string; image: string; file: string; recalled: string; other: string };

const MAX_CHARS = 120;

/** One line for the chat list and for quotes of a message. */
export function messageSummary(message: PageMessage, language: PageLanguage, words: SummaryWords): string {
  if (message.recalled) return words.recalled;
  const { content } = message;
  switch (content.kind) {
    case "text":
      return oneLine(withMentions(content.text, content.mentions));
    case "post": {
      const spans = content.paragraphs.flat();
      const said = spans.map((span) => ("text" in span ? span.text : "name" in span ? `@${span.name}` : "")).join(" ");
      return oneLine([content.title, said].filter(Boolean).join(" "));
    }
    case "card":
      return oneLine(cardSummary(content.card, language)) || words.card;
    case "image":
      return words.image;
    case "file":
      return `${words.file} ${content.fileName}`;
    case "other":
      return words.other;
    default:
      return content satisfies never;
  }
}

/** Puts names where a text carries the platform's mention keys (`@_user_1`). */
export function withMentions(text: string, mentions: readonly { key: string; name: string }[]): string {
  return mentions.reduce((all, { key, name }) => all.replaceAll(key, `@${name}`), text);
}

/** Feishu: `config.summary`, else the title, else the card's first text; else the client says "card message". */
function cardSummary(card: JsonObject, language: PageLanguage): string {
  const summary = pickText(asObject(card.config)?.summary, language);
  if (summary) return summary;
  const title = pickText(asObject(card.header)?.title, language);
  if (title) return plainBlocks(parseMarkdown(title));
  return firstText(asObject(card.body)?.elements, language, 0);
}

function firstText(elements: unknown, language: PageLanguage, depth: number): string {
  if (depth > 8) return "";
  for (const each of asArray(elements)) {
    const element = asObject(each);
    if (!element) continue;
    const tag = element.tag;
    const text = tag === "markdown" ? pickText(element, language) : pickText(element.text, language);
    const plain = text ? plainBlocks(parseMarkdown(text)) : "";
    const found = plain || firstText(element.elements ?? element.columns, language, depth + 1);
    if (found) return found;
  }
  return "";
}

function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length > MAX_CHARS ? `${flat.slice(0, MAX_CHARS - 1)}…` : flat;
}
