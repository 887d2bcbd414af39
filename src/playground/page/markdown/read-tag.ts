import { decodeEntities } from "./decode-entity.ts";

/** One of Feishu's own tags as it stands in a markdown text. */
export type FeishuTag = {
  readonly name: TagName;
  readonly attributes: Readonly<Record<string, string>>;
  /** What stands between the opening and the closing tag; empty for `<br>`, `<hr>` and self-closed tags. */
  readonly inner: string;
  /** Length in the source, closing tag included. */
  readonly length: number;
};

/** Feishu: the tags a 2.0 markdown component knows. Every other `<…>` is shown as it was typed. */
const TAG_NAMES = [
  "br",
  "hr",
  "person",
  "local_datetime",
  "at",
  "a",
  "text_tag",
  "raw",
  "link",
  "font",
  "number_tag",
  "audio",
] as const;
type TagName = (typeof TAG_NAMES)[number];

/** Tags that work without a closing one. */
const MAY_STAND_ALONE: readonly TagName[] = ["br", "hr", "at", "person", "local_datetime", "audio"];

const OPENING = /^<([a-z_]{1,14})((?:\s+[a-z_]{1,30}\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))*)\s*(\/?)>/;
const ATTRIBUTE = /([a-z_]{1,30})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/g;

/** Reads the tag that starts at the first character of `rest`, with all up to its closing tag. */
export function readTag(rest: string): FeishuTag | undefined {
  const opening = OPENING.exec(rest);
  if (!opening) return undefined;
  const [head, written, attributeText, selfClosed] = opening;
  const name = TAG_NAMES.find((known) => known === written);
  if (!name) return undefined;

  const attributes: Record<string, string> = {};
  for (const [, key, double, single, bare] of (attributeText ?? "").matchAll(ATTRIBUTE)) {
    if (key) attributes[key] = decodeEntities(double ?? single ?? (bare ?? "").replace(/\/$/, ""));
  }
  const alone = { name, attributes, inner: "", length: head.length };
  if (selfClosed === "/" || name === "br" || name === "hr") return alone;

  const end = closingAt(rest, head.length, name);
  if (end === undefined) return MAY_STAND_ALONE.includes(name) ? alone : undefined;
  return { name, attributes, inner: rest.slice(head.length, end), length: end + name.length + 3 };
}

/** Where the matching `</name>` begins; the same tag may be nested. */
function closingAt(rest: string, from: number, name: TagName): number | undefined {
  // Looked for plainly first: a text full of tags that never close must not cost a search each.
  if (!rest.includes(`</${name}`, from)) return undefined;
  const pattern = new RegExp(`<(/?)${name}(?=[\\s>])`, "g");
  pattern.lastIndex = from;
  let depth = 1;
  for (let match = pattern.exec(rest); match; match = pattern.exec(rest)) {
    depth += match[1] === "/" ? -1 : 1;
    if (depth === 0) return rest[match.index + name.length + 2] === ">" ? match.index : undefined;
  }
  return undefined;
}
