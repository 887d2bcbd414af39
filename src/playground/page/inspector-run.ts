import { icon } from "./icons.ts";
import { valueLabel } from "./inspect-labels.ts";
import { documentsIn, rowsIn } from "./inspect-rows.ts";
import { drawRows } from "./inspector-rows.ts";
import { make } from "./make.ts";
import { buildMarkdown } from "./markdown/build-markdown.ts";
import { parseMarkdown } from "./markdown/parse-markdown.ts";
import type { PageStore } from "./page-store.ts";
import { asObject, type JsonObject } from "./read-json.ts";

const PARTS = ["documents", "candidates", "decisions"];

/** One run: its record, what was decided about each candidate, and its documents as text. */
export function drawRun(data: unknown, store: PageStore, opened: Set<string>, onBack: () => void): Node[] {
  const words = store.words();
  const run = asObject(data) ?? {};
  const back = make(
    "button",
    { class: "button text small", attrs: { type: "button" } },
    icon("back"),
    words.backToRuns,
  );
  back.addEventListener("click", onBack);
  const record: JsonObject =
    asObject(run.run) ?? Object.fromEntries(Object.entries(run).filter(([key]) => !PARTS.includes(key)));
  const decisions = rowsIn(run.candidates ?? run.decisions);
  const documents = documentsIn(run);
  return [
    back,
    drawRows([record], store, { what: "runs", opened }),
    ...(decisions.length > 0
      ? [make("h3", {}, words.decisions), drawRows(decisions, store, { what: "candidates", opened })]
      : []),
    ...(documents.length > 0 ? [make("h3", {}, words.documents)] : []),
    ...documents.map(({ name, content }) => drawDocument(name, content, store, opened)),
  ];
}

function drawDocument(name: string, content: string, store: PageStore, opened: Set<string>): HTMLElement {
  const key = `document ${name}`;
  const scene = {
    words: store.words(),
    language: store.language(),
    timeZone: store.state().timeZone,
    person: () => undefined,
    imageUrl: () => "",
  };
  const details = make(
    "details",
    { class: "document", attrs: { open: opened.has(key) } },
    make("summary", {}, valueLabel("document", name, store.language()).text, make("span", "muted", ` ${name}`)),
    make("div", "text markdown", buildMarkdown(parseMarkdown(content), scene)),
  );
  details.addEventListener("toggle", () => {
    if (details.open) opened.add(key);
    else opened.delete(key);
  });
  return details;
}
