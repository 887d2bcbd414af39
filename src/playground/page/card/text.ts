import { lookUp } from "../look-up.ts";
import { make } from "../make.ts";
import { buildMarkdown } from "../markdown/build-markdown.ts";
import { parseMarkdown } from "../markdown/parse-markdown.ts";
import { cssColour } from "../palette.ts";
import { pickText } from "../pick-text.ts";
import { asNumber, asObject, asString, type JsonObject } from "../read-json.ts";
import type { CardScene } from "./scene.ts";

/** Feishu: font sizes by name, in px. */
const SIZES: Readonly<Record<string, number>> = {
  "heading-0": 30,
  "heading-1": 24,
  "heading-2": 20,
  "heading-3": 18,
  "heading-4": 16,
  heading: 16,
  normal: 14,
  notation: 12,
  "xxxx-large": 30,
  "xxx-large": 24,
  "xx-large": 20,
  "x-large": 18,
  large: 16,
  medium: 14,
  small: 12,
  "x-small": 10,
};
const ALIGN = ["left", "center", "right"];

/** A card text (`plain_text`, `lark_md` or `markdown`) in the reader's language, with its size, colour and line limit. */
export function drawText(text: unknown, scene: CardScene, extraClass = ""): HTMLElement {
  const node = asObject(text) ?? {};
  const content = pickText(text, scene.language, scene.locales);
  const isMarkdown = node.tag === "lark_md" || node.tag === "markdown";
  const align = asString(node.text_align);
  const lines = asNumber(node.lines);
  const element = make("div", {
    class: `text ${isMarkdown ? "markdown" : "plain"} ${extraClass}`.trim(),
    style: {
      "font-size": fontSize(asString(node.text_size), scene),
      color: colourOf(asString(node.text_color), scene),
      "text-align": align && ALIGN.includes(align) ? align : undefined,
      "--lines": lines ? String(lines) : undefined,
    },
  });
  if (lines) element.classList.add("clamp");
  element.append(isMarkdown ? buildMarkdown(parseMarkdown(content), scene) : content);
  return element;
}

/** A text's words alone, for labels and accessible names. */
export function textOf(text: unknown, scene: CardScene): string {
  return pickText(text, scene.language, scene.locales);
}

/** A text size name, own sizes of `config.style.text_size` included, as CSS; undefined keeps the surroundings' size. */
export function fontSize(name: string | undefined, scene: CardScene): string | undefined {
  if (!name) return undefined;
  const own = asObject(asObject(scene.style.text_size)?.[name]);
  const resolved = own ? (asString(own[scene.narrow ? "mobile" : "pc"]) ?? asString(own.default)) : name;
  const px = lookUp(SIZES, resolved);
  return px ? `${px}px` : undefined;
}

/** A colour name, own colours of `config.style.color` included; those follow the look by themselves. */
export function colourOf(
  name: string | undefined,
  scene: { readonly style: JsonObject },
  bareStep?: 50 | 100 | 200 | 500 | 600,
): string | undefined {
  const own = asObject(asObject(scene.style.color)?.[name ?? ""]);
  if (!own) return cssColour(name, bareStep);
  const light = cssColour(asString(own.light_mode), bareStep);
  const dark = cssColour(asString(own.dark_mode), bareStep);
  return light && dark ? `light-dark(${light}, ${dark})` : (light ?? dark);
}

/** Colour of a block's ground or border; the word "default" leaves it as it is. */
export function groundOf(
  name: unknown,
  scene: { readonly style: JsonObject },
  bareStep: 50 | 100 | 200,
): string | undefined {
  return name === "default" ? undefined : colourOf(asString(name), scene, bareStep);
}
