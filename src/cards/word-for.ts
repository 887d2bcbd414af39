import { cutText } from "./cut-text.ts";
import { cleanText } from "./escape.ts";

/** The word of a table for a stored key; a key that came after this release shows as it is. */
export function wordFor(table: Readonly<Record<string, string>>, key: string): string {
  return (Object.hasOwn(table, key) ? table[key] : undefined) ?? cutText(cleanText(key), 60);
}
