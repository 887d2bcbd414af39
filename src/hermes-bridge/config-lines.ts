import { isDeepStrictEqual } from "node:util";
import { type Document, parseDocument } from "yaml";

/** What became of a text of Hermes' config.yaml. `broken` says where, for a person to repair. */
export type ConfigEdit =
  | { outcome: "edited"; text: string }
  | { outcome: "unchanged" }
  | { outcome: "broken"; line: number | undefined; why: string };

/** The edit by lines when it means exactly what is wanted, else the document as the library writes it. */
export function settled(byLines: string | undefined, wanted: Document): ConfigEdit {
  if (byLines !== undefined) {
    const doc = parseDocument(byLines);
    if (doc.errors.length === 0 && isDeepStrictEqual(doc.toJS() ?? {}, wanted.toJS() ?? {})) {
      return { outcome: "edited", text: byLines };
    }
  }
  return { outcome: "edited", text: wanted.toString({ lineWidth: 0 }) };
}

/** Where a node stands in the text. */
export function rangeOf(node: unknown): { start: number; end: number } | undefined {
  const range = (node as { range?: [number, number, number] | null } | undefined)?.range;
  return range ? { start: range[0], end: range[1] } : undefined;
}

/** The whole lines from `start` to `end`, with their line break. */
export function lineAround(text: string, start: number, end: number): { start: number; end: number; text: string } {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const to = text.indexOf("\n", end);
  return { start: from, end: to < 0 ? text.length : to + 1, text: text.slice(from, to < 0 ? undefined : to) };
}

/** The text with `put` in place of what stands from `from` to `to`. */
export function splice(text: string, from: number, to: number, put: string): string {
  return text.slice(0, from) + put + text.slice(to);
}
