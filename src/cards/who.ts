import { cutText } from "./cut-text.ts";
import { cleanText } from "./escape.ts";
import type { Write } from "./look.ts";

/** Who said or decided something. A person without a name is shown through Feishu's own person tag, by open id. */
export type Who =
  | { readonly kind: "you" }
  | { readonly kind: "agent" }
  | { readonly kind: "person"; readonly openId?: string; readonly name?: string };

const NAME_CHARS = 40;

/** The name as plain text. */
export function nameOf(who: Who): Write {
  switch (who.kind) {
    case "you":
      return (t) => t.card.common.you;
    case "agent":
      return (t) => t.card.common.agent;
    case "person":
      return (t) => cutText(cleanText(who.name ?? "").trim(), NAME_CHARS) || t.card.common.someone;
    default:
      return who satisfies never;
  }
}
