import { header, line, note, words } from "./blocks.ts";
import { actionButton } from "./buttons.ts";
import type { Card, Element, TextColor } from "./card.ts";
import { type Block, fitCard } from "./fit-card.ts";
import type { Look } from "./look.ts";
import { pager } from "./pager.ts";
import { wordFor } from "./word-for.ts";

export type RunRowView = {
  readonly run: string;
  readonly startedAt: Date;
  readonly outcome: string;
  readonly counts: { readonly messages: number; readonly candidates: number; readonly sent: number };
};

export type RunListView = { readonly page: number; readonly pages: number; readonly runs: readonly RunRowView[] };

/** The latest runs, each with the way to its details. */
export function runListCard(view: RunListView, look: Look): Card {
  const blocks: Block[] = view.runs.map((run) => ({ stands: 1, elements: [runRow(run, look)] }));
  if (view.runs.length === 0) blocks.push({ stands: 0, elements: [words(look, (t) => t.card.run.listEmpty)] });
  const pages = pager(look, view, (page, direction) =>
    actionButton("run.list", { page }, look, {
      label: (t) => (direction === "back" ? t.card.common.previousPage : t.card.common.nextPage),
    }),
  );
  if (pages.length > 0) blocks.push({ stands: 0, elements: [line(), ...pages] });
  return fitCard(look, {
    header: header(look, "blue", (t) => t.card.run.listTitle),
    summary: (t) => t.card.run.listTitle,
    blocks,
  });
}

/** One run on two lines, its button beside it. */
export function runRow(run: RunRowView, look: Look): Element {
  const color: TextColor = run.outcome === "sent" ? "green" : run.outcome === "failed" ? "red" : "default";
  return {
    tag: "column_set",
    flex_mode: "none",
    horizontal_spacing: "8px",
    columns: [
      {
        tag: "column",
        width: "weighted",
        weight: 1,
        vertical_align: "center",
        vertical_spacing: "4px",
        elements: [
          words(look, (t, f) => `${f.moment(run.startedAt)} · ${wordFor(t.card.run.outcomes, run.outcome)}`, { color }),
          note(look, (t) => t.card.run.counts(run.counts.messages, run.counts.candidates, run.counts.sent)),
        ],
      },
      {
        tag: "column",
        width: "auto",
        vertical_align: "center",
        elements: [
          actionButton("run.show", { run: run.run }, look, { label: (t) => t.card.run.details, size: "tiny" }),
        ],
      },
    ],
  };
}
