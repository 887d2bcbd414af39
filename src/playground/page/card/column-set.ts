import { lookUp } from "../look-up.ts";
import { make } from "../make.ts";
import { asNumber, asObject, asObjects, asString, type JsonObject } from "../read-json.ts";
import { linkOf } from "./act.ts";
import { layOut } from "./layout.ts";
import { cssLengths } from "./lengths.ts";
import type { CardScene, DrawComponent } from "./scene.ts";
import { groundOf } from "./text.ts";

const MODES = ["none", "stretch", "flow", "bisect", "trisect"];
const ALIGN: Readonly<Record<string, string>> = { left: "flex-start", center: "center", right: "flex-end" };
const SELF: Readonly<Record<string, string>> = { top: "flex-start", center: "center", bottom: "flex-end" };

/** Feishu component `column_set`; how it behaves on a narrow card is its `flex_mode`. */
export const columnSetComponent: DrawComponent = (node, scene) => {
  const mode = asString(node.flex_mode) ?? "none";
  const columns = asObjects(node.columns);
  const set = make(
    "div",
    {
      class: `columns ${MODES.includes(mode) ? mode : "none"}`,
      style: {
        background: groundOf(node.background_style, scene, 50),
        "column-gap": cssLengths(node.horizontal_spacing),
        "justify-content": lookUp(ALIGN, asString(node.horizontal_align)),
      },
    },
    ...columns.map((column) => drawColumn(column, scene)),
  );
  if (hasGround(node)) set.classList.add("with-ground");
  return linked(set, node);
};

function drawColumn(column: JsonObject, scene: CardScene): HTMLElement {
  const width = asString(column.width) ?? "auto";
  const weight = Math.min(5, Math.max(1, asNumber(column.weight) ?? 1));
  const isFixed = /^\d{1,4}px$/.test(width);
  const element = make("div", {
    class: `column ${width === "weighted" ? "weighted" : isFixed ? "fixed" : "auto"}`,
    style: {
      "--weight": String(weight),
      width: isFixed ? width : undefined,
      background: groundOf(column.background_style, scene, 50),
      "align-self": lookUp(SELF, asString(column.vertical_align) ?? "top"),
      margin: cssLengths(column.margin),
    },
  });
  const { vertical_align: _, ...inner } = column;
  layOut(element, inner);
  if (hasGround(column)) element.classList.add("with-ground");
  element.append(...scene.draw(column.elements, scene));
  return linked(element, column);
}

function hasGround(node: JsonObject): boolean {
  const ground = node.background_style;
  return typeof ground === "string" && ground !== "default" && ground !== "";
}

/** Feishu: `action.multi_url` makes the whole block a link. */
function linked(element: HTMLElement, node: JsonObject): HTMLElement {
  const action = asObject(node.action);
  const link = action ? linkOf(action) : undefined;
  if (!link) return element;
  element.classList.add("active");
  element.tabIndex = 0;
  element.setAttribute("role", "link");
  const open = (): void => void window.open(link, "_blank", "noopener,noreferrer");
  element.addEventListener("click", (event) => {
    if (!(event.target as Element).closest("button, a, input, select, textarea")) open();
  });
  element.addEventListener("keydown", (event) => {
    if (event.target === element && event.key === "Enter") open();
  });
  return element;
}
