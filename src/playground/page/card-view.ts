import { linkOf } from "./card/act.ts";
import { buttonComponent } from "./card/button.ts";
import { chartComponent } from "./card/chart.ts";
import { checkerComponent } from "./card/checker.ts";
import { columnSetComponent } from "./card/column-set.ts";
import { audioComponent, divComponent, hrComponent, markdownComponent, textComponent } from "./card/display.ts";
import { formComponent } from "./card/form.ts";
import { imgCombinationComponent, imgComponent, selectImgComponent } from "./card/img.ts";
import { inputComponent } from "./card/input.ts";
import { interactiveContainerComponent } from "./card/interactive-container.ts";
import { layOut } from "./card/layout.ts";
import { cssLengths } from "./card/lengths.ts";
import { panelComponent } from "./card/panel.ts";
import { personComponent, personListComponent } from "./card/person.ts";
import { datePickerComponent, dateTimePickerComponent, timePickerComponent } from "./card/pickers.ts";
import type { CardScene, DrawComponent } from "./card/scene.ts";
import { multiSelectComponent, overflowComponent, selectComponent } from "./card/select.ts";
import { tableComponent } from "./card/table.ts";
import { colourOf, drawText, textOf } from "./card/text.ts";
import { iconForToken } from "./icons.ts";
import { lookUp } from "./look-up.ts";
import { make } from "./make.ts";
import { tagPill } from "./markdown/build-markdown.ts";
import { hueOf } from "./palette.ts";
import { asArray, asObject, asObjects, asString, asStrings, type JsonObject } from "./read-json.ts";

/** Every component of Card JSON 2.0 this page draws. What is not here is shown as a red box, never left out. */
const COMPONENTS: Readonly<Record<string, DrawComponent>> = {
  audio: audioComponent,
  button: buttonComponent,
  chart: chartComponent,
  checker: checkerComponent,
  collapsible_panel: panelComponent,
  column_set: columnSetComponent,
  date_picker: datePickerComponent,
  div: divComponent,
  form: formComponent,
  hr: hrComponent,
  img: imgComponent,
  img_combination: imgCombinationComponent,
  input: inputComponent,
  interactive_container: interactiveContainerComponent,
  lark_md: textComponent,
  markdown: markdownComponent,
  multi_select_person: multiSelectComponent,
  multi_select_static: multiSelectComponent,
  overflow: overflowComponent,
  person: personComponent,
  person_list: personListComponent,
  picker_datetime: dateTimePickerComponent,
  picker_time: timePickerComponent,
  plain_text: textComponent,
  select_img: selectImgComponent,
  select_person: selectComponent,
  select_static: selectComponent,
  table: tableComponent,
};

/** Components inside containers are drawn at most this deep: the platform refuses more than five. */
const MAX_DEPTH = 24;

/** What a card needs from its surroundings; the rest of the scene is the card's own. */
export type CardSurroundings = Omit<CardScene, "draw" | "style" | "locales" | "form">;

/** Draws a whole card. */
export function drawCard(card: JsonObject, surroundings: CardSurroundings): HTMLElement {
  const config = asObject(card.config) ?? {};
  const body = asObject(card.body) ?? {};
  let depth = 0;
  const scene: CardScene = {
    ...surroundings,
    style: asObject(config.style) ?? {},
    locales: asStrings(config.locales),
    draw: (elements, inner) => {
      depth += 1;
      const drawn = depth > MAX_DEPTH ? [] : asArray(elements).map((element) => drawElement(element, inner));
      depth -= 1;
      return drawn;
    },
  };
  const width = asString(config.width_mode) ?? "default";
  const view = make("div", `card ${["compact", "fill"].includes(width) ? width : "default"}`);
  const header = asObject(card.header);
  if (header) view.append(drawHeader(header, scene));

  const main = make("div", "card-body");
  layOut(main, body);
  // A 1.0 card has its elements at the top; what it shares with 2.0 is drawn, the rest is named.
  main.append(...scene.draw(body.elements ?? card.elements, scene));
  if (main.childElementCount > 0) view.append(main);

  const link = linkOf(asObject(card.card_link) ?? {});
  if (link) makeLink(view, link);
  return view;
}

function drawHeader(header: JsonObject, scene: CardScene): HTMLElement {
  const template = asString(header.template);
  const hue = hueOf(template === "default" ? undefined : template);
  const icon = asObject(header.icon);
  const ownTags = asObject(header.i18n_text_tag_list)?.[scene.language];
  const tags = asObjects(ownTags ?? header.text_tag_list).slice(0, 3);
  const subtitle = textOf(header.subtitle, scene) ? drawText(header.subtitle, scene, "card-subtitle") : undefined;
  const title = drawText(header.title, scene, "card-title");
  title.setAttribute("role", "heading");
  title.setAttribute("aria-level", "3");
  return make(
    "div",
    {
      class: `card-header${hue ? " coloured" : ""}`,
      style: {
        "--header-ground": hue ? `var(--${hue}-100)` : undefined,
        "--header-text": hue ? `var(--${hue}-800)` : undefined,
        padding: cssLengths(header.padding),
        "--icon-colour": colourOf(asString(icon?.color), scene),
      },
    },
    icon && make("span", "card-icon", iconForToken(asString(icon.token))),
    make(
      "div",
      "card-titles",
      make(
        "div",
        "card-title-line",
        title,
        ...tags.map((tag) => tagPill(textOf(tag.text, scene), asString(tag.color))),
      ),
      subtitle,
    ),
  );
}

function drawElement(element: unknown, scene: CardScene): HTMLElement {
  const node = asObject(element);
  const tag = asString(node?.tag);
  const component = lookUp(COMPONENTS, tag);
  if (!node || !component) return problem(scene.words.unknownComponent(tag ?? scene.words.untaggedComponent));
  try {
    const drawn = component(node, scene);
    const margin = cssLengths(node.margin);
    if (margin) drawn.style.margin = margin;
    drawn.dataset.tag = tag;
    const id = asString(node.element_id);
    if (id) drawn.dataset.elementId = id;
    return drawn;
  } catch (error) {
    console.error(error);
    return problem(scene.words.brokenComponent(tag ?? ""));
  }
}

function problem(text: string): HTMLElement {
  return make("div", { class: "problem", attrs: { role: "note" } }, text);
}

function makeLink(view: HTMLElement, link: string): void {
  view.classList.add("active");
  view.addEventListener("click", (event) => {
    if ((event.target as Element).closest("button, a, input, select, textarea, label, [role=button]")) return;
    window.open(link, "_blank", "noopener,noreferrer");
  });
}
