import type { Block, Inline } from "./tree.ts";

/** The words of a parsed text without their dress, for summaries. */
export function plainBlocks(blocks: readonly Block[]): string {
  return blocks.map(plainBlock).filter(Boolean).join(" ");
}

function plainBlock(block: Block): string {
  switch (block.kind) {
    case "paragraph":
    case "heading":
      return plainInlines(block.children);
    case "quote":
      return plainBlocks(block.children);
    case "list":
      return block.items.map(plainBlocks).join(" ");
    case "code":
      return block.text;
    case "rule":
      return "";
    case "table":
      return [block.head, ...block.rows].flat().map(plainInlines).join(" ");
    default:
      return block satisfies never;
  }
}

function plainInlines(nodes: readonly Inline[]): string {
  return nodes.map(plainInline).join("");
}

function plainInline(node: Inline): string {
  switch (node.kind) {
    case "text":
    case "code":
    case "tag":
    case "number":
      return node.text;
    case "strong":
    case "em":
    case "strike":
    case "link":
    case "colour":
      return plainInlines(node.children);
    case "break":
      return " ";
    case "image":
      return node.alt;
    case "mention":
    case "person":
    case "time":
    case "audio":
      return "";
    default:
      return node satisfies never;
  }
}
