import { type Choice, choiceList } from "../choice-list.ts";
import { icon } from "../icons.ts";
import { make } from "../make.ts";
import { openPopup } from "../popup.ts";
import { asFlag, asNumber, asObject, asObjects, asString, asStrings, type JsonObject } from "../read-json.ts";
import { act } from "./act.ts";
import { holdValue } from "./field-control.ts";
import { cssWidth } from "./lengths.ts";
import { avatar } from "./person.ts";
import type { CardScene, DrawComponent } from "./scene.ts";
import { textOf } from "./text.ts";

/** Feishu components `select_static` and `select_person`: one choice, sent at once outside forms. */
export const selectComponent: DrawComponent = (node, scene) => {
  const choices = choicesOf(node, scene);
  const placeholder = textOf(node.placeholder, scene) || scene.words.selectPlaceholder;
  const { box, value: shown } = selectBox(node, placeholder, scene);
  const held = holdValue({
    node,
    scene,
    element: box,
    initial: initialChoice(node, choices),
    isEmpty: (value) => value === "",
    show: (value) =>
      showChosen(
        shown,
        placeholder,
        choices.filter((choice) => choice.value === value).map((choice) => choice.label),
      ),
  });
  box.addEventListener("click", () => {
    if (box.getAttribute("aria-disabled") === "true" || box.getAttribute("aria-busy") === "true") return;
    const list = choiceList({
      role: "listbox",
      label: placeholder,
      choices,
      selected: new Set([held.get()]),
      emptyText: scene.words.noOptions,
      onPick: (value) => {
        popup.close();
        held.set(value);
        showChosen(
          shown,
          placeholder,
          choices.filter((choice) => choice.value === value).map((choice) => choice.label),
        );
        if (!scene.form) void act(node, { option: value, ...nameOf(node) }, box, scene);
      },
    });
    const popup = openPopup(box, placeholder, list);
  });
  return box;
};

/** Feishu components `multi_select_static` and `multi_select_person`: several choices, sent when the list is confirmed. */
export const multiSelectComponent: DrawComponent = (node, scene) => {
  const choices = choicesOf(node, scene);
  const placeholder = textOf(node.placeholder, scene) || scene.words.selectPlaceholder;
  const { box, value: shown } = selectBox(node, placeholder, scene);
  const labels = (values: readonly string[]): string[] =>
    choices.filter((choice) => values.includes(choice.value)).map((choice) => choice.label);
  const held = holdValue<readonly string[]>({
    node,
    scene,
    element: box,
    initial: asStrings(node.selected_values),
    isEmpty: (values) => values.length === 0,
    show: (values) => showChosen(shown, placeholder, labels(values)),
  });
  box.addEventListener("click", () => {
    if (box.getAttribute("aria-disabled") === "true" || box.getAttribute("aria-busy") === "true") return;
    const chosen = new Set(held.get());
    const boxes = choices.map((choice) => {
      const tick = make("input", { attrs: { type: "checkbox", checked: chosen.has(choice.value) } });
      tick.addEventListener("change", () => {
        if (tick.checked) chosen.add(choice.value);
        else chosen.delete(choice.value);
      });
      return make("label", "choice", tick, choice.picture, make("span", "choice-label", choice.label));
    });
    const confirm = make(
      "button",
      { class: "button primary_filled small", attrs: { type: "button" } },
      scene.words.confirm,
    );
    const list = make("div", { class: "choices", attrs: { role: "group", "aria-label": placeholder } }, ...boxes);
    if (boxes.length === 0) list.append(make("p", "choices-empty", scene.words.noOptions));
    const popup = openPopup(box, placeholder, make("div", "choices-many", list, make("div", "popup-foot", confirm)));
    confirm.addEventListener("click", () => {
      popup.close();
      const values = choices.map((choice) => choice.value).filter((value) => chosen.has(value));
      held.set(values);
      showChosen(shown, placeholder, labels(values));
      if (!scene.form) void act(node, { options: values, ...nameOf(node) }, box, scene);
    });
  });
  return box;
};

function selectBox(node: JsonObject, label: string, scene: CardScene): { box: HTMLButtonElement; value: HTMLElement } {
  const value = make("span", "select-value");
  const isRequired = asFlag(node.required) && scene.form !== undefined;
  const box = make(
    "button",
    {
      class: `select ${node.type === "text" ? "bare" : ""}`,
      attrs: {
        type: "button",
        "aria-haspopup": "listbox",
        "aria-expanded": "false",
        "aria-required": isRequired ? "true" : undefined,
        "aria-disabled": asFlag(node.disabled) ? "true" : undefined,
        title: label,
        "data-name": asString(node.name),
      },
      style: { width: cssWidth(node.width) },
    },
    value,
    isRequired && make("span", { class: "star", attrs: { title: scene.words.required } }, "*"),
    icon("down"),
  );
  return { box, value };
}

function showChosen(value: HTMLElement, placeholder: string, labels: readonly string[]): void {
  value.textContent = labels.length > 0 ? labels.join("、") : placeholder;
  value.classList.toggle("placeholder", labels.length === 0);
}

function choicesOf(node: JsonObject, scene: CardScene): Choice[] {
  const options = asObjects(node.options);
  const isPeople = node.tag === "select_person" || node.tag === "multi_select_person";
  if (!isPeople) {
    return options.map((option) => ({ value: asString(option.value) ?? "", label: textOf(option.text, scene) }));
  }
  const ids =
    options.length > 0
      ? options.map((option) => asString(option.value) ?? "")
      : scene.people.map((person) => person.openId);
  return ids.map((openId) => {
    const person = scene.person(openId);
    return {
      value: openId,
      label: person?.name ?? scene.words.unknownPerson,
      picture: avatar(openId, person?.initials ?? "?", "small"),
    };
  });
}

/** Feishu: `initial_option` names a value, `initial_index` counts from 1. */
function initialChoice(node: JsonObject, choices: readonly Choice[]): string {
  const option = asString(node.initial_option);
  if (option !== undefined) return option;
  const index = asNumber(node.initial_index) ?? 0;
  return index >= 1 ? (choices[index - 1]?.value ?? "") : "";
}

function nameOf(node: JsonObject): { name?: string } {
  const name = asString(node.name);
  return name ? { name } : {};
}

/** Feishu component `overflow`: a menu behind three dots; an entry may carry a link instead of a value. */
export const overflowComponent: DrawComponent = (node, scene) => {
  const options = asObjects(node.options);
  const button = make(
    "button",
    {
      class: "button default medium overflow",
      attrs: {
        type: "button",
        "aria-haspopup": "menu",
        "aria-expanded": "false",
        "aria-label": scene.words.moreActions,
      },
      style: { width: cssWidth(node.width) },
    },
    icon("more"),
  );
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-busy") === "true") return;
    const list = choiceList({
      role: "menu",
      label: scene.words.moreActions,
      choices: options.map((option, at) => ({ value: String(at), label: textOf(option.text, scene) })),
      emptyText: scene.words.noOptions,
      onPick: (at) => {
        popup.close();
        const option = options[Number(at)] ?? {};
        const links = asObject(option.multi_url);
        if (links) void act({ tag: "overflow", multi_url: links }, {}, button, scene);
        else void act(node, { option: asString(option.value) ?? "", ...nameOf(node) }, button, scene);
      },
    });
    const popup = openPopup(button, scene.words.moreActions, list);
  });
  return button;
};
