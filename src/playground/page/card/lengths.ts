import { lookUp } from "../look-up.ts";

const SPACINGS: Readonly<Record<string, string>> = { small: "4px", medium: "8px", large: "12px", extra_large: "16px" };
const LENGTHS = /^(?:-?\d{1,2}(?:\.\d+)?px|0)(?: (?:-?\d{1,2}(?:\.\d+)?px|0)){0,3}$/;

/** A card's padding, margin or spacing as CSS; undefined for anything that is none, so that the default stays. */
export function cssLengths(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  return lookUp(SPACINGS, text) ?? (LENGTHS.test(text) ? text : undefined);
}

/** Width of a control: `fill`, `default` or `auto`, or pixels from 1 to 9999. */
export function cssWidth(value: unknown): string | undefined {
  if (value === "fill") return "100%";
  const text = typeof value === "string" ? value.trim() : "";
  return /^\d{1,4}px$/.test(text) ? text : undefined;
}

/** A corner's radius: pixels or a percentage. */
export function cssRadius(value: unknown): string | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  return /^\d{1,3}(?:px|%)$/.test(text) ? text : undefined;
}
