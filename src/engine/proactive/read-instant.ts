import { DateTime } from "luxon";

/**
 * An instant as a model writes it: ISO 8601, in the zone given when it names no offset. Undefined when it cannot be read
 * or lies outside of any time a person makes plans for.
 */
export function readInstant(text: string, zone: string): Date | undefined {
  const iso = text.trim().replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d)/u, "$1T$2");
  const read = DateTime.fromISO(iso, { zone });
  if (!read.isValid || read.year < 2000 || read.year > 2200) return undefined;
  return read.toJSDate();
}
