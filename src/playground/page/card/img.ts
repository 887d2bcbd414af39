import { icon } from "../icons.ts";
import { make } from "../make.ts";
import { openPopup } from "../popup.ts";
import { asFlag, asObjects, asString, asStrings, type JsonObject } from "../read-json.ts";
import { act, canAct } from "./act.ts";
import { holdValue } from "./field-control.ts";
import { cssRadius } from "./lengths.ts";
import type { CardScene, DrawComponent } from "./scene.ts";
import { drawText, textOf } from "./text.ts";

const NAMED_SIZES = ["large", "medium", "small", "tiny", "stretch", "stretch_without_padding"];

/** Feishu component `img`; a tap shows it large unless `preview` is off. */
export const imgComponent: DrawComponent = (node, scene) => {
  const alt = textOf(node.alt, scene);
  const size = asString(node.size) ?? asString(node.mode) ?? "stretch";
  const exact = /^(\d{1,3})px (\d{1,3})px$/.exec(size);
  const picture = drawPicture(asString(node.img_key) ?? "", alt, scene);
  picture.classList.add(asString(node.scale_type) ?? "crop_center");
  const frame = make("span", {
    class: `img-frame ${NAMED_SIZES.includes(size) ? size : "stretch"}${asFlag(node.transparent) ? "" : " with-ground"}`,
    style: {
      "border-radius": cssRadius(node.corner_radius),
      width: exact ? `${exact[1]}px` : undefined,
      height: exact ? `${exact[2]}px` : undefined,
    },
  });
  if (node.preview === false) frame.append(picture);
  else frame.append(zoomable(picture, alt, scene));
  return make("div", "img", node.title ? drawText(node.title, scene) : undefined, frame);
};

/** Feishu component `img_combination`: several pictures as one block. */
export const imgCombinationComponent: DrawComponent = (node, scene) =>
  make(
    "div",
    {
      class: `img-grid ${asString(node.combination_mode) ?? "bisect"}`,
      style: { "border-radius": cssRadius(node.corner_radius) },
    },
    ...asObjects(node.img_list).map((image) =>
      zoomable(drawPicture(asString(image.img_key) ?? "", scene.words.image, scene), scene.words.image, scene),
    ),
  );

/** Feishu component `select_img`: choosing among pictures. */
export const selectImgComponent: DrawComponent = (node, scene) => {
  const isMany = asFlag(node.multi_select);
  const isDisabled = asFlag(node.disabled);
  const element = make("div", {
    class: `img-grid select ${asString(node.layout) ?? "bisect"}`,
    attrs: { role: "group", tabindex: -1 },
  });
  const boxes = asObjects(node.options).map((option) => pictureChoice(option, scene, isDisabled));
  const show = (values: readonly string[]): void => {
    for (const box of boxes) box.button.setAttribute("aria-pressed", String(values.includes(box.value)));
  };
  const held = holdValue<readonly string[]>({
    node,
    scene,
    element,
    initial: asStrings(node.selected_values),
    isEmpty: (values) => values.length === 0,
    show,
  });
  for (const { button, value } of boxes) {
    button.addEventListener("click", () => {
      const others = held.get().filter((each) => each !== value);
      const next = isMany ? (others.length === held.get().length ? [...others, value] : others) : [value];
      held.set(next);
      show(next);
      if (!scene.form && canAct(node)) void act(node, isMany ? { options: next } : { option: value }, button, scene);
    });
  }
  element.append(...boxes.map((box) => box.button));
  return element;
};

function pictureChoice(
  option: JsonObject,
  scene: CardScene,
  isDisabled: boolean,
): { button: HTMLElement; value: string } {
  const picture = drawPicture(
    asString(option.img_key) ?? "",
    textOf(option.hover_tips, scene) || scene.words.image,
    scene,
  );
  const button = make(
    "button",
    { class: "img-choice", attrs: { type: "button", disabled: isDisabled || asFlag(option.disabled) } },
    picture,
    icon("check"),
  );
  return { button, value: asString(option.value) ?? "" };
}

function drawPicture(imageKey: string, alt: string, scene: CardScene): HTMLImageElement {
  const picture = make("img", { attrs: { src: scene.imageUrl(imageKey), alt, loading: "lazy" } });
  picture.addEventListener("error", () => {
    picture.replaceWith(make("span", "img-failed", icon("image"), make("span", {}, alt || scene.words.imageFailed)));
  });
  return picture;
}

function zoomable(picture: HTMLImageElement, alt: string, scene: CardScene): HTMLElement {
  const button = make(
    "button",
    { class: "img-zoom", attrs: { type: "button", "aria-label": alt || scene.words.image } },
    picture,
  );
  button.addEventListener("click", () => {
    const large = make("img", { class: "img-large", attrs: { src: picture.src, alt } });
    openPopup(button, alt || scene.words.image, large).dialog.classList.add("lightbox");
  });
  return button;
}
