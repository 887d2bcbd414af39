import { decodeEntities, decodeEntity } from "./decode-entity.ts";
import { type Piece, pairEmphasis } from "./pair-emphasis.ts";
import { type FeishuTag, readTag } from "./read-tag.ts";
import { safeLink } from "./safe-link.ts";
import type { Inline } from "./tree.ts";

/** Beyond this nesting the text is shown as typed: a hostile text must not cost a stack. */
const MAX_DEPTH = 16;
const ESCAPABLE = /[!-/:-@[-`{-~]/;
const BARE_LINK = /^https?:\/\/[^\s<>"'`\u3000-\u303f\uff00-\uffef\u4e00-\u9fff]+/;

/**
 * Running text of Feishu markdown: CommonMark's emphasis, code, links and entities, plus Feishu's own tags.
 * Never throws; what it does not understand stays in the text as it was typed.
 * @param mayLink false inside a link's own text, where another link cannot be.
 */
export function parseInline(source: string, depth = 0, mayLink = true): Inline[] {
  if (depth > MAX_DEPTH) return [{ kind: "text", text: source }];
  const pieces: Piece[] = [];
  const lastLink = source.lastIndexOf("](");
  let text = "";
  const flush = (): void => {
    if (text) pieces.push({ node: { kind: "text", text } });
    text = "";
  };
  const add = (node: Inline): void => {
    flush();
    pieces.push({ node });
  };

  for (let at = 0; at < source.length; ) {
    const char = source[at] ?? "";
    const rest = source.slice(at);
    if (char === "\\") {
      const next = source[at + 1] ?? "";
      if (next === "\n") add({ kind: "break", hard: true });
      else text += ESCAPABLE.test(next) ? next : `\\${next}`;
      at += 2;
    } else if (char === "\n") {
      const hard = /(?: {2,})$/.test(text);
      text = text.replace(/ +$/, "");
      add({ kind: "break", hard });
      at += 1 + (/^ */.exec(source.slice(at + 1))?.[0].length ?? 0);
    } else if (char === "`") {
      const code = codeSpan(rest);
      if (code) add({ kind: "code", text: code.text });
      else text += /^`+/.exec(rest)?.[0] ?? char;
      at += code ? code.length : (/^`+/.exec(rest)?.[0].length ?? 1);
    } else if (char === "<") {
      const tag = readTag(rest);
      const auto = tag ? undefined : /^<(https?:\/\/[^\s<>]+)>/.exec(rest);
      if (tag) for (const node of fromTag(tag, depth)) add(node);
      else if (auto?.[1] && mayLink) add(linkTo(auto[1], [{ kind: "text", text: auto[1] }]));
      else text += char;
      at += tag ? tag.length : (auto?.[0].length ?? 1);
    } else if (char === "&") {
      const entity = decodeEntity(rest.slice(0, 12));
      text += entity ? entity.text : char;
      at += entity ? entity.length : 1;
    } else if (at < lastLink && (char === "[" || (char === "!" && source[at + 1] === "["))) {
      const found = bracket(rest, depth);
      if (found) add(found.node);
      else text += char;
      at += found ? found.length : 1;
    } else if (char === "h" && mayLink && !/[\p{L}\p{N}]$/u.test(text) && BARE_LINK.test(rest)) {
      const address = (BARE_LINK.exec(rest)?.[0] ?? "").replace(/[.,;:!?*_~)\]]+$/, "");
      add(linkTo(address, [{ kind: "text", text: address }]));
      at += address.length;
    } else if (char === "*" || char === "_" || (char === "~" && source[at + 1] === "~")) {
      flush();
      const run = new RegExp(`^\\${char}+`).exec(rest)?.[0] ?? char;
      pieces.push({ run, before: source[at - 1] ?? " ", after: source[at + run.length] ?? " " });
      at += run.length;
    } else {
      text += char;
      at += 1;
    }
  }
  flush();
  return pairEmphasis(pieces);
}

function codeSpan(rest: string): { text: string; length: number } | undefined {
  const fence = /^`+/.exec(rest)?.[0] ?? "`";
  const end = new RegExp(`(?<!\`)\`{${fence.length}}(?!\`)`, "g");
  end.lastIndex = fence.length;
  const close = end.exec(rest);
  if (!close) return undefined;
  const inner = rest.slice(fence.length, close.index).replace(/\n/g, " ");
  const text = /^ .*[^ ].* $/.test(inner) ? inner.slice(1, -1) : inner;
  return { text, length: close.index + fence.length };
}

/** `[text](address)` or `![alt](image key)`; the address must be http or https, otherwise only its text is shown. */
function bracket(rest: string, depth: number): { node: Inline; length: number } | undefined {
  const isImage = rest.startsWith("!");
  const label = balanced(rest, isImage ? 1 : 0);
  if (label === undefined) return undefined;
  const target = /^\(\s*(?:<([^<>\n]*)>|((?:[^\s()\\]|\\.|\((?:[^\s()])*\))*))(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/.exec(
    rest.slice(label.end),
  );
  if (!target) return undefined;
  const address = withoutBackslashes(target[1] ?? target[2] ?? "");
  const length = label.end + target[0].length;
  if (isImage) return { node: { kind: "image", imageKey: address, alt: withoutBackslashes(label.text) }, length };
  return { node: linkTo(address, parseInline(label.text, depth + 1, false)), length };
}

function linkTo(address: string, children: readonly Inline[]): Inline {
  const href = safeLink(address);
  const only = children[0];
  if (href) return { kind: "link", href, children };
  return children.length === 1 && only ? only : { kind: "colour", colour: "default", children };
}

function balanced(rest: string, from: number): { text: string; end: number } | undefined {
  let depth = 0;
  for (let at = from; at < rest.length && at < from + 1000; at += 1) {
    const char = rest[at];
    if (char === "\\") at += 1;
    else if (char === "[") {
      depth += 1;
      if (depth > MAX_DEPTH) return undefined;
    } else if (char === "]") {
      depth -= 1;
      if (depth === 0) return { text: rest.slice(from + 1, at), end: at + 1 };
    }
  }
  return undefined;
}

function withoutBackslashes(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, "$1");
}

function fromTag(tag: FeishuTag, depth: number): Inline[] {
  const { attributes } = tag;
  const plain = decodeEntities(tag.inner).trim();
  switch (tag.name) {
    case "br":
    case "hr": // inside running text there is no room for a rule; alone on its line it is a block
      return [{ kind: "break", hard: true }];
    case "font":
      return [{ kind: "colour", colour: attributes.color ?? "default", children: parseInline(tag.inner, depth + 1) }];
    case "text_tag":
      return [{ kind: "tag", colour: attributes.color ?? "neutral", text: plain }];
    case "number_tag":
      return [
        {
          kind: "number",
          text: plain,
          ground: attributes.background_color ?? "grey",
          colour: attributes.font_color ?? "white",
        },
      ];
    case "raw":
      return [{ kind: "text", text: tag.inner }];
    case "a":
    case "link": {
      const address = attributes.href ?? attributes.url ?? attributes.pc_url ?? plain;
      return [linkTo(address, parseInline(tag.inner || address, depth + 1, false))];
    }
    case "at":
      return [{ kind: "mention", openId: attributes.id ?? attributes.ids ?? attributes.email ?? "" }];
    case "person":
      return [
        {
          kind: "person",
          openId: attributes.id ?? "",
          showName: attributes.show_name !== "false",
          showAvatar: attributes.show_avatar !== "false",
          capsule: attributes.style === "capsule",
        },
      ];
    case "local_datetime": {
      const atMs = Number(attributes.millisecond);
      if (!Number.isFinite(atMs) || !attributes.millisecond) return [{ kind: "text", text: plain }];
      const href = safeLink(attributes.link);
      return [{ kind: "time", atMs, format: attributes.format_type ?? "date_num", ...(href ? { href } : {}) }];
    }
    case "audio":
      return [{ kind: "audio" }];
    default:
      return tag.name satisfies never;
  }
}
