import { make } from "../make.ts";
import { asFlag, asString } from "../read-json.ts";
import { showToast } from "../toast.ts";
import { act, canAct } from "./act.ts";
import { layOut } from "./layout.ts";
import { cssRadius, cssWidth } from "./lengths.ts";
import type { DrawComponent } from "./scene.ts";
import { groundOf, textOf } from "./text.ts";

const CONTROLS = "button, a, input, select, textarea, label";

/** Feishu component `interactive_container`: a block that can be pressed as a whole. */
export const interactiveContainerComponent: DrawComponent = (node, scene) => {
  const isDisabled = asFlag(node.disabled);
  const isActive = canAct(node);
  const tips = textOf(isDisabled ? node.disabled_tips : node.hover_tips, scene);
  const box = make("div", {
    class: `press-box${asFlag(node.has_border) ? " bordered" : ""}${isActive && !isDisabled ? " active" : ""}`,
    attrs: {
      tabindex: isActive ? 0 : undefined,
      "aria-disabled": isDisabled ? "true" : undefined,
      title: tips || undefined,
    },
    style: {
      width: cssWidth(node.width),
      background: groundOf(node.background_style, scene, 50),
      "border-color": groundOf(node.border_color, scene, 200),
      "border-radius": cssRadius(node.corner_radius),
    },
  });
  layOut(box, node);
  box.append(...scene.draw(node.elements, scene));
  if (!isActive) return box;

  // A block that holds controls of its own must not claim to be one button.
  box.setAttribute("role", box.querySelector(CONTROLS) ? "group" : "button");
  const press = (): void => {
    if (isDisabled) {
      if (tips) showToast("info", tips);
      return;
    }
    const name = asString(node.name);
    void act(node, name ? { name } : {}, box, scene);
  };
  box.addEventListener("click", (event) => {
    const inner = (event.target as Element).closest(`${CONTROLS}, .press-box`);
    if (inner === box || inner === null || !box.contains(inner)) press();
  });
  box.addEventListener("keydown", (event) => {
    if (event.target !== box || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    press();
  });
  return box;
};
