import { withoutTurning } from "../engine/clean-text.ts";
import { maskSecrets } from "../engine/mask-secrets.ts";

/**
 * The last door: every string that leaves for the platform has no lone surrogates and no NUL (both make calls fail), no
 * sign that turns the direction of a text, and no secret. Ids and values of buttons pass unchanged: `value` objects are ours and hold opaque ids only.
 */
export function cleanOutgoing<T>(content: T): T {
  return clean(content) as T;
}

function clean(value: unknown, key = ""): unknown {
  if (typeof value === "string") {
    const whole = value.toWellFormed().replaceAll("\u0000", "");
    return UNTOUCHED.has(key) ? whole : maskSecrets(withoutTurning(whole));
  }
  if (Array.isArray(value)) return value.map((each) => clean(each));
  if (value === null || typeof value !== "object" || key === "value") return value;
  const cleaned: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value)) cleaned[name] = clean(each, name);
  return cleaned;
}

/** Properties that hold ids or vocabulary of the platform, not text for people. */
const UNTOUCHED = new Set([
  "tag",
  "element_id",
  "img_key",
  "token",
  "color",
  "template",
  "card_id",
  "name",
  "width",
  "type",
]);
