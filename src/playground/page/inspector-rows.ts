import { formatMessageTime } from "./format-time.ts";
import { icon } from "./icons.ts";
import { inspectTable, isInstant } from "./inspect-rows.ts";
import { lookUp } from "./look-up.ts";
import { make } from "./make.ts";
import { tagPill } from "./markdown/build-markdown.ts";
import type { PageStore } from "./page-store.ts";
import type { JsonObject } from "./read-json.ts";

/** Words that stand for a state, and the colour that says it at a glance. */
const STATE_COLOURS: Readonly<Record<string, string>> = {
  active: "blue",
  pending: "orange",
  closed: "grey",
  done: "green",
  delivered: "green",
  committed: "green",
  send: "green",
  sent: "green",
  failed: "red",
  error: "red",
  dropped: "grey",
  skip: "grey",
  superseded: "grey",
  time_sensitive: "red",
  stalled: "orange",
  waiting: "violet",
  on_track: "turquoise",
};
const MAX_CELL_CHARS = 80;

/** How rows behave: `opened` remembers unfolded ones over redrawing; with `onOpen` a row leads somewhere instead. */
type RowOptions = { readonly opened: Set<string>; readonly onOpen?: (row: JsonObject) => void };

/** Rows of any shape as a small table: a few telling columns, all fields by opening a row. */
export function drawRows(rows: readonly JsonObject[], store: PageStore, options: RowOptions): HTMLElement {
  const words = store.words();
  const { columns } = inspectTable(rows);
  const header = columns.map((column) => make("th", { attrs: { scope: "col" } }, column));
  return make(
    "div",
    "records",
    make("p", "records-count", words.rows(rows.length)),
    make(
      "div",
      { class: "scroll-x", attrs: { tabindex: 0, role: "region", "aria-label": words.rows(rows.length) } },
      make(
        "table",
        "grid",
        make("thead", {}, make("tr", {}, ...header, make("td"))),
        make("tbody", {}, ...rows.flatMap((row, at) => drawRow(row, at, columns, store, options))),
      ),
    ),
  );
}

function drawRow(
  row: JsonObject,
  at: number,
  columns: readonly string[],
  store: PageStore,
  { opened, onOpen }: RowOptions,
): HTMLElement[] {
  const key = String(row.id ?? row.goalId ?? row.runId ?? at);
  const open = make(
    "button",
    { class: "plain-icon", attrs: { type: "button", "aria-label": store.words().allFields } },
    icon(onOpen ? "forward" : "down"),
  );
  const line = make(
    "tr",
    "record",
    ...columns.map((column) => make("td", {}, drawValue(column, row[column], store))),
    make("td", "record-open", open),
  );
  if (onOpen) {
    line.addEventListener("click", () => onOpen(row));
    return [line];
  }
  const detail = make("tr", "detail");
  const show = (): void => {
    const isOpen = opened.has(key);
    if (isOpen && detail.childElementCount === 0) {
      detail.append(make("td", { attrs: { colspan: columns.length + 1 } }, drawFields(row, store)));
    }
    detail.hidden = !isOpen;
    open.setAttribute("aria-expanded", String(isOpen));
  };
  line.addEventListener("click", () => {
    if (!opened.delete(key)) opened.add(key);
    show();
  });
  show();
  return [line, detail];
}

/** Every field of an object, one under the other. */
export function drawFields(row: JsonObject, store: PageStore): HTMLElement {
  return make(
    "dl",
    "all-fields",
    ...Object.entries(row).flatMap(([key, value]) => [
      make("dt", {}, key),
      make("dd", {}, drawValue(key, value, store, true)),
    ]),
  );
}

function drawValue(key: string, value: unknown, store: PageStore, whole = false): Node {
  if (value === null || value === undefined || value === "") return make("span", "muted", "–");
  if (isInstant(value)) {
    const place = { language: store.language(), timeZone: store.state().timeZone };
    const text = formatMessageTime(Date.parse(value), store.nowMs(), place);
    return make("time", { attrs: { datetime: value, title: value } }, text);
  }
  if (typeof value === "object") return make("pre", "json", JSON.stringify(value, null, 2));
  const text = String(value);
  const colour = lookUp(STATE_COLOURS, text);
  if (colour && key !== "title") return tagPill(text, colour);
  const cut = whole || text.length <= MAX_CELL_CHARS ? text : `${text.slice(0, MAX_CELL_CHARS - 1)}…`;
  return make("span", { class: "cell-text", attrs: { title: cut === text ? undefined : text } }, cut);
}
