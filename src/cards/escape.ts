/** U+0000, other invisible controls except tab and line feed, and the marks that reverse or isolate writing direction. */
const INVISIBLE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\uFEFF]/g;

/** Half of a surrogate pair without its other half: no UTF-8 exists for it. */
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/**
 * Text that is safe to put into JSON and to show: carriage returns become line feeds; lone surrogates, U+0000, other
 * controls and direction overrides are taken out. Enough for `plain_text`, which Feishu never parses. Idempotent.
 */
export function cleanText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(INVISIBLE, "").replace(LONE_SURROGATE, "");
}

/**
 * A person's or a model's text for use inside a `markdown` element: shown literally, so it makes no link, no mention, no
 * table, no list, no tag. Everything ASCII that is neither letter, digit nor space becomes an HTML entity (Feishu: markdown
 * component, escaping of special characters); line breaks become `<br>` because a single one is soft in markdown.
 */
export function escapeMarkdown(text: string): string {
  return cleanText(text)
    .replace(/[!-/:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/\t/g, "  ")
    .replace(/(^|\n)( +)/g, (_, start: string, spaces: string) => start + "&nbsp;".repeat(spaces.length))
    .replace(/\n/g, "<br>");
}

/**
 * Text for a plain text message. Feishu reads tags (mentions among them), `**bold**` and `[links](…)` in those, too (Feishu:
 * content of sent messages, text), and knows no escape for them: what would be read so is written with full-width signs.
 */
export function escapeMessageText(text: string): string {
  return cleanText(text)
    .replace(/<(?=\s*\/?\s*(?:at|a|b|i|u|s)\b)/gi, "＜")
    .replace(/\*\*/g, "＊＊")
    .replace(/\]\(/g, "]（");
}
