import { icon } from "../icons.ts";
import { make } from "../make.ts";
import { asFlag, asNumber, asString } from "../read-json.ts";
import { act, canAct } from "./act.ts";
import { fieldLabel, holdValue } from "./field-control.ts";
import { cssWidth } from "./lengths.ts";
import type { DrawComponent } from "./scene.ts";
import { textOf } from "./text.ts";

const DEFAULT_MAX = 1000;

/** Feishu component `input`. In a form its text goes along with the form; alone it is sent by Enter or its tick. */
export const inputComponent: DrawComponent = (node, scene) => {
  const isLong = node.input_type === "multiline_text";
  const isDisabled = asFlag(node.disabled);
  const label = textOf(node.label, scene);
  const isRequired = asFlag(node.required) && scene.form !== undefined;
  const placeholder = textOf(node.placeholder, scene) || scene.words.inputDefault;
  const attrs = {
    placeholder,
    maxlength: asNumber(node.max_length) ?? DEFAULT_MAX,
    disabled: isDisabled,
    "aria-label": label || placeholder,
    "aria-required": isRequired ? "true" : undefined,
    autocomplete: "off",
    "data-name": asString(node.name),
  };
  const rows = asNumber(node.rows) ?? 3;
  const field = isLong
    ? make("textarea", { class: "field", attrs: { ...attrs, rows } })
    : make("input", {
        class: "field",
        attrs: { ...attrs, type: node.input_type === "password" ? "password" : "text" },
      });
  if (isLong && asFlag(node.auto_resize)) field.classList.add("grows");

  const held = holdValue({
    node,
    scene,
    element: field,
    initial: asString(node.default_value) ?? "",
    isEmpty: (value) => value.trim() === "",
    show: (value) => {
      field.value = value;
    },
  });
  field.addEventListener("input", () => held.set(field.value));

  const sendsAlone = !scene.form && canAct(node) && !isDisabled;
  const send = (): void => {
    const name = asString(node.name);
    void act(node, { inputValue: field.value, ...(name ? { name } : {}) }, field, scene);
  };
  if (sendsAlone) {
    field.addEventListener("keydown", (event) => {
      if (!(event instanceof KeyboardEvent) || event.isComposing || event.key !== "Enter" || (isLong && event.shiftKey))
        return;
      event.preventDefault();
      send();
    });
  }
  return make(
    "label",
    {
      class: `input ${node.label_position === "left" ? "label-left" : "label-top"}`,
      style: { width: cssWidth(node.width) },
    },
    (label || isRequired) && fieldLabel(label, isRequired, scene),
    make(
      "span",
      "field-box",
      field,
      sendsAlone &&
        make(
          "button",
          {
            class: "field-send",
            attrs: { type: "button", "aria-label": scene.words.submitInput },
            on: { click: send },
          },
          icon("check"),
        ),
    ),
  );
};
