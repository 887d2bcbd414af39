import type { Action, ActionEnvelope, ActionName, ActionPayload, ChoiceEnvelope } from "./actions.ts";
import type { Button, ButtonStyle, Callback, Overflow, PickerDatetime, SelectStatic } from "./card.ts";
import { type Look, say, type Write } from "./look.ts";

export type ButtonOptions = {
  readonly label: Write;
  readonly style?: ButtonStyle;
  readonly size?: "tiny" | "small" | "medium" | "large";
  /** Asked before the tap is sent. Both parts are needed: without a title older clients do nothing on a tap. */
  readonly confirm?: { readonly title: Write; readonly text: Write };
};

/** A button that carries one action. Its value is the same in every language. */
export function actionButton<N extends ActionName>(
  name: N,
  payload: ActionPayload<N>,
  look: Look,
  options: ButtonOptions,
): Button {
  return {
    tag: "button",
    text: { tag: "plain_text", ...say(look, options.label) },
    type: options.style ?? "default",
    size: options.size ?? "small",
    behaviors: [carry(look, name, payload)],
    ...(options.confirm && {
      confirm: {
        title: { tag: "plain_text", ...say(look, options.confirm.title) },
        text: { tag: "plain_text", ...say(look, options.confirm.text) },
      },
    }),
  };
}

/** The submit button of a form. `control` is its name in the form; a submit without a value is lost on the client, so it always has one. */
export function submitButton<N extends ActionName>(
  name: N,
  payload: ActionPayload<N>,
  look: Look,
  options: ButtonOptions & { readonly control: string },
): Button {
  return {
    ...actionButton(name, payload, look, { style: "primary", ...options }),
    name: options.control,
    form_action_type: "submit",
  };
}

/** One entry of a menu or a select. */
export type Choice = { readonly key: string; readonly label: Write; readonly action: Action };

/** The "···" menu: for what is seldom wanted. */
export function actionMenu(look: Look, choices: readonly Choice[]): Overflow {
  return { tag: "overflow", options: optionsOf(look, choices), behaviors: [carryChoices(look, choices)] };
}

/** A select whose entries are actions; nothing is preselected. `width` in pixels, from 100 up. */
export function actionSelect(look: Look, placeholder: Write, choices: readonly Choice[], width = 100): SelectStatic {
  return {
    tag: "select_static",
    placeholder: { tag: "plain_text", ...say(look, placeholder) },
    width: `${width}px`,
    options: optionsOf(look, choices),
    behaviors: [carryChoices(look, choices)],
  };
}

/** A date-time picker; the instant picked arrives as the action's form. `width` in pixels, from 100 up. */
export function actionPicker<N extends ActionName>(
  name: N,
  payload: ActionPayload<N>,
  look: Look,
  placeholder: Write,
  width = 100,
): PickerDatetime {
  return {
    tag: "picker_datetime",
    placeholder: { tag: "plain_text", ...say(look, placeholder) },
    width: `${width}px`,
    behaviors: [carry(look, name, payload)],
  };
}

function optionsOf(look: Look, choices: readonly Choice[]): Overflow["options"] {
  return choices.map(({ key, label }) => ({ text: { tag: "plain_text", ...say(look, label) }, value: key }));
}

function carry<N extends ActionName>(look: Look, action: N, payload: ActionPayload<N>): Callback {
  return { type: "callback", value: { v: 1, action, post: look.post, payload } satisfies EnvelopeShape };
}

function carryChoices(look: Look, choices: readonly Choice[]): Callback {
  const value: ChoiceEnvelope = {
    v: 1,
    post: look.post,
    choices: Object.fromEntries(choices.map(({ key, action }) => [key, action])),
  };
  return { type: "callback", value };
}

/** The envelope without the tie between name and payload, which the callers' type parameters already hold. */
type EnvelopeShape = { [K in keyof ActionEnvelope]: ActionEnvelope[K] };
