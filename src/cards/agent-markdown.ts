import { cleanText } from "./escape.ts";
import { readMarkdownLines } from "./markdown-lines.ts";

/**
 * The agent's own markdown for a `markdown` element: headings, lists, tables and code are shown as such, and nothing in it
 * reaches further than text. Tags (mentions, links of the platform, colours) are shown literally, pictures become links
 * (Feishu takes no picture by its address), only http and https links stay links, a bare address is parted from the
 * characters after it (Feishu: otherwise the whole card fails), entities stay what was written. Code is left as it is, but
 * for mentions: where Feishu sees code, and where a card is cut, is not ours to say. To be split only afterwards: it grows
 * here.
 */
export function agentMarkdown(text: string): string {
  return readMarkdownLines(cleanText(text))
    .map((line) => (line.code ? withoutMentions(line.text) : outsideCode(line.text)))
    .join("");
}

/**
 * Inline code is left alone, the rest made harmless. A run of backticks ends with one of the same length; one behind a
 * backslash begins nothing.
 */
function outsideCode(line: string): string {
  let result = "";
  let rest = line;
  for (;;) {
    const mark = /(?<!`)(?<!\\)(?:\\\\)*(`+)/d.exec(rest);
    const [from, until] = mark?.indices?.[1] ?? [];
    if (from === undefined || until === undefined) return result + harmless(rest);
    const end = closing(rest, rest.slice(from, until), until);
    if (end < 0) return result + harmless(rest);
    result += harmless(rest.slice(0, from)) + withoutMentions(rest.slice(from, end));
    rest = rest.slice(end);
  }
}

function closing(text: string, mark: string, from: number): number {
  for (let at = text.indexOf(mark, from); at >= 0; ) {
    const run = /^`+/.exec(text.slice(at))?.[0].length ?? 0;
    if (run === mark.length) return at + run;
    at = text.indexOf(mark, at + run);
  }
  return -1;
}

/** An invisible sign parts what would be a mention (Feishu: `at` and `person` tags). */
function withoutMentions(code: string): string {
  return code.replace(/<(?=\/?(?:at|person)\b)/gi, "<\u2060");
}

const WEB = /^https?:\/\//i;

function harmless(text: string): string {
  return (
    text
      .replace(/&(?=#?\w{1,10};?)/g, "&#38;")
      .replace(/<(?=[A-Za-z/!?])/g, "&#60;")
      .replace(/!\[([^[\]\n]{0,500})\]\(([^()\s]{0,2000})[^()\n]{0,200}\)/g, (_all, alt: string, target: string) =>
        link(alt || fileName(target), target),
      )
      .replace(
        /(?<!!)\[([^[\]\n]{0,500})\]\(([^()\s]{0,2000})(?:\s[^()\n]{0,200})?\)/g,
        (_all, label: string, target: string) => link(label, target),
      )
      // What is left may still be one: brackets in its label, parentheses in its target, code in between, a definition.
      .replace(/\](?=\((?!https?:\/\/))/gi, "&#93;")
      .replace(/^( {0,3}\[[^\]\n]{1,500}\]):(?!\s*https?:\/\/)/gi, "$1&#58;")
      .replace(/(https?:\/\/[\x21-\x27\x2a-\x7e]+)(?=[^\x00-\x7f])/g, "$1 ")
  );
}

function link(label: string, target: string): string {
  if (WEB.test(target)) return `[${label || target}](${target})`;
  return target === "" || target === label ? label : `${label} (${target})`;
}

function fileName(target: string): string {
  return target.split(/[\\/]/).at(-1) ?? "";
}
