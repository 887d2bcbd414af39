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

/**
 * Rows of any shape as a small table: a few telling columns, all fields by opening a row.
 * @param onOpen when given, a row leads somewhere instead of unfolding.
 */
export function drawRows(
  rows: readonly JsonObject[],
  store: PageStore,
  onOpen?: (row: JsonObject) => void,
): HTMLElement {
  const words = store.words();
  const { columns } = inspectTable(rows);
  const body = rows.flatMap((row) => {
    const detail = make("tr", { class: "detail", attrs: { hidden: true } });
    const open = make("button", {
      class: "plain-icon",
      attrs: { type: "button", "aria-expanded": onOpen ? undefined : "false", "aria-label": words.allFields },
    });
    open.append(icon(onOpen ? "forward" : "down"));
    const line = make(
      "tr",
      "record",
      ...columns.map((column) => make("td", {}, drawValue(column, row[column], store))),
      make("td", "record-open", open),
    );
    const toggle = (): void => {
      if (onOpen) {
        onOpen(row);
        return;
      }
      if (detail.childElementCount === 0) {
        detail.append(make("td", { attrs: { colspan: columns.length + 1 } }, drawFields(row, store)));
      }
      detail.hidden = !detail.hidden;
      open.setAttribute("aria-expanded", String(!detail.hidden));
    };
    line.addEventListener("click", toggle);
    return [line, detail];
  });
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
        make(
          "thead",
          {},
          make("tr", {}, ...columns.map((column) => make("th", { attrs: { scope: "col" } }, column)), make("th")),
        ),
        make("tbody", {}, ...body),
      ),
    ),
  );
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
