/** What a line of markdown is, as far as cutting and counting need to know. */
export type MarkdownLine = {
  /** The line with its line feed, if it has one: all lines joined are the source. */
  readonly text: string;
  /** Stands inside a code fence, the fence's own two lines included. */
  readonly code: boolean;
  /** Number of the code block the line belongs to, from 1; 0 outside of code. */
  readonly block: number;
  /** The line that opened the fence this line stands in, e.g. "```ts". */
  readonly opener: string | undefined;
  /** Number of the table the line belongs to, from 1; 0 outside of tables. */
  readonly table: number;
};

/** Longer marks than this are not met in earnest. */
const FENCE = /^ {0,3}(`{3,20}|~{3,20})(.*)$/;
const DELIMITER_ROW = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** Reads markdown line by line: which lines are code, which belong to which table. */
export function readMarkdownLines(source: string): MarkdownLine[] {
  const raw = source.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const lines: MarkdownLine[] = [];
  let fence: { mark: string; opener: string } | undefined;
  let table = 0;
  let tables = 0;
  let blocks = 0;
  raw.forEach((text, index) => {
    const bare = text.replace(/\n$/, "");
    const mark = FENCE.exec(bare);
    if (fence) {
      lines.push({ text, code: true, block: blocks, opener: fence.opener, table: 0 });
      if (mark?.[1]?.startsWith(fence.mark) && mark[2]?.trim() === "") fence = undefined;
      return;
    }
    // A backtick fence may have no backtick in its info string, otherwise it is inline code.
    if (mark?.[1] && !(mark[1].startsWith("`") && mark[2]?.includes("`"))) {
      fence = { mark: mark[1], opener: bare };
      table = 0;
      blocks++;
      lines.push({ text, code: true, block: blocks, opener: bare, table: 0 });
      return;
    }
    if (table > 0 && bare.trim() === "") table = 0;
    if (table === 0 && bare.includes("|") && isDelimiterRow(raw[index + 1])) table = ++tables;
    lines.push({ text, code: false, block: 0, opener: undefined, table });
  });
  return lines;
}

/** The line that closes a fence opened by `opener`. */
export function closingFence(opener: string): string {
  return FENCE.exec(opener)?.[1] ?? "```";
}

function isDelimiterRow(line: string | undefined): boolean {
  return DELIMITER_ROW.test(line?.replace(/\n$/, "") ?? "");
}

/** Whether text that begins like this would open or close a fence. */
export function looksLikeFence(text: string): boolean {
  return FENCE.test(text.split("\n", 1)[0] ?? "");
}
