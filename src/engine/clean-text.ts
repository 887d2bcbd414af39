/**
 * Text as both databases and the platform take it: no NUL (PostgreSQL refuses it, SQLite libraries cut there), no lone
 * surrogates (refused as UTF-8). Everything else stays as it was written.
 */
export function cleanText(text: string): string {
  return wellFormed(text).replaceAll("\u0000", "");
}

/** Signs that turn the direction of what follows: with them a text can be made to read as something else. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/** Without signs that turn the direction of the text after them. Letters that run from right to left stay. */
export function withoutTurning(text: string): string {
  return text.replace(TURNING, "");
}

/** One line of at most `most` characters (code points), with an ellipsis when something was cut. */
export function oneLine(text: string, most: number): string {
  return cut(withoutTurning(text).replace(/\s+/gu, " ").trim(), most);
}

/** Clean and at most `most` characters (code points); what was cut shows as an ellipsis, no character is split. */
export function cut(text: string, most: number): string {
  const clean = cleanText(text);
  if (clean.length <= most) return clean;
  const points = [...clean];
  return points.length <= most ? clean : `${points.slice(0, most - 1).join("")}…`;
}

/** A JSON value whose every string, keys included, is clean. */
export function cleanJson(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanJson);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, inner]) => inner !== undefined)
        .map(([key, inner]) => [cleanText(key), cleanJson(inner)]),
    );
  }
  return value;
}

function wellFormed(text: string): string {
  return text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, "\uFFFD");
}
