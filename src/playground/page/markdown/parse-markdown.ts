import { parseInline } from "./parse-inline.ts";
import { parseTable } from "./parse-table.ts";
import type { Block } from "./tree.ts";

/** Deeper quotes and lists than this are shown flat: a hostile text must not cost a stack. */
const MAX_DEPTH = 12;

const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|<hr\s*\/?>\s*)$/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const FENCE = /^( {0,3})(`{3,}|~{3,})[ \t]*([^`\n]*)$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(?:[ \t]+|$)/;

/**
 * Feishu: a 2.0 markdown component takes CommonMark without HTML blocks, plus tables and its own tags.
 * @returns a tree of plain data. Never throws, whatever the text.
 */
export function parseMarkdown(source: string): Block[] {
  return parseBlocks(source.replace(/\r\n?/g, "\n").replace(/\t/g, "    ").split("\n"), 0);
}

function parseBlocks(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const fence = FENCE.exec(line);
    const heading = HEADING.exec(line);
    if (line.trim() === "") {
      at += 1;
    } else if (fence) {
      const end = closingFence(lines, at, fence[2] ?? "```");
      const indent = new RegExp(`^ {0,${fence[1]?.length ?? 0}}`);
      const text = lines.slice(at + 1, end).map((each) => each.replace(indent, ""));
      blocks.push({ kind: "code", language: (fence[3] ?? "").trim().split(/\s/)[0] ?? "", text: text.join("\n") });
      at = end + 1;
    } else if (RULE.test(line)) {
      blocks.push({ kind: "rule" });
      at += 1;
    } else if (heading) {
      blocks.push({ kind: "heading", level: heading[1]?.length ?? 1, children: parseInline(heading[2] ?? "") });
      at += 1;
    } else if (QUOTE.test(line) && depth < MAX_DEPTH) {
      const end = endOfQuote(lines, at);
      const inner = lines.slice(at, end).map((each) => each.replace(QUOTE, ""));
      blocks.push({ kind: "quote", children: parseBlocks(inner, depth + 1) });
      at = end;
    } else if (ITEM.test(line) && depth < MAX_DEPTH) {
      const list = readList(lines, at, depth);
      blocks.push(list.block);
      at = list.end;
    } else if (/^ {4}/.test(line)) {
      let end = at;
      while (end < lines.length && /^( {4}|\s*$)/.test(lines[end] ?? "")) end += 1;
      const text = lines.slice(at, end).map((each) => each.slice(4));
      blocks.push({ kind: "code", language: "", text: text.join("\n").trimEnd() });
      at = end;
    } else {
      const table = parseTable(lines, at);
      if (table) {
        blocks.push(table.block);
        at = table.end;
        continue;
      }
      const end = endOfParagraph(lines, at, depth);
      const text = lines.slice(at, end).map((each) => each.trimStart());
      blocks.push({ kind: "paragraph", children: parseInline(text.join("\n").trimEnd()) });
      at = end;
    }
  }
  return blocks;
}

function closingFence(lines: readonly string[], open: number, mark: string): number {
  const close = new RegExp(`^ {0,3}\\${mark[0]}{${mark.length},}\\s*$`);
  for (let at = open + 1; at < lines.length; at += 1) if (close.test(lines[at] ?? "")) return at;
  return lines.length;
}

function endOfQuote(lines: readonly string[], start: number): number {
  let at = start;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const lazy = line.trim() !== "" && !startsBlock(line);
    if (!QUOTE.test(line) && !(at > start && lazy)) break;
    at += 1;
  }
  return at;
}

function endOfParagraph(lines: readonly string[], start: number, depth: number): number {
  let at = start + 1;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    if (line.trim() === "" || (startsBlock(line) && depth < MAX_DEPTH) || parseTable(lines, at)) break;
    at += 1;
  }
  return at;
}

function startsBlock(line: string): boolean {
  // An ordered list may interrupt a paragraph only when it starts with 1, so that a year at a line's start is no list.
  const item = ITEM.exec(line);
  const interrupts = item !== null && (!/^\d/.test(item[2] ?? "") || /^1[.)]/.test(item[2] ?? ""));
  return RULE.test(line) || HEADING.test(line) || FENCE.test(line) || QUOTE.test(line) || interrupts;
}

function readList(lines: readonly string[], start: number, depth: number): { block: Block; end: number } {
  const first = ITEM.exec(lines[start] ?? "");
  const marker = first?.[2] ?? "-";
  const kind = marker.at(-1) ?? "-";
  const items: (readonly Block[])[] = [];
  let tight = true;
  let at = start;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const item = ITEM.exec(line);
    if (!item || (item[2]?.at(-1) ?? "") !== kind || RULE.test(line)) break;
    const end = endOfItem(lines, at, item[0].length);
    const indent = Math.min(Math.max(item[0].length, 2), 4);
    const body = [line.slice(item[0].length), ...lines.slice(at + 1, end).map((each) => outdent(each, indent))];
    while (body.length > 1 && body.at(-1)?.trim() === "") body.pop();
    if (body.some((each, index) => index > 0 && each.trim() === "")) tight = false;
    items.push(parseBlocks(body, depth + 1));
    at = end;
  }
  const ordered = /^\d/.test(marker);
  return { block: { kind: "list", ordered, start: ordered ? Number.parseInt(marker, 10) : 1, tight, items }, end: at };
}

/** An item reaches on over indented lines, and over lazy lines of its last paragraph. */
function endOfItem(lines: readonly string[], start: number, width: number): number {
  let at = start + 1;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const isBlank = line.trim() === "";
    const indent = line.length - line.trimStart().length;
    const previousBlank = (lines[at - 1] ?? "").trim() === "";
    if (isBlank) {
      const nextLine = lines[skipBlank(lines, at)];
      const goesOn = nextLine !== undefined && nextLine.length - nextLine.trimStart().length >= Math.min(width, 2);
      if (!goesOn) return skipBlank(lines, at);
    } else if (indent < Math.min(width, 2) && (previousBlank || startsBlock(line) || ITEM.test(line))) {
      return at;
    }
    at += 1;
  }
  return at;
}

function skipBlank(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && (lines[at] ?? "").trim() === "") at += 1;
  return at;
}

function outdent(line: string, width: number): string {
  const indent = line.length - line.trimStart().length;
  return line.slice(Math.min(indent, width));
}
