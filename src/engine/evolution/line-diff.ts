import { textAt } from "./snapshot.ts";
import type { TargetState } from "./target-files.ts";

export interface DiffLine {
  sign: "+" | "-" | " " | "@";
  text: string;
}

const CONTEXT = 2;
/** Longer texts are shown whole as taken away and added: the table of a comparison grows with the product. */
const MOST_LINES = 600;

/** Lines taken away and added, with two lines around each change; "@" begins another place. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const all = old.length * fresh.length > MOST_LINES * MOST_LINES ? wholly(old, fresh) : compared(old, fresh);
  const shown = all.map((_, at) =>
    all.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some((each) => each.sign !== " "),
  );
  const lines: DiffLine[] = [];
  all.forEach((line, at) => {
    if (!shown[at]) return;
    if (at > 0 && !shown[at - 1]) lines.push({ sign: "@", text: "…" });
    lines.push(line);
  });
  return lines;
}

/** The same over a whole target, file by file; links and modes are said in words of their own. */
export function stateDiff(before: TargetState, after: TargetState, name: string): DiffLine[] {
  const paths = [...new Set([...before, ...after].map((entry) => entry.path))].sort();
  return paths.flatMap((path): DiffLine[] => {
    const [old, fresh] = [before, after].map((state) => state.find((entry) => entry.path === path));
    const title: DiffLine = { sign: "@", text: path === "" ? name : `${name}/${path}` };
    if (old?.type === "link" || fresh?.type === "link") {
      if (old?.to === fresh?.to) return [];
      return [
        title,
        ...(old ? [line("-", `→ ${old.to ?? ""}`)] : []),
        ...(fresh ? [line("+", `→ ${fresh.to ?? ""}`)] : []),
      ];
    }
    if (old?.type === "dir" || fresh?.type === "dir") return [];
    const lines = lineDiff(textAt(before, path) ?? "", textAt(after, path) ?? "");
    const moded =
      old && fresh && old.mode !== fresh.mode ? [line("@", `${old.mode.toString(8)} → ${fresh.mode.toString(8)}`)] : [];
    return lines.length + moded.length > 0 ? [title, ...moded, ...lines] : [];
  });
}

function line(sign: DiffLine["sign"], text: string): DiffLine {
  return { sign, text };
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

function wholly(old: readonly string[], fresh: readonly string[]): DiffLine[] {
  return [...old.map((text) => line("-", text)), ...fresh.map((text) => line("+", text))];
}

/** By the longest common subsequence. */
function compared(old: readonly string[], fresh: readonly string[]): DiffLine[] {
  const width = fresh.length + 1;
  const longest = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      longest[i * width + j] =
        old[i] === fresh[j]
          ? (longest[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(longest[(i + 1) * width + j] ?? 0, longest[i * width + j + 1] ?? 0);
    }
  }
  const lines: DiffLine[] = [];
  for (let i = 0, j = 0; i < old.length || j < fresh.length; ) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      lines.push(line(" ", old[i] ?? ""));
      i++;
      j++;
    } else if (
      j >= fresh.length ||
      (i < old.length && (longest[(i + 1) * width + j] ?? 0) >= (longest[i * width + j + 1] ?? 0))
    ) {
      lines.push(line("-", old[i++] ?? ""));
    } else lines.push(line("+", fresh[j++] ?? ""));
  }
  return lines;
}
