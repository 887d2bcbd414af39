import { safeLink } from "../markdown/safe-link.ts";
import { askFirst } from "../popup.ts";
import { asObject, asObjects, type JsonObject } from "../read-json.ts";
import type { CardScene, TapPart } from "./scene.ts";
import { textOf } from "./text.ts";

/** What the component pressed adds to a tap. */
type Extra = Omit<TapPart, "tag" | "value">;

/** Whether pressing the component leads anywhere at all. */
export function canAct(node: JsonObject): boolean {
  return callbackOf(node) !== undefined || linkOf(node) !== undefined;
}

/**
 * Does what a component's `confirm` and `behaviors` say: asks first, opens the link, sends the callback; link and
 * callback may both be there.
 * @returns false when the person declined or nothing was to be done.
 */
export async function act(node: JsonObject, extra: Extra, control: HTMLElement, scene: CardScene): Promise<boolean> {
  const confirm = asObject(node.confirm);
  if (confirm) {
    const title = textOf(confirm.title, scene);
    // Feishu: without a title the client shows no dialog and does nothing.
    if (!title) return false;
    const yes = await askFirst(title, textOf(confirm.text, scene), scene.words.confirm, scene.words.cancel);
    if (!yes) return false;
  }
  const link = linkOf(node);
  if (link) window.open(link, "_blank", "noopener,noreferrer");
  const callback = callbackOf(node);
  if (!callback) return link !== undefined;
  await scene.tap({ tag: String(node.tag), value: callback.value, ...extra }, control);
  return true;
}

function callbackOf(node: JsonObject): { value: unknown } | undefined {
  const callback = asObjects(node.behaviors).find((each) => each.type === "callback");
  if (callback) return { value: callback.value };
  if (node.value !== undefined) return { value: node.value };
  // Inside a form a submit button sends the form even without a value of its own.
  return node.form_action_type === "submit" ? { value: undefined } : undefined;
}

/** The address a component opens: the wide screen's own one first, as on a computer. */
export function linkOf(node: JsonObject): string | undefined {
  const behaviour = asObjects(node.behaviors).find((each) => each.type === "open_url");
  if (behaviour) return safeLink(behaviour.pc_url) ?? safeLink(behaviour.default_url);
  const multi = asObject(node.multi_url);
  return safeLink(multi?.pc_url) ?? safeLink(multi?.url) ?? safeLink(node.url);
}
