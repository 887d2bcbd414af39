import { drawPerson } from "../card/person.ts";
import type { CardScene } from "../card/scene.ts";
import { formatLocal } from "../format-time.ts";
import { make } from "../make.ts";
import { cssColour, hueOf } from "../palette.ts";
import type { Block, Inline } from "./tree.ts";

/** The part of a card's surroundings that running text needs. */
export type TextScene = Pick<CardScene, "words" | "language" | "timeZone" | "person" | "imageUrl">;

/** Builds nodes from a parsed text. Data only ever becomes text nodes and checked attributes. */
export function buildMarkdown(blocks: readonly Block[], scene: TextScene): DocumentFragment {
  const fragment = document.createDocumentFragment();
  fragment.append(...blocks.map((block) => buildBlock(block, scene)));
  return fragment;
}

function buildBlock(block: Block, scene: TextScene): HTMLElement {
  switch (block.kind) {
    case "paragraph":
      return make("p", {}, ...inlines(block.children, scene));
    case "heading":
      return make(
        "p",
        { class: `heading h${block.level}`, attrs: { role: "heading", "aria-level": block.level + 2 } },
        ...inlines(block.children, scene),
      );
    case "quote":
      return make("blockquote", {}, buildMarkdown(block.children, scene));
    case "list": {
      const items = block.items.map((item) => make("li", {}, buildMarkdown(item, scene)));
      const names = block.tight ? "tight" : "loose";
      if (block.ordered) return make("ol", { class: names, attrs: { start: block.start } }, ...items);
      return make("ul", names, ...items);
    }
    case "code":
      return make(
        "figure",
        "code-block",
        block.language ? make("figcaption", {}, block.language) : undefined,
        make("pre", { attrs: { tabindex: 0 } }, make("code", {}, block.text)),
      );
    case "rule":
      return make("hr", "rule");
    case "table": {
      const cells = (row: readonly (readonly Inline[])[], tag: "th" | "td"): HTMLElement[] =>
        row.map((cell, column) => make(tag, { style: { "text-align": block.align[column] } }, ...inlines(cell, scene)));
      return make(
        "div",
        { class: "scroll-x", attrs: { tabindex: 0, role: "region", "aria-label": scene.words.chart } },
        make(
          "table",
          "grid",
          make("thead", {}, make("tr", {}, ...cells(block.head, "th"))),
          make("tbody", {}, ...block.rows.map((row) => make("tr", {}, ...cells(row, "td")))),
        ),
      );
    }
    default:
      return block satisfies never;
  }
}

function inlines(nodes: readonly Inline[], scene: TextScene): (Node | string)[] {
  return nodes.map((node) => buildInline(node, scene));
}

function buildInline(node: Inline, scene: TextScene): Node | string {
  switch (node.kind) {
    case "text":
      return node.text;
    case "strong":
      return make("strong", {}, ...inlines(node.children, scene));
    case "em":
      return make("em", {}, ...inlines(node.children, scene));
    case "strike":
      return make("s", {}, ...inlines(node.children, scene));
    case "code":
      return make("code", {}, node.text);
    case "link":
      return make(
        "a",
        { attrs: { href: node.href, target: "_blank", rel: "noopener noreferrer" } },
        ...inlines(node.children, scene),
      );
    case "colour":
      return make("span", { style: { color: cssColour(node.colour) } }, ...inlines(node.children, scene));
    case "tag":
      return tagPill(node.text, node.colour);
    case "number":
      return make(
        "span",
        { class: "number-tag", style: { background: numberGround(node.ground), color: cssColour(node.colour) } },
        node.text,
      );
    case "mention": {
      const name = node.openId === "all" ? scene.words.everyone : scene.person(node.openId)?.name;
      return make("span", "mention", `@${name ?? scene.words.unknownPerson}`);
    }
    case "person":
      return drawPerson(node.openId, scene, {
        showName: node.showName,
        showAvatar: node.showAvatar,
        capsule: node.capsule,
        size: "inline",
      });
    case "time": {
      const text = formatLocal(node.atMs, node.format, scene);
      const time = make("time", { attrs: { datetime: new Date(node.atMs).toISOString() } }, text);
      return node.href
        ? make("a", { attrs: { href: node.href, target: "_blank", rel: "noopener noreferrer" } }, time)
        : time;
    }
    case "image":
      return make("img", {
        class: "inline-image",
        attrs: { src: scene.imageUrl(node.imageKey), alt: node.alt, loading: "lazy" },
      });
    case "audio":
      return make("span", "mention", scene.words.audio);
    case "break":
      return make("br", node.hard ? "hard" : "soft");
    default:
      return node satisfies never;
  }
}

/** The small coloured label of headers and texts. */
export function tagPill(text: string, colour: string | undefined): HTMLElement {
  const hue = hueOf(colour) ?? "grey";
  return make("span", { class: "tag", style: { background: `var(--${hue}-100)`, color: `var(--${hue}-700)` } }, text);
}

/** A ground that white figures can be read on in both looks. */
function numberGround(colour: string): string | undefined {
  const hue = hueOf(colour);
  return hue ? `light-dark(var(--${hue}-600), var(--${hue}-400))` : cssColour(colour, 500);
}
