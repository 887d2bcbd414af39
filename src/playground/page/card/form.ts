import { checkForm } from "../form-values.ts";
import { make } from "../make.ts";
import { asString, type JsonObject } from "../read-json.ts";
import { announce } from "../toast.ts";
import { act } from "./act.ts";
import { layOut } from "./layout.ts";
import type { CardScene, DrawComponent, FormScope } from "./scene.ts";

const FORM_NAME_ERROR = 200530;

/** Feishu component `form`: its controls are sent together by its submit button. */
export const formComponent: DrawComponent = (node, scene) => {
  const form: FormScope = { name: asString(node.name) ?? "", fields: [] };
  const inner: CardScene = { ...scene, form };
  const element = make("div", { class: "form", attrs: { role: "group" } });
  layOut(element, node);
  element.append(...scene.draw(node.elements, inner));
  return element;
};

/** Sends a form, or shows what is still missing and sends nothing. */
export async function submitForm(
  node: JsonObject,
  button: HTMLElement,
  scene: CardScene,
  form: FormScope,
): Promise<void> {
  const check = checkForm(form.fields);
  for (const field of form.fields) field.mark(check.outcome === "missing" && check.names.includes(field.name));
  switch (check.outcome) {
    case "bad_names":
      return scene.complain(scene.words.clientError(scene.words.formNames, FORM_NAME_ERROR));
    case "missing":
      announce(scene.words.fillRequired);
      form.fields.find((field) => check.names.includes(field.name))?.focus();
      return;
    case "send":
      await act(node, { name: asString(node.name) ?? "", formValue: check.values }, button, scene);
      return;
    default:
      return check satisfies never;
  }
}
