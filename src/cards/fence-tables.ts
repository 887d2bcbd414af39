import { readMarkdownLines } from "./markdown-lines.ts";

/** Tables a piece of markdown holds, those inside code not counted. */
export function countTables(source: string): number {
  return readMarkdownLines(source).reduce((most, line) => Math.max(most, line.table), 0);
}

/**
 * Keeps the first `keep` tables and turns every further one into a code block, where it stays readable: a card with too
 * many tables is refused whole.
 */
export function fenceTables(source: string, keep: number): string {
  let result = "";
  let open = false;
  for (const line of readMarkdownLines(source)) {
    const asCode = line.table > keep;
    if (asCode && !open) result += `${lineBreak(result)}\`\`\`\n`;
    if (!asCode && open) result += `${lineBreak(result)}\`\`\`\n`;
    open = asCode;
    result += line.text;
  }
  return open ? `${result}${lineBreak(result)}\`\`\`` : result;
}

const lineBreak = (text: string): string => (text === "" || text.endsWith("\n") ? "" : "\n");
