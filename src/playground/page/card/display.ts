import { iconForToken } from "../icons.ts";
import { make } from "../make.ts";
import { asFlag, asObject, asObjects, asString, type JsonObject } from "../read-json.ts";
import { cssWidth } from "./lengths.ts";
import type { CardScene, DrawComponent } from "./scene.ts";
import { colourOf, drawText } from "./text.ts";

/** Feishu component `markdown`. */
export const markdownComponent: DrawComponent = (node, scene) => withIcon(node, scene, drawText(node, scene, "block"));

/** A text that stands in the card as an element of its own. */
export const textComponent: DrawComponent = (node, scene) => drawText(node, scene, "block");

/** Feishu component `div`: a text, or label and value pairs two in a row. */
export const divComponent: DrawComponent = (node, scene) => {
  const fields = asObjects(node.fields);
  const extra = scene.draw(node.extra ? [node.extra] : [], scene);
  const text = node.text ? withIcon(node, scene, drawText(node.text, scene)) : undefined;
  const main = make(
    "div",
    { class: "div", style: { width: cssWidth(node.width) } },
    text,
    fields.length > 0 &&
      make(
        "div",
        "fields",
        ...fields.map((field) =>
          make("div", asFlag(field.is_short) ? "cell short" : "cell", drawText(field.text, scene)),
        ),
      ),
  );
  return extra.length > 0 ? make("div", "div-with-extra", main, ...extra) : main;
};

/** Feishu component `hr`. */
export const hrComponent: DrawComponent = () => make("hr", "rule");

/** Feishu component `audio`: shown as what it is; the playground has no sound. */
export const audioComponent: DrawComponent = (_node, scene) =>
  make("div", "audio", iconForToken("play"), make("span", "audio-wave"), make("span", {}, scene.words.audio));

function withIcon(node: JsonObject, scene: CardScene, text: HTMLElement): HTMLElement {
  const icon = asObject(node.icon);
  if (!icon) return text;
  const drawn = iconForToken(asString(icon.token));
  return make(
    "div",
    { class: "icon-text", style: { "--icon-colour": colourOf(asString(icon.color), scene) } },
    drawn,
    text,
  );
}
