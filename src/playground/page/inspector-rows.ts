import { formatStamp } from "./format-time.ts";
import { icon } from "./icons.ts";
import { fieldLabel, valueLabel } from "./inspect-labels.ts";
import { inspectTable, isInstant } from "./inspect-rows.ts";
import { make } from "./make.ts";
import { tagPill } from "./markdown/build-markdown.ts";
import type { PageStore } from "./page-store.ts";
import type { JsonObject } from "./read-json.ts";

/** Columns that hold a sentence get the room. */
const MAIN = ["title", "text", "what", "job"];
const MAX_CELL_CHARS = 80;

/** How rows behave: `opened` remembers unfolded ones over redrawing; with `onOpen` a row leads somewhere instead. */
type RowOptions = {
  /** What kind of rows they are, for choosing columns. */
  readonly what: string;
  readonly opened: Set<string>;
  readonly onOpen?: (row: JsonObject) => void;
};

/** Rows of any shape as a small table: a few telling columns, all fields by opening a row. */
export function drawRows(rows: readonly JsonObject[], store: PageStore, options: RowOptions): HTMLElement {
  const words = store.words();
  const { columns } = inspectTable(rows, options.what);
  const header = columns.map((column) =>
    make("th", { attrs: { scope: "col", title: column } }, fieldLabel(column, store.language())),
  );
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
    ...columns.map((column) => make("td", MAIN.includes(column) ? "main" : "", drawValue(column, row[column], store))),
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

/** Every field of an object, one under the other; what is empty comes last and in one line. */
export function drawFields(row: JsonObject, store: PageStore): HTMLElement {
  const language = store.language();
  const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === "";
  const filled = Object.entries(row).filter(([, value]) => !isEmpty(value));
  const empty = Object.keys(row).filter((key) => isEmpty(row[key]));
  return make(
    "dl",
    "all-fields",
    ...filled.flatMap(([key, value]) => [
      make("dt", { attrs: { title: key } }, fieldLabel(key, language)),
      make("dd", {}, drawValue(key, value, store, true)),
    ]),
    ...(empty.length > 0
      ? [
          make("dt", {}, store.words().emptyFields),
          make("dd", "muted", empty.map((key) => fieldLabel(key, language)).join(language === "zh_cn" ? "、" : ", ")),
        ]
      : []),
  );
}

function drawValue(key: string, value: unknown, store: PageStore, whole = false): Node {
  const language = store.language();
  if (value === null || value === undefined || value === "") return make("span", "muted", "–");
  if (isInstant(value)) {
    const place = { language, timeZone: store.state().timeZone };
    const text = formatStamp(Date.parse(value), store.nowMs(), place);
    return make("time", { attrs: { datetime: value, title: value } }, text);
  }
  if (typeof value === "object") {
    const text = JSON.stringify(value, null, 2);
    const brief = JSON.stringify(value);
    if (brief.length <= MAX_CELL_CHARS) return make("code", "json", brief);
    return make(
      "details",
      "json-fold",
      make("summary", {}, `${brief.slice(0, MAX_CELL_CHARS - 20)}…`),
      make("pre", "json", text),
    );
  }
  const text = String(value);
  const isWord = key !== "title" && key !== "text" && key !== "summary";
  const label = isWord ? valueLabel(key, text, language) : { text };
  if (label.colour) return tagPill(label.text, label.colour);
  const cut = whole || label.text.length <= MAX_CELL_CHARS ? label.text : `${label.text.slice(0, MAX_CELL_CHARS - 1)}…`;
  return make("span", { class: "cell-text", attrs: { title: cut === text ? undefined : text } }, cut);
}
