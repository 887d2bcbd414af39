import { make } from "../make.ts";
import { asFlag, asNumber, asObject, asObjects, asString } from "../read-json.ts";
import { act, canAct } from "./act.ts";
import { holdValue } from "./field-control.ts";
import type { DrawComponent } from "./scene.ts";
import { drawText } from "./text.ts";

/** Feishu component `checker`: a box to tick, with up to three buttons beside it. */
export const checkerComponent: DrawComponent = (node, scene) => {
  const isDisabled = asFlag(node.disabled);
  const style = asObject(node.checked_style) ?? {};
  const opacity = asNumber(style.opacity);
  const text = drawText(node.text, scene);
  const tick = make("input", {
    attrs: { type: "checkbox", disabled: isDisabled, "data-name": asString(node.name) },
  });
  const dress = (checked: boolean): void => {
    text.classList.toggle("struck", checked && asFlag(style.show_strikethrough));
    text.style.opacity = checked && opacity !== undefined ? String(opacity) : "";
  };
  const held = holdValue({
    node,
    scene,
    element: tick,
    initial: asFlag(node.checked),
    isEmpty: (checked) => !checked,
    show: (checked) => {
      tick.checked = checked;
      dress(checked);
    },
  });
  tick.addEventListener("change", () => {
    held.set(tick.checked);
    dress(tick.checked);
    const name = asString(node.name);
    if (!scene.form && canAct(node)) {
      void act(node, { checked: tick.checked, ...(name ? { name } : {}) }, tick, scene).then((sent) => {
        // Declined in the dialog: the box goes back to what the card says.
        if (!sent && tick.isConnected) tick.checked = asFlag(node.checked);
      });
    }
  });
  const buttons = scene.draw(asObjects(asObject(node.button_area)?.buttons), scene);
  return make("div", "checker", make("label", "checker-line", tick, text), ...buttons);
};
