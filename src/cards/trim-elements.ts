import type { Button, Element, Header, Input, Markdown, Option, PlainText, RootElement } from "./card.ts";
import { cutText, ELLIPSIS } from "./cut-text.ts";
import { cleanText } from "./escape.ts";
import { countTables, fenceTables } from "./fence-tables.ts";
import { LIMITS } from "./limits.ts";
import { closingFence, readMarkdownLines } from "./markdown-lines.ts";

type SaidText = Pick<PlainText, "content" | "i18n_content">;

/** Applies `change` to a text in every language it is written in. */
function inEachLanguage<T extends SaidText>(text: T, change: (content: string) => string): T {
  const content = change(text.content);
  if (!text.i18n_content) return { ...text, content };
  return {
    ...text,
    content,
    i18n_content: { zh_cn: change(text.i18n_content.zh_cn), en_us: change(text.i18n_content.en_us) },
  };
}

/** A text on a control: clean, never empty, under the platform's length. */
function label(text: PlainText): PlainText {
  return inEachLanguage(text, (content) => cutText(cleanText(content), LIMITS.labelChars).trim() || ELLIPSIS);
}

/** The header under its limits. */
export function trimHeader(header: Header): Header {
  const upTo = (text: PlainText, chars: number): PlainText =>
    inEachLanguage(text, (content) => cutText(cleanText(content), chars).trim() || ELLIPSIS);
  return {
    ...header,
    title: upTo(header.title, LIMITS.titleChars),
    ...(header.subtitle && { subtitle: upTo(header.subtitle, LIMITS.subtitleChars) }),
    ...(header.text_tag_list && {
      text_tag_list: header.text_tag_list.slice(0, LIMITS.headerTags).map((tag) => ({ ...tag, text: label(tag.text) })),
    }),
  };
}

/**
 * A function that brings single components under their own limits: texts are cleaned, empty ones dropped, labels and inputs
 * kept short, containers nested too deep are replaced by what is in them, tables over the card's number become code blocks.
 * One for a whole card, because it counts the tables.
 */
export function elementTrimmer(): (elements: readonly RootElement[]) => RootElement[] {
  const tables: TableBudget = { left: LIMITS.markdownTables };
  return (elements) =>
    elements.flatMap((element): RootElement[] => {
      if (element.tag !== "form") return trim(element, 0, tables);
      return [{ ...element, elements: element.elements.flatMap((inner) => trim(inner, 1, tables)) }];
    });
}

type TableBudget = { left: number };

/** `depth` = containers around the element. */
function trim(element: Element, depth: number, tables: TableBudget): Element[] {
  switch (element.tag) {
    case "div": {
      const text = inEachLanguage(element.text, cleanText);
      return isBlank(text) ? [] : [{ ...element, text }];
    }
    case "markdown": {
      const text = inEachLanguage(element, (content) => fenceTables(cleanText(content), tables.left));
      tables.left -= Math.min(tables.left, countTables(element.content));
      return isBlank(text) ? [] : [text];
    }
    case "hr":
    case "chart":
      return [element];
    case "button":
      return [trimButton(element)];
    case "overflow":
      return [{ ...element, options: element.options.map(trimOption) }];
    case "select_static":
      return [{ ...element, placeholder: label(element.placeholder), options: element.options.map(trimOption) }];
    case "picker_datetime":
      return [{ ...element, placeholder: label(element.placeholder) }];
    case "input":
      return [trimInput(element)];
    case "column_set": {
      if (depth + 2 > LIMITS.depth) {
        return element.columns.flatMap((column) => column.elements.flatMap((inner) => trim(inner, depth, tables)));
      }
      const columns = element.columns
        .map((column) => ({ ...column, elements: column.elements.flatMap((inner) => trim(inner, depth + 2, tables)) }))
        .filter((column) => column.elements.length > 0);
      return columns.length > 0 ? [{ ...element, columns }] : [];
    }
    case "collapsible_panel": {
      if (depth + 1 > LIMITS.depth) return element.elements.flatMap((inner) => trim(inner, depth, tables));
      const inner = element.elements.flatMap((each) => trim(each, depth + 1, tables));
      const title = inEachLanguage(
        element.header.title,
        (content) => cutText(cleanText(content), LIMITS.titleChars).trim() || ELLIPSIS,
      );
      return inner.length > 0 ? [{ ...element, header: { title }, elements: inner }] : [];
    }
    default:
      return element satisfies never;
  }
}

const isBlank = (text: SaidText): boolean => text.content.trim() === "";

const trimOption = (option: Option): Option => ({ ...option, text: label(option.text) });

function trimButton(button: Button): Button {
  const sentence = (text: PlainText): PlainText =>
    inEachLanguage(text, (content) => cutText(cleanText(content), 2 * LIMITS.labelChars).trim() || ELLIPSIS);
  return {
    ...button,
    text: label(button.text),
    ...(button.confirm && {
      confirm: { title: sentence(button.confirm.title), text: sentence(button.confirm.text) },
    }),
  };
}

function trimInput(input: Input): Input {
  const maxLength = Math.min(Math.max(1, Math.trunc(input.max_length) || 1), LIMITS.inputChars);
  return {
    ...input,
    max_length: maxLength,
    ...(input.default_value !== undefined && { default_value: cutText(cleanText(input.default_value), maxLength) }),
    ...(input.placeholder && { placeholder: label(input.placeholder) }),
    ...(input.label && { label: label(input.label) }),
  };
}

/** Cuts every shown text that is longer than `maxChars`; says whether one was. Controls are left alone. */
export function capTexts(
  elements: readonly RootElement[],
  maxChars: number,
): { elements: RootElement[]; cut: boolean } {
  let cut = false;
  const note = (before: string, after: string): string => {
    cut ||= before !== after;
    return after;
  };
  const capOne = <E extends RootElement>(element: E): E => {
    switch (element.tag) {
      case "div": {
        const text = inEachLanguage(element.text, (content) => note(content, cutText(content, maxChars)));
        return { ...element, text };
      }
      case "markdown":
        return inEachLanguage(element as E & Markdown, (content) => note(content, cutMarkdown(content, maxChars)));
      case "column_set": {
        const columns = element.columns.map((column) => ({ ...column, elements: column.elements.map(capOne) }));
        return { ...element, columns };
      }
      case "collapsible_panel":
      case "form":
        return { ...element, elements: element.elements.map(capOne) };
      default:
        return element;
    }
  };
  const capped = elements.map(capOne);
  return { elements: capped, cut };
}

/** Cuts markdown on a grapheme border and closes a code fence that the cut left open. Entities are not cut in half. */
export function cutMarkdown(source: string, maxChars: number): string {
  if (source.length <= maxChars) return source;
  const short = cutText(source, maxChars).replace(/&#?\w{0,7}…$/, ELLIPSIS);
  const last = readMarkdownLines(`${short}\n.`).at(-1);
  return last?.code && last.opener ? `${short}\n${closingFence(last.opener)}` : short;
}
