import { line, literal, note, row, words } from "./blocks.ts";
import { actionButton, actionMenu, actionPicker, actionSelect, type Choice } from "./buttons.ts";
import type { Element, TextColor } from "./card.ts";
import { escapeMarkdown } from "./escape.ts";
import { daysBetween, localHour } from "./format.ts";
import { type Look, say, type Write } from "./look.ts";
import { type QuoteView, quoteLine } from "./quote.ts";
import { nameOf, type Who } from "./who.ts";

/** A person's decision; `undo` is the decision's id while it may still be taken back. */
type Decided = { readonly by: Who; readonly at: Date; readonly undo?: string };

export type MatterState =
  | { readonly is: "open" }
  | ({ readonly is: "done" | "dropped" | "carriedOn" | "handedOver" | "fewer" } & Decided)
  | ({ readonly is: "snoozed"; readonly until: Date } & Decided)
  /** The last decision was taken back: open again, with its buttons. */
  | { readonly is: "undone"; readonly by: Who; readonly at: Date }
  /** Still open, but no longer as this card first showed it. */
  | { readonly is: "updated"; readonly at: Date }
  /** Settled through another door: in conversation, by a command, on another card. */
  | { readonly is: "closedElsewhere"; readonly at: Date }
  | { readonly is: "gone" };

/** One matter as a card shows it. All texts are untrusted and shown literally. */
export type MatterView = {
  readonly item: string;
  /** Revision shown; the buttons carry it. */
  readonly rev: number;
  /** Number for `/done N`. */
  readonly number?: number;
  readonly title: string;
  readonly whyNow?: string;
  /** When the matter came up; its age is counted from here. */
  readonly since?: Date;
  readonly dueAt?: Date;
  /** How exact `dueAt` is: from `day` on, no hour is shown. */
  readonly dueGrain?: "minute" | "hour" | "day" | "week" | "month";
  /** The person set `dueAt` with /remind: the time to speak at, not a deadline that can be missed. */
  readonly asked?: boolean;
  /** It sleeps until then although it is open. */
  readonly snoozedUntil?: Date;
  /** The agent said it was done, nobody confirmed: the card asks instead of stating. */
  readonly claimedDone?: boolean;
  readonly quote?: QuoteView;
  readonly state: MatterState;
};

/** From this local hour on, "this evening" is no longer offered. */
const EVENING_HOUR = 18;

const TITLE_CHARS = 160;
const WHY_CHARS = 300;

/** Whether the matter still waits for a decision. */
export function isOpen(state: MatterState): boolean {
  return state.is === "open" || state.is === "undone" || state.is === "updated";
}

/**
 * The block of one matter: a line above, what it is, and what can be done or was done. Without `controls` nothing can be
 * tapped; `numbered` puts the number before the title, as a list does.
 */
export function matterElements(
  view: MatterView,
  look: Look,
  options: { readonly controls: boolean; readonly numbered?: boolean },
): Element[] {
  return [
    line(),
    ...about(view, look, options.numbered ?? false),
    ...became(view, look, options.controls),
    ...controls(view, look, options.controls),
  ];
}

function about(view: MatterView, look: Look, numbered: boolean): Element[] {
  const open = isOpen(view.state);
  const title = view.number === undefined || !numbered ? view.title : `${view.number}. ${view.title}`;
  const { whyNow, quote } = view;
  const shown: Element[] = [
    literal(title, { maxChars: TITLE_CHARS, lines: 3, size: "heading", color: open ? "default" : "grey" }),
  ];
  if (!open) return shown;
  if (view.claimedDone) shown.push(words(look, (t) => t.card.matter.claimedDone, { color: "orange" }));
  if (whyNow) shown.push(literal(whyNow, { maxChars: WHY_CHARS, lines: 3 }));
  const facts = factsLine(view, look, numbered);
  if (facts) shown.push(facts);
  if (quote) shown.push(quoteLine(quote, look));
  return shown;
}

function factsLine(view: MatterView, look: Look, numbered: boolean): Element | undefined {
  const { dueAt, since, snoozedUntil, number } = view;
  const hasHour = view.dueGrain === undefined || view.dueGrain === "minute" || view.dueGrain === "hour";
  const roughly = view.dueGrain === "week" || view.dueGrain === "month";
  const late = dueAt !== undefined && (hasHour ? dueAt < look.now : daysBetween(look.now, dueAt, look.zone) < 0);
  const overdue = late && !view.asked;
  const facts: Write[] = [];
  // On a reminder the number is only for those who would rather type than tap.
  if (number !== undefined && !numbered) facts.push((t) => t.card.matter.number(number));
  if (dueAt) {
    const is = view.asked ? "askedFor" : overdue ? "overdue" : "due";
    facts.push((t, f) => t.card.matter[is](hasHour ? f.upcoming(dueAt) : f.upcomingDay(dueAt, roughly)));
  }
  if (since) facts.push((t, f) => t.card.matter.since(f.age(since)));
  const saidAlready = view.asked && snoozedUntil?.getTime() === dueAt?.getTime();
  if (snoozedUntil && snoozedUntil > look.now && !saidAlready)
    facts.push((t, f) => t.card.matter.sleeping(f.moment(snoozedUntil)));
  if (facts.length === 0) return undefined;
  return note(look, (t, f) => facts.map((write) => write(t, f)).join(" · "), overdue ? { color: "red" } : {});
}

/** What became of the matter, by whom and when, with Undo beside it while that is possible. */
function became(view: MatterView, look: Look, controls: boolean): Element[] {
  const { state } = view;
  switch (state.is) {
    case "open":
      return [];
    case "gone":
      return [note(look, (t) => t.card.matter.became.gone)];
    case "updated":
    case "closedElsewhere":
      return [note(look, (t, f) => t.card.matter.atWhen(t.card.matter.became[state.is], f.moment(state.at)))];
    case "undone":
      return [decision(look, (t) => t.card.matter.became.undone, state)];
    case "done":
    case "dropped":
    case "carriedOn":
    case "handedOver":
    case "fewer":
      return withUndo(
        look,
        decision(look, (t) => t.card.matter.became[state.is], state),
        state.undo,
        controls,
      );
    case "snoozed": {
      const what: Write = (t, f) => t.card.matter.became.snoozed(f.upcoming(state.until));
      return withUndo(look, decision(look, what, state), state.undo, controls);
    }
    default:
      return state satisfies never;
  }
}

/** Green is for done alone; a glance tells it from what was put off or given up. */
const DECISION_COLORS: Readonly<Record<MatterState["is"], TextColor>> = {
  open: "default",
  done: "green",
  snoozed: "blue",
  carriedOn: "blue",
  handedOver: "blue",
  dropped: "grey",
  fewer: "grey",
  undone: "grey",
  updated: "grey",
  closedElsewhere: "grey",
  gone: "grey",
};

function decision(look: Look, what: Write, { by, at, is }: Decided & { readonly is: MatterState["is"] }): Element {
  const color = DECISION_COLORS[is];
  if (by.kind === "person" && !by.name && by.openId && /^ou_\w+$/.test(by.openId)) {
    const person = `<person id='${by.openId}' show_name=true show_avatar=true style='capsule'></person>`;
    const write: Write = (t, f) =>
      t.card.matter.byWhomWhen(`<font color='${color}'>${escapeMarkdown(what(t, f))}</font>`, person, f.moment(at));
    return { tag: "markdown", ...say(look, write), text_size: "notation" };
  }
  return note(look, (t, f) => t.card.matter.byWhomWhen(what(t, f), nameOf(by)(t, f), f.moment(at)), { color });
}

function withUndo(look: Look, text: Element, undo: string | undefined, controls: boolean): Element[] {
  if (!undo || !controls) return [text];
  const button = actionButton("item.undo", { decision: undo }, look, {
    label: (t) => t.card.common.undo,
    size: "tiny",
  });
  return [
    {
      tag: "column_set",
      flex_mode: "none",
      horizontal_spacing: "8px",
      columns: [
        { tag: "column", width: "weighted", weight: 1, vertical_align: "center", elements: [text] },
        { tag: "column", width: "auto", vertical_align: "center", elements: [button] },
      ],
    },
  ];
}

function controls(view: MatterView, look: Look, allowed: boolean): Element[] {
  if (!allowed || !isOpen(view.state)) return [];
  const about = { item: view.item, rev: view.rev };
  const snoozes = (["1h", "evening", "tomorrow", "next_week"] as const)
    .filter((until) => until !== "evening" || localHour(look.now, look.zone) < EVENING_HOUR)
    .map(
      (until): Choice => ({
        key: until,
        label: (t) => t.card.matter.snoozeChoices[until],
        action: { action: "item.snooze", payload: { ...about, until } },
      }),
    );
  return [
    row([
      actionButton("item.done", about, look, {
        label: (t) => (view.claimedDone ? t.card.matter.yesDone : t.card.matter.done),
        style: "primary",
        // As high as the select and the picker beside it.
        size: "medium",
      }),
      actionSelect(look, (t) => t.card.matter.snooze, snoozes),
      actionPicker("item.snoozeAt", about, look, (t) => t.card.matter.pickTime, 130),
      actionMenu(look, [
        { key: "drop", label: (t) => t.card.matter.drop, action: { action: "item.drop", payload: about } },
        { key: "carryOn", label: (t) => t.card.matter.carryOn, action: { action: "item.carryOn", payload: about } },
        { key: "fewer", label: (t) => t.card.matter.fewer, action: { action: "item.fewer", payload: about } },
      ]),
    ]),
  ];
}
