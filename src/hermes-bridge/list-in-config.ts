import { type Document, isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";
import { type ConfigEdit, lineAround, rangeOf, settled, splice } from "./config-lines.ts";

/** plugins.enabled or plugins.disabled */
export type PluginList = "enabled" | "disabled";

/** Whether a plugin stands in one of the lists; undefined when the text cannot be read. */
export function isListed(text: string, list: PluginList, name: string): boolean | undefined {
  const read = readConfigText(text, list);
  return "broken" in read ? undefined : read.seq !== undefined && indexOf(read.seq, name) >= 0;
}

/**
 * Adds a plugin to a list of config.yaml. Every other character of the text stays as it is; only where the place cannot be
 * found by its lines is the document written anew, with its comments.
 */
export function addToList(text: string, list: PluginList, name: string): ConfigEdit {
  const read = readConfigText(text, list);
  if ("broken" in read) return read.broken;
  const { doc, plugins, seq } = read;
  if (seq && indexOf(seq, name) >= 0) return { outcome: "unchanged" };
  const wanted = parseDocument(text);
  if (seq) wanted.addIn(["plugins", list], name);
  else if (plugins) wanted.setIn(["plugins", list], [name]);
  else wanted.set("plugins", { [list]: [name] });
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const byLines = seq
    ? withItem(text, seq, name, end)
    : plugins
      ? withList(text, plugins, list, name, end)
      : doc.has("plugins")
        ? undefined
        : `${text}${text === "" || text.endsWith("\n") ? "" : end}plugins:${end}  ${list}:${end}    - ${name}${end}`;
  return settled(byLines, wanted);
}

/** Takes a plugin out of a list; the list goes with its last entry when it held nothing else. */
export function takeFromList(text: string, list: PluginList, name: string): ConfigEdit {
  const read = readConfigText(text, list);
  if ("broken" in read) return read.broken;
  const { plugins, seq } = read;
  const index = seq ? indexOf(seq, name) : -1;
  if (!seq || !plugins || index < 0) return { outcome: "unchanged" };
  const wanted = parseDocument(text);
  const whole = seq.items.length === 1 && !seq.flow;
  const onlyPart = plugins.items.length === 1;
  if (whole) wanted.deleteIn(onlyPart ? ["plugins"] : ["plugins", list]);
  else wanted.deleteIn(["plugins", list, index]);
  const byLines = whole
    ? withoutPair(text, onlyPart ? pairOf(read.root, "plugins") : pairOf(plugins, list), seq)
    : withoutItem(text, seq, index);
  if (byLines !== undefined || !whole) return settled(byLines, wanted);
  // Something of the person's own, such as a comment, stands between: the list stays, empty.
  const emptied = parseDocument(text);
  emptied.deleteIn(["plugins", list, index]);
  return settled(undefined, emptied);
}

interface Read {
  doc: Document.Parsed;
  root: YAMLMap | undefined;
  plugins: YAMLMap | undefined;
  seq: YAMLSeq | undefined;
}

function readConfigText(text: string, list: PluginList): Read | { broken: ConfigEdit & { outcome: "broken" } } {
  const doc = parseDocument(text);
  const [error] = doc.errors;
  const broken = (why: string, line?: number) => ({ broken: { outcome: "broken" as const, line, why } });
  if (error)
    return broken(
      (error.message.split("\n")[0] ?? "").replace(/ at line \d+, column \d+:?$/, ""),
      error.linePos?.[0].line,
    );
  const root = doc.contents as unknown;
  if (root !== null && !isMap(root) && !(isScalar(root) && root.value === null))
    return broken("expected names with values");
  const rootMap = isMap(root) ? root : undefined;
  const plugins: unknown = rootMap?.get("plugins", true);
  if (plugins !== undefined && !isMap(plugins) && !isNothing(plugins)) return broken("plugins: expected a mapping");
  const seq: unknown = isMap(plugins) ? plugins.get(list, true) : undefined;
  if (seq !== undefined && !isSeq(seq) && !isNothing(seq)) return broken(`plugins.${list}: expected a list`);
  return { doc, root: rootMap, plugins: isMap(plugins) ? plugins : undefined, seq: isSeq(seq) ? seq : undefined };
}

function isNothing(node: unknown): boolean {
  return isScalar(node) && node.value === null;
}

function indexOf(seq: YAMLSeq, name: string): number {
  return seq.items.findIndex((item) => isScalar(item) && item.value === name);
}

function withItem(text: string, seq: YAMLSeq, name: string, end: string): string | undefined {
  const last = rangeOf(seq.items.at(-1));
  const own = rangeOf(seq);
  if (seq.flow && own) {
    if (last) return splice(text, last.end, last.end, `, ${name}`);
    return splice(text, own.end - 1, own.end - 1, name);
  }
  if (!last) return undefined;
  const line = lineAround(text, last.start, last.end);
  const lead = /^\s*-\s+/.exec(line.text)?.[0];
  if (lead === undefined) return undefined;
  const ended = text.slice(line.start, line.end).endsWith("\n");
  return splice(text, line.end, line.end, `${ended ? "" : end}${lead}${name}${end}`);
}

function withList(text: string, plugins: YAMLMap, list: PluginList, name: string, end: string): string | undefined {
  const first = rangeOf(plugins.items[0]?.key);
  if (!first || plugins.flow) return undefined;
  const line = lineAround(text, first.start, first.end);
  const indent = /^\s*/.exec(line.text)?.[0] ?? "";
  return splice(text, line.start, line.start, `${indent}${list}:${end}${indent}  - ${name}${end}`);
}

function withoutItem(text: string, seq: YAMLSeq, index: number): string | undefined {
  const item = rangeOf(seq.items[index]);
  if (!item) return undefined;
  if (seq.flow) {
    const before = rangeOf(seq.items[index - 1]);
    const after = rangeOf(seq.items[index + 1]);
    if (before) return splice(text, before.end, item.end, "");
    return splice(text, item.start, after?.start ?? item.end, "");
  }
  const line = lineAround(text, item.start, item.end);
  return splice(text, line.start, line.end, "");
}

/** Only when nothing but the names and the one entry stands there. */
function withoutPair(text: string, pair: Pair | undefined, seq: YAMLSeq): string | undefined {
  const key = rangeOf(pair?.key);
  const item = rangeOf(seq.items[0]);
  if (!key || !item) return undefined;
  const from = lineAround(text, key.start, key.end).start;
  const to = lineAround(text, item.start, item.end).end;
  const between = text.slice(from, to);
  return between.includes("#") ? undefined : splice(text, from, to, "");
}

function pairOf(map: YAMLMap | undefined, name: string): Pair | undefined {
  return map?.items.find(({ key }) => isScalar(key) && key.value === name);
}
