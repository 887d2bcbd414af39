import { isDeepStrictEqual } from "node:util";
import { type Document, isMap, parseDocument, stringify, type YAMLMap } from "yaml";
import { type ConfigEdit, lineAround, rangeOf, settled, splice } from "./config-lines.ts";

type Entry = Readonly<Record<string, string | boolean>>;

/**
 * Puts an entry (a few names with values) at a path of config.yaml where nothing stands there: a person's own choice stays.
 * Every other character stays as it is where the place can be found by its lines. A text that cannot be read, or has something
 * else than names on the way, is left alone: nothing depends on the entry.
 */
export function putInConfig(text: string, path: readonly string[], entry: Entry): ConfigEdit {
  const doc = parseDocument(text);
  if (doc.errors.length > 0 || !isOpenWay(doc, path) || doc.hasIn(path)) return { outcome: "unchanged" };
  const wanted = parseDocument(text);
  wanted.setIn(path, wanted.createNode(entry));
  return settled(addedByLines(text, doc, path, entry), wanted);
}

/** Takes the entry away where it is as it was put, with the names that held nothing else. */
export function takeOutOfConfig(text: string, path: readonly string[], entry: Entry): ConfigEdit {
  const doc = parseDocument(text);
  if (doc.errors.length > 0 || !isOpenWay(doc, path)) return { outcome: "unchanged" };
  const found: unknown = doc.getIn(path);
  if (!isMap(found) || !isDeepStrictEqual(found.toJS(doc), entry)) return { outcome: "unchanged" };
  let length = path.length;
  while (length > 1 && mapAt(doc, path.slice(0, length - 1))?.items.length === 1) length -= 1;
  const whole = path.slice(0, length);
  const wanted = parseDocument(text);
  wanted.deleteIn(whole);
  return settled(removedByLines(text, doc, whole), wanted);
}

/** Only names with values, or nothing at all, on the way there. */
function isOpenWay(doc: Document.Parsed, path: readonly string[]): boolean {
  if (doc.contents !== null && !isMap(doc.contents)) return false;
  return path.slice(0, -1).every((_, i) => {
    const node: unknown = doc.getIn(path.slice(0, i + 1), true);
    return node === undefined || isMap(node);
  });
}

function mapAt(doc: Document.Parsed, path: readonly string[]): YAMLMap | undefined {
  const node: unknown = path.length === 0 ? doc.contents : doc.getIn(path, true);
  return isMap(node) ? node : undefined;
}

function addedByLines(text: string, doc: Document.Parsed, path: readonly string[], entry: Entry): string | undefined {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  let depth = path.length - 1;
  while (depth > 0 && mapAt(doc, path.slice(0, depth)) === undefined) depth -= 1;
  const block = (indent: string): string =>
    linesOf(path.slice(depth), entry)
      .map((line) => `${indent}${line}${end}`)
      .join("");
  if (depth === 0) return `${text}${text === "" || text.endsWith("\n") ? "" : end}${block("")}`;
  const map = mapAt(doc, path.slice(0, depth));
  const first = rangeOf(map?.items[0]?.key);
  if (map?.flow || first === undefined) return undefined;
  const line = lineAround(text, first.start, first.end);
  return splice(text, line.start, line.start, block(/^\s*/.exec(line.text)?.[0] ?? ""));
}

function linesOf(path: readonly string[], entry: Entry): string[] {
  const nested = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), entry);
  // Quoted, because older readers of YAML take a bare off for false.
  return stringify(nested, { defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" }).trimEnd().split("\n");
}

function removedByLines(text: string, doc: Document.Parsed, path: readonly string[]): string | undefined {
  const parent = mapAt(doc, path.slice(0, -1));
  const pair = parent?.items.find((item) => String(item.key) === path.at(-1));
  const key = rangeOf(pair?.key);
  const value = rangeOf(pair?.value);
  if (parent?.flow || key === undefined || value === undefined) return undefined;
  const from = lineAround(text, key.start, key.end).start;
  // A block's range ends behind its last line break.
  const to = text[value.end - 1] === "\n" ? value.end : lineAround(text, value.end, value.end).end;
  return text.slice(from, to).includes("#") ? undefined : splice(text, from, to, "");
}
