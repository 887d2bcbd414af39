import type { PageLanguage } from "../page-api.ts";

/** What this browser remembers of its reader. */
export type Reader = {
  userId: string | undefined;
  /** The page's language when the reader chose one other than the person's. */
  language: PageLanguage | undefined;
  look: "light" | "dark" | "system";
  inspectorOpen: boolean;
  /** Newest message seen, by person and chat: `ou_… oc_…` to an instant. */
  seen: Record<string, string>;
};

const KEY = "herald-playground";
const FRESH: Reader = { userId: undefined, language: undefined, look: "system", inspectorOpen: true, seen: {} };

/** Reads what was remembered; a browser that remembers nothing gets the defaults. */
export function rememberedReader(): Reader {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return { ...FRESH, ...(typeof stored === "object" && stored !== null ? stored : {}) };
  } catch {
    return { ...FRESH };
  }
}

/** Remembers the reader; a browser that refuses storage simply forgets at the next visit. */
export function rememberReader(reader: Reader): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(reader));
  } catch {
    // Nothing to do: the page works without it.
  }
}
