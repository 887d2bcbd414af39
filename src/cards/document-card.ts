import { header, literal, panel, row, words } from "./blocks.ts";
import { actionButton } from "./buttons.ts";
import type { Card } from "./card.ts";
import { cleanText } from "./escape.ts";
import { fitCard } from "./fit-card.ts";
import type { Look } from "./look.ts";
import { pager } from "./pager.ts";
import { splitMarkdown } from "./split-markdown.ts";
import { wordFor } from "./word-for.ts";

/** One document of a run, as it was written. */
export type DocumentView = {
  readonly run: string;
  readonly startedAt: Date;
  readonly name: string;
  /** Untrusted: shown letter by letter, nothing in it is rendered. */
  readonly content: string;
  /** From 1; one past the end shows the last. */
  readonly page: number;
};

/** Bytes of a page: well under the card's limit, still readable on a phone. */
const PAGE_BYTES = 9_000;

/** A document in a panel of its own, page by page when it is long. */
export function documentCard(view: DocumentView, look: Look): Card {
  const pages = splitMarkdown(cleanText(view.content), PAGE_BYTES);
  const page = Math.min(Math.max(1, view.page), Math.max(1, pages.length));
  const content = pages[page - 1]?.source.trim() ?? "";
  const body = content
    ? literal(content, { maxChars: PAGE_BYTES, size: "notation" })
    : words(look, (t) => t.card.document.empty, { color: "grey" });
  return fitCard(look, {
    header: header(look, "blue", (t) => wordFor(t.card.documents, view.name), {
      subtitle: (t, f) => t.card.document.subtitle(f.moment(view.startedAt)),
    }),
    summary: (t, f) => `${view.name} · ${t.card.document.subtitle(f.moment(view.startedAt))}`,
    blocks: [
      { stands: 0, elements: [panel(look, () => view.name, [body], true)] },
      {
        stands: 0,
        elements: [
          ...pager(look, { page, pages: pages.length }, (to, direction) =>
            actionButton("run.document", { run: view.run, name: view.name, page: to }, look, {
              label: (t) => (direction === "back" ? t.card.common.previousPage : t.card.common.nextPage),
            }),
          ),
          row([
            actionButton("run.show", { run: view.run }, look, {
              label: (t) => t.card.document.backToRun,
              style: "text",
            }),
          ]),
        ],
      },
    ],
  });
}
