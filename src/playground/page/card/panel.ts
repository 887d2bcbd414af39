import { icon, iconForToken } from "../icons.ts";
import { make } from "../make.ts";
import { asFlag, asObject, asString } from "../read-json.ts";
import { layOut } from "./layout.ts";
import { cssLengths, cssRadius, cssWidth } from "./lengths.ts";
import type { DrawComponent } from "./scene.ts";
import { drawText, groundOf, textOf } from "./text.ts";

/** Feishu component `collapsible_panel`: a title that folds what is under it. */
export const panelComponent: DrawComponent = (node, scene) => {
  const header = asObject(node.header) ?? {};
  const border = asObject(node.border);
  const headIcon = asObject(header.icon);
  const key = `panel/${asString(node.element_id) ?? textOf(header.title, scene)}`;
  const remembered = scene.draft.get(key);
  let isOpen = typeof remembered === "boolean" ? remembered : asFlag(node.expanded);

  const body = make("div", "fold-body");
  layOut(body, node);
  body.append(...scene.draw(node.elements, scene));
  const side = asString(header.icon_position) ?? "right";
  const arrow = make("span", "fold-arrow", headIcon ? iconForToken(asString(headIcon.token)) : icon("down"));
  const head = make(
    "button",
    {
      class: `fold-head icon-${side}`,
      attrs: { type: "button" },
      style: {
        width: cssWidth(header.width),
        padding: cssLengths(header.padding),
        background: groundOf(header.background_color, scene, 100),
        "--fold-angle": `${Number(header.icon_expanded_angle ?? -180)}deg`,
      },
    },
    drawText(header.title, scene),
    arrow,
  );
  const panel = make("div", {
    class: `fold${border ? " bordered" : ""}`,
    style: {
      background: groundOf(node.background_color, scene, 50),
      "border-color": groundOf(border?.color, scene, 200),
      "border-radius": cssRadius(border?.corner_radius),
    },
  });
  const show = (): void => {
    body.hidden = !isOpen;
    head.setAttribute("aria-expanded", String(isOpen));
    panel.classList.toggle("open", isOpen);
  };
  head.addEventListener("click", () => {
    isOpen = !isOpen;
    scene.draft.set(key, isOpen);
    show();
  });
  show();
  panel.append(head, body);
  return panel;
};
