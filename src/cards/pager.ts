import { note, row } from "./blocks.ts";
import type { Button, Element } from "./card.ts";
import type { Look } from "./look.ts";

/** Page number and the ways back and on; nothing when there is but one page. `button` makes the button to a page. */
export function pager(
  look: Look,
  at: { readonly page: number; readonly pages: number },
  button: (page: number, direction: "back" | "on") => Button,
): Element[] {
  if (at.pages <= 1) return [];
  const buttons: Button[] = [];
  if (at.page > 1) buttons.push(button(at.page - 1, "back"));
  if (at.page < at.pages) buttons.push(button(at.page + 1, "on"));
  return [row([...buttons, note(look, (t) => t.card.common.page(at.page, at.pages))])];
}
