/** A JSON object of unknown shape: card elements come from outside, so every field is asked for what it is. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** The objects of an array; anything else in it is left out. */
export function asObjects(value: unknown): JsonObject[] {
  return asArray(value)
    .map(asObject)
    .filter((each) => each !== undefined);
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asString(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The strings of an array; anything else in it is left out. */
export function asStrings(value: unknown): string[] {
  return asArray(value).filter((each) => typeof each === "string");
}

export function asNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** True for `true` and for the text `"true"`: cards made from templates carry both. */
export function asFlag(value: unknown): boolean {
  return value === true || value === "true";
}
