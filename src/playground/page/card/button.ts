import { iconForToken } from "../icons.ts";
import { make } from "../make.ts";
import { asFlag, asObject, asString } from "../read-json.ts";
import { showToast } from "../toast.ts";
import { act } from "./act.ts";
import { submitForm } from "./form.ts";
import { cssWidth } from "./lengths.ts";
import type { DrawComponent } from "./scene.ts";
import { colourOf, textOf } from "./text.ts";

const TYPES = [
  "default",
  "primary",
  "danger",
  "text",
  "primary_text",
  "danger_text",
  "primary_filled",
  "danger_filled",
  "laser",
];
const SIZES = ["tiny", "small", "medium", "large"];

/** Feishu component `button`, alone or as a form's submit and reset. */
export const buttonComponent: DrawComponent = (node, scene) => {
  const type = asString(node.type) ?? "default";
  const size = asString(node.size) ?? "medium";
  const label = textOf(node.text, scene);
  const iconNode = asObject(node.icon);
  const isDisabled = asFlag(node.disabled);
  const disabledTips = textOf(node.disabled_tips, scene);
  const tips = isDisabled ? disabledTips : textOf(node.hover_tips, scene);
  const width = cssWidth(node.width);

  const button = make(
    "button",
    {
      class: `button ${TYPES.includes(type) ? type : "default"} ${SIZES.includes(size) ? size : "medium"}`,
      attrs: {
        type: "button",
        // Not the `disabled` attribute: a disabled button must stay reachable to say why it is.
        "aria-disabled": isDisabled ? "true" : undefined,
        title: tips || undefined,
        "aria-label": label ? undefined : tips || scene.words.moreActions,
      },
      style: { width, "--icon-colour": colourOf(asString(iconNode?.color), scene) },
    },
    iconNode && iconForToken(asString(iconNode.token)),
    label && make("span", "button-label", label),
  );
  button.addEventListener("click", () => {
    if (isDisabled) {
      if (disabledTips) showToast("info", disabledTips);
      return;
    }
    const name = asString(node.name);
    if (!scene.form) void act(node, name ? { name } : {}, button, scene);
    else if (node.form_action_type === "reset") for (const field of scene.form.fields) field.reset();
    else if (node.form_action_type === "submit") void submitForm(node, button, scene, scene.form);
    else void act(node, name ? { name } : {}, button, scene);
  });
  return button;
};
