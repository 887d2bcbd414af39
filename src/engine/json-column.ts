import { DbNull } from "@prisma/client/runtime/client";
import type { Prisma } from "../generated/sqlite/client.ts";
import { cleanJson } from "./clean-text.ts";

/** A value for a JSON column that must hold something: cleaned, instants as ISO text. */
export function jsonColumn(value: object | string | number | boolean): Prisma.InputJsonValue {
  return cleanJson(value) as Prisma.InputJsonValue;
}

/** The same as text, for statements of our own. */
export function jsonText(value: object | string | number | boolean): string {
  const text = JSON.stringify(value);
  // What has to be cleaned out shows as an escape; nearly always there is none, and no copy is made.
  return /\\u(?:0000|d[89a-f])/i.test(text) ? JSON.stringify(cleanJson(value)) : text;
}

/** The same for a column that may be empty: null and undefined become the database's NULL, not JSON's. */
export function jsonColumnOrNull(
  value: object | string | number | boolean | null | undefined,
): Prisma.InputJsonValue | typeof DbNull {
  return value === null || value === undefined ? DbNull : jsonColumn(value);
}
