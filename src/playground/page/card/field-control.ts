import { make } from "../make.ts";
import { asFlag, asString, type JsonObject } from "../read-json.ts";
import type { CardScene } from "./scene.ts";

type Control<T> = {
  readonly node: JsonObject;
  readonly scene: CardScene;
  /** Element that is marked and focused when a value is missing. */
  readonly element: HTMLElement;
  readonly initial: T;
  readonly isEmpty: (value: T) => boolean;
  /** Shows a value that did not come from the person: a draft, a reset. */
  readonly show: (value: T) => void;
};

/** A value that is kept while the card is redrawn, and that belongs to a form when the control stands in one. */
export type Held<T> = { readonly get: () => T; readonly set: (value: T) => void };

/**
 * Holds a control's value: registers it with its form under its name, remembers it as a draft, and wires up
 * required-checks and reset. Outside forms nothing is remembered: what was chosen is sent at once.
 */
export function holdValue<T>({ node, scene, element, initial, isEmpty, show }: Control<T>): Held<T> {
  const name = asString(node.name) ?? "";
  const { form, draft } = scene;
  const key = form ? `${form.name}/${name}` : undefined;
  let value = key !== undefined && draft.has(key) ? (draft.get(key) as T) : initial;
  show(value);

  const set = (next: T): void => {
    value = next;
    if (key !== undefined) draft.set(key, next);
    element.classList.remove("missing");
    element.removeAttribute("aria-invalid");
  };
  form?.fields.push({
    name,
    required: asFlag(node.required),
    value: () => value,
    isEmpty: () => isEmpty(value),
    reset: () => {
      set(initial);
      show(initial);
    },
    mark: (missing) => {
      element.classList.toggle("missing", missing);
      if (missing) element.setAttribute("aria-invalid", "true");
      else element.removeAttribute("aria-invalid");
    },
    focus: () => element.focus(),
  });
  return { get: () => value, set };
}

/** A label with the star of a required control. */
export function fieldLabel(text: string, isRequired: boolean, scene: CardScene): HTMLElement {
  return make(
    "span",
    "field-label",
    text,
    isRequired && make("span", { class: "star", attrs: { title: scene.words.required } }, "*"),
  );
}
