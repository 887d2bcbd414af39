import { lookUp } from "../look-up.ts";
import { asString, type JsonObject } from "../read-json.ts";
import { cssLengths } from "./lengths.ts";

const MAIN: Readonly<Record<string, string>> = { left: "flex-start", center: "center", right: "flex-end" };
const CROSS: Readonly<Record<string, string>> = { top: "flex-start", center: "center", bottom: "flex-end" };

/** Gives a container the direction, spacing, alignment and padding its JSON asks for. */
export function layOut(element: HTMLElement, node: JsonObject): void {
  const isRow = node.direction === "horizontal";
  element.classList.add("stack", ...(isRow ? ["row"] : []));
  const across = lookUp(MAIN, asString(node.horizontal_align));
  const down = lookUp(CROSS, asString(node.vertical_align));
  const styles: Readonly<Record<string, string | undefined>> = {
    padding: cssLengths(node.padding),
    "row-gap": cssLengths(node.vertical_spacing),
    "column-gap": cssLengths(node.horizontal_spacing),
    "justify-content": isRow ? across : down,
    "align-items": isRow ? down : across,
  };
  for (const [name, value] of Object.entries(styles)) if (value !== undefined) element.style.setProperty(name, value);
}
