import type { Action } from "./actions.ts";
import { header, literal, row, words } from "./blocks.ts";
import { actionButton } from "./buttons.ts";
import type { Button, ButtonStyle, Card, Element, HeaderTemplate } from "./card.ts";
import { fitCard } from "./fit-card.ts";
import type { Look, Write } from "./look.ts";

/** Something a person should know of or do. Its words come from the texts, in both languages. */
export type NoticeView = {
  readonly level: "info" | "done" | "warning" | "error";
  readonly title: Write;
  readonly text: Write;
  /** Raw detail such as an error message. Untrusted. */
  readonly detail?: string;
  readonly actions?: readonly { readonly label: Write; readonly style?: ButtonStyle; readonly action: Action }[];
};

const TEMPLATES: Readonly<Record<NoticeView["level"], HeaderTemplate>> = {
  info: "blue",
  done: "green",
  warning: "orange",
  error: "red",
};

/** A short notice, with buttons when something can be done at once. */
export function noticeCard(view: NoticeView, look: Look): Card {
  const elements: Element[] = [words(look, view.text)];
  if (view.detail) elements.push(literal(view.detail, { maxChars: 800, size: "notation", color: "grey", lines: 6 }));
  if (view.actions?.length) elements.push(row(view.actions.map((each) => button(each, look))));
  return fitCard(look, {
    header: header(look, TEMPLATES[view.level], view.title),
    summary: view.title,
    blocks: [{ stands: 0, elements }],
  });
}

function button(each: NonNullable<NoticeView["actions"]>[number], look: Look): Button {
  return actionButton(each.action.action, each.action.payload, look, {
    label: each.label,
    ...(each.style && { style: each.style }),
  });
}
