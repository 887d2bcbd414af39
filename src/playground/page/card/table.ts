import { icon } from "../icons.ts";
import { lookUp } from "../look-up.ts";
import { make } from "../make.ts";
import { buildMarkdown, tagPill } from "../markdown/build-markdown.ts";
import { parseMarkdown } from "../markdown/parse-markdown.ts";
import { pickText } from "../pick-text.ts";
import { asNumber, asObject, asObjects, asString, type JsonObject } from "../read-json.ts";
import { pageOfRows, readCell } from "../table-cells.ts";
import { drawPerson } from "./person.ts";
import type { CardScene, DrawComponent } from "./scene.ts";
import { colourOf } from "./text.ts";

const DEFAULT_PAGE_SIZE = 5;
const ROW_HEIGHTS: Readonly<Record<string, string>> = { low: "36px", middle: "48px", high: "64px" };

/** Feishu component `table`, a page of rows at a time. */
export const tableComponent: DrawComponent = (node, scene) => {
  const columns = asObjects(node.columns);
  const allRows = asObjects(node.rows);
  const style = asObject(node.header_style) ?? {};
  const height = asString(node.row_height) ?? "low";
  const pageSize = asNumber(node.page_size) ?? DEFAULT_PAGE_SIZE;
  const body = make("tbody");
  const foot = make("div", "table-foot");

  const title = (column: JsonObject): string =>
    pickText({ content: column.display_name, i18n_content: column.i18n_display_name }, scene.language, scene.locales) ||
    (asString(column.name) ?? "");
  const show = (wanted: number, focus?: "back" | "forward"): void => {
    const { rows, pages, page } = pageOfRows(allRows, pageSize, wanted);
    body.replaceChildren(
      ...rows.map((row) =>
        make(
          "tr",
          { style: { height: lookUp(ROW_HEIGHTS, height) ?? (/^\d{1,3}px$/.test(height) ? height : undefined) } },
          ...columns.map((column) =>
            make(
              "td",
              {
                class: asString(column.vertical_align) ?? "",
                style: { "text-align": asString(column.horizontal_align) },
              },
              drawCell(column, lookUp(row, asString(column.name)), scene),
            ),
          ),
        ),
      ),
    );
    if (rows.length === 0)
      body.append(
        make("tr", {}, make("td", { class: "empty", attrs: { colspan: columns.length } }, scene.words.emptyTable)),
      );
    foot.hidden = pages === 1;
    const turn = (label: string, name: "back" | "forward", target: number): HTMLButtonElement =>
      make(
        "button",
        {
          class: `plain-icon ${name}`,
          attrs: { type: "button", "aria-label": label, disabled: target < 1 || target > pages },
          on: { click: () => show(target, name) },
        },
        icon(name),
      );
    foot.replaceChildren(
      turn(scene.words.previousPage, "back", page - 1),
      make("span", { attrs: { "aria-live": "polite" } }, scene.words.pageOf(page, pages)),
      turn(scene.words.nextPage, "forward", page + 1),
    );
    if (focus) foot.querySelector<HTMLElement>(`.${focus}:not(:disabled)`)?.focus();
  };
  show(1);

  const head = make(
    "tr",
    {
      style: {
        background: style.background_style === "none" ? "transparent" : undefined,
        color: colourOf(asString(style.text_color), scene),
        "font-weight": style.bold === false ? "400" : undefined,
      },
    },
    ...columns.map((column) => {
      const width = asString(column.width);
      return make(
        "th",
        {
          attrs: { scope: "col" },
          style: {
            "text-align": asString(style.text_align) ?? asString(column.horizontal_align),
            width: width && /^\d{1,3}(?:px|%)$/.test(width) ? width : undefined,
          },
        },
        title(column),
      );
    }),
  );
  return make(
    "div",
    "table",
    make(
      "div",
      { class: "scroll-x", attrs: { tabindex: 0, role: "region", "aria-label": columns.map(title).join(", ") } },
      make("table", "grid", make("thead", {}, head), body),
    ),
    foot,
  );
};

function drawCell(column: JsonObject, value: unknown, scene: CardScene): Node {
  const cell = readCell(column, value, scene);
  switch (cell.kind) {
    case "text":
      return document.createTextNode(cell.text);
    case "markdown":
      return make("div", "text markdown", buildMarkdown(parseMarkdown(cell.text), scene));
    case "options":
      return make("span", "tags", ...cell.options.map((option) => tagPill(option.text, option.colour)));
    case "persons":
      return make(
        "span",
        "person-row",
        ...cell.openIds.map((openId) =>
          drawPerson(openId, scene, { showName: true, showAvatar: true, capsule: false, size: "small" }),
        ),
      );
    default:
      return cell satisfies never;
  }
}
