import type { Ids } from "../../src/engine/ports.ts";

/** Ids a reader can follow: item_0001, item_0002 … and opaque ones of 32 hex digits. Sortable by the order of making. */
export function countedIds(start = 0): Ids {
  let count = start;
  return {
    id(prefix) {
      count += 1;
      return `${prefix}_${String(count).padStart(4, "0")}`;
    },
    opaque() {
      count += 1;
      return count.toString(16).padStart(32, "0");
    },
  };
}
