import { type Texts, textsFor } from "../text/pick.ts";
import { type ActionName, parseAction } from "./actions.ts";
import type { Callback, Card, Markdown, Option, PlainText, RootElement } from "./card.ts";
import { ELLIPSIS } from "./cut-text.ts";
import { escapeMessageText } from "./escape.ts";
import type { Look } from "./look.ts";

/** A button's value, as it can be handed to `parseAction` when the person types its number. */
export type TypedChoice = {
  readonly v: 1;
  readonly post: string;
  readonly action: ActionName;
  readonly payload: unknown;
};

export type TextFallback = {
  readonly text: string;
  /** The choice typed as `n` is `choices[n - 1]`. */
  readonly choices: readonly TypedChoice[];
};

/**
 * The card in plain words, for when the platform refuses it for good: the same content, every button and menu entry with a
 * number. A fallback that differs in kind, so that it cannot be refused for the same reason. Where a card holds both
 * languages, the Chinese text is used. Pickers and forms have no number: a command does their job.
 */
export function cardAsText(card: Card, look: Look): TextFallback {
  const t = textsFor(look.language === "en" ? "en" : "zh");
  const choices: TypedChoice[] = [];
  const lines = card.header ? [card.header.title.content] : [];
  if (card.header?.subtitle) lines.push(card.header.subtitle.content);
  for (const element of card.body.elements) lines.push(...linesOf(element, t, choices));
  if (choices.length > 0) lines.push("", t.card.fallback.howTo);
  return { text: escapeMessageText(tidy(lines.join("\n"))), choices };
}

function linesOf(element: RootElement, t: Texts, choices: TypedChoice[]): string[] {
  switch (element.tag) {
    case "div":
      return [element.text.content];
    case "markdown":
      return [plainOf(element, t)];
    case "hr":
      return [""];
    case "chart":
      return [element.chart_spec.data.values.map(({ x, y }) => `${x} ${y}`).join(" · ")];
    case "button":
      return numbered(element.behaviors, [{ text: element.text }], t, choices);
    case "overflow":
      return numbered(element.behaviors, element.options, t, choices);
    case "select_static":
      return numbered(element.behaviors ?? [], element.options, t, choices, element.placeholder);
    case "picker_datetime":
      return [];
    case "input":
      return [...(element.label ? [element.label.content] : []), element.default_value ?? ELLIPSIS];
    case "form": {
      // What a form sends has to be filled in first, so its buttons get no numbers.
      const shown = element.elements.flatMap((inner) => (inner.tag === "button" ? [] : linesOf(inner, t, choices)));
      return [...shown, t.card.fallback.fillIn];
    }
    case "column_set": {
      const parts = element.columns.map((column) => column.elements.flatMap((inner) => linesOf(inner, t, choices)));
      const shown = parts.map((part) => part.join("\n")).filter((part) => part !== "");
      return shown.length > 0 ? [shown.join("  ")] : [];
    }
    case "collapsible_panel":
      return [element.header.title.content, ...element.elements.flatMap((inner) => linesOf(inner, t, choices))];
    default:
      return element satisfies never;
  }
}

function numbered(
  behaviors: readonly Callback[],
  options: readonly { readonly text: PlainText; readonly value?: Option["value"] }[],
  t: Texts,
  choices: TypedChoice[],
  lead?: PlainText,
): string[] {
  const said: string[] = [];
  for (const option of options) {
    const parsed = parseAction(behaviors[0]?.value, { option: option.value });
    if (!parsed) continue;
    choices.push({ v: 1, post: parsed.post, action: parsed.action, payload: parsed.payload });
    const { content } = option.text;
    const label = lead ? t.card.fallback.entry(lead.content, content) : content;
    said.push(t.card.fallback.choice(choices.length, label));
  }
  return said.length > 0 ? [said.join("  ")] : [];
}

/** Our own markdown without its marks. What was escaped comes back as the person wrote it. */
function plainOf(markdown: Markdown, t: Texts): string {
  return markdown.content
    .replace(/<person [^>]*><\/person>/g, t.card.common.someone)
    .replace(/<br>/g, "\n")
    .replace(/<\/?(font|text_tag)[^>]*>/g, "")
    .replace(/\*\*/g, "")
    .replace(/&nbsp;/g, " ")
    .replace(/&#(\d{1,4});/g, (_, code: string) => String.fromCharCode(Number(code)));
}

/** At most one empty line in a row, none at the ends. */
function tidy(text: string): string {
  return text.replace(/\n{3,}/g, "\n\n").trim();
}
