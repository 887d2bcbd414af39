import { parseInline } from "./parse-inline.ts";
import type { Align, Block } from "./tree.ts";

const SEPARATOR = /^ {0,3}\|?[ ]*:?-+:?[ ]*(?:\|[ ]*:?-+:?[ ]*)*\|?[ ]*$/;

/** A GFM table at line `at`: a head row, a row of dashes with as many cells, then rows until a blank line. */
export function parseTable(lines: readonly string[], at: number): { block: Block; end: number } | undefined {
  const head = lines[at] ?? "";
  const rule = lines[at + 1] ?? "";
  if (!head.includes("|") || !SEPARATOR.test(rule)) return undefined;
  const titles = cellsOf(head);
  const marks = cellsOf(rule);
  if (titles.length !== marks.length) return undefined;

  const rows: string[][] = [];
  let end = at + 2;
  for (; end < lines.length && (lines[end] ?? "").includes("|"); end += 1) {
    const cells = cellsOf(lines[end] ?? "");
    rows.push(titles.map((_, column) => cells[column] ?? ""));
  }
  return {
    block: {
      kind: "table",
      align: marks.map(alignOf),
      head: titles.map((cell) => parseInline(cell)),
      rows: rows.map((row) => row.map((cell) => parseInline(cell))),
    },
    end,
  };
}

function alignOf(mark: string): Align {
  if (mark.endsWith(":")) return mark.startsWith(":") ? "center" : "right";
  return "left";
}

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/\\\|/g, "|"));
}
