import { jsonColumn } from "../json-column.ts";
import { maskValue } from "../mask-value.ts";

/**
 * What an event leaves behind once nothing will act on it any more: the same without secrets and personal numbers. It is
 * kept for a while to tell repeats and to look into what went wrong, and neither needs them.
 */
export function keptPayload(payload: Readonly<Record<string, unknown>>): ReturnType<typeof jsonColumn> {
  return jsonColumn(maskValue(payload, { personal: true }) as object);
}
