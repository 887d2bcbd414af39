/** How much of a message a document takes. */
export interface CutLimits {
  chars: number;
  codeLines: number;
}

export interface CutText {
  text: string;
  /** The whole was too long. */
  cut: boolean;
  codeBlocks: number;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * A message as a document shows it: long code blocks keep their first lines, a long text its beginning and its end (the
 * end is where people say what they want). Never cuts inside a character; closes the fence it cuts in.
 */
export function cutMessage(text: string, limits: CutLimits): CutText {
  if (text.length <= limits.chars && !text.includes("```") && !text.includes("~~~")) {
    return { text, cut: false, codeBlocks: 0 };
  }
  const { lines, codeBlocks } = cutCode(text.split("\n"), limits.codeLines);
  const shorter = codeBlocks > 0 ? lines.join("\n") : text;
  if (shorter.length <= limits.chars) return { text: shorter, cut: false, codeBlocks };
  const ending = Math.floor(limits.chars / 4);
  const start = whole(shorter.slice(0, limits.chars - ending));
  const fences = start.split("\n").filter((line) => FENCE.test(line)).length;
  const close = fences % 2 === 1 ? "\n```" : "";
  return { text: `${start}${close}\n[…]\n${whole(shorter.slice(-ending))}`, cut: true, codeBlocks };
}

function cutCode(lines: readonly string[], most: number): { lines: string[]; codeBlocks: number } {
  const kept: string[] = [];
  let fence: string | undefined;
  let inside = 0;
  let codeBlocks = 0;
  for (const line of lines) {
    const mark = FENCE.exec(line)?.[1];
    const closes = fence !== undefined && mark?.startsWith(fence) === true;
    if (fence === undefined && mark) {
      fence = mark;
      inside = 0;
    } else if (closes) {
      fence = undefined;
    } else if (fence !== undefined && ++inside > most) {
      if (inside === most + 1) {
        codeBlocks++;
        kept.push("[…]");
      }
      continue;
    }
    kept.push(line);
  }
  return { lines: kept, codeBlocks };
}

/** Half a character at either end goes. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}
