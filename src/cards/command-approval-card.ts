import { type AskedView, askedOutcome, askedUntil } from "./asked.ts";
import { header, literal, note, panel, row, words } from "./blocks.ts";
import { actionButton } from "./buttons.ts";
import type { Button, Card, Element, HeaderTemplate } from "./card.ts";
import { fitCard } from "./fit-card.ts";
import type { Look } from "./look.ts";
import { wordFor } from "./word-for.ts";

export type ApprovalView = AskedView & {
  /** Why Hermes asks. Untrusted. */
  readonly description?: string;
  /** The least role that may decide. */
  readonly approvers: "admin" | "owner";
};

/** Shown whole up to this length; of a longer one the beginning and the end, and a warning. */
const COMMAND_CHARS = 6_000;
const HEAD_CHARS = 3_500;
const TAIL_CHARS = 1_500;
/** What stands in the place of a secret. */
const MASK = "••••";
/** A command that is longer stands in a panel that is open anyway: what is approved must be seen whole. */
const LONG_COMMAND_CHARS = 600;

/** Hermes' own question about a dangerous command: Once, Session, Always, Deny, as far as they are offered. */
export function commandApprovalCard(view: ApprovalView, look: Look): Card {
  const open = view.state === "open";
  const elements: Element[] = [
    ...(open ? [words(look, (t) => t.chat.approval.lead)] : []),
    commandBlock(view, look),
    ...remarks(view, look),
    ...(view.description
      ? [literal(view.description, { maxChars: 500, size: "notation", color: "grey", lines: 4 })]
      : []),
    ...(open
      ? [
          row(view.choices.map((choice, index) => choiceButton(view, choice, index, look))),
          askedUntil(view, look),
          note(look, (t) => t.chat.approval.by[view.approvers]),
        ]
      : askedOutcome(
          view,
          look,
          (t) => wordFor(t.chat.approval.decided, view.choice ?? ""),
          (t) => t.chat.asked.expired,
        )),
  ];
  return fitCard(look, {
    header: header(look, templateOf(view), (t) => t.chat.approval.title),
    summary: (t) => t.chat.approval.summary,
    blocks: [{ stands: 0, elements }],
  });
}

function commandBlock(view: ApprovalView, look: Look): Element {
  const command = literal(shownOf(view.text), { maxChars: COMMAND_CHARS });
  return view.text.length > LONG_COMMAND_CHARS ? panel(look, (t) => t.chat.approval.title, [command], true) : command;
}

function shownOf(command: string): string {
  if (command.length <= COMMAND_CHARS) return command;
  return `${command.slice(0, HEAD_CHARS)}\n…\n${command.slice(-TAIL_CHARS)}`;
}

/** What of the command does not stand here: nobody should believe to have seen it whole. */
function remarks({ text, state }: ApprovalView, look: Look): Element[] {
  if (state !== "open") return [];
  return [
    ...(text.length > COMMAND_CHARS
      ? [words(look, (t) => t.chat.approval.notWhole(text.length), { color: "orange" as const })]
      : []),
    ...(text.includes(MASK) ? [note(look, (t) => t.chat.approval.masked)] : []),
  ];
}

function choiceButton(view: ApprovalView, choice: string, index: number, look: Look): Button {
  return actionButton("question.answer", { question: view.question, choice: index }, look, {
    label: (t) => wordFor(t.chat.approval.choices, choice),
    ...(choice === "once" && { style: "primary" }),
    ...(choice === "deny" && { style: "danger" }),
    ...(choice === "always" && {
      confirm: { title: (t) => t.chat.approval.alwaysSure.title, text: (t) => t.chat.approval.alwaysSure.text },
    }),
  });
}

function templateOf(view: ApprovalView): HeaderTemplate {
  switch (view.state) {
    case "open":
    case "answered":
    case "unsure":
      return "orange";
    case "told":
      return view.choice === "deny" ? "red" : "green";
    case "void":
    case "expired":
      return "grey";
  }
}
