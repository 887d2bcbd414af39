import type { Card } from "../../src/cards/card.ts";
import type { Look } from "../../src/cards/look.ts";
import { reminderCard } from "../../src/cards/reminder-card.ts";
import { reminderViews } from "./reminder-views.ts";

/** One state of one card. */
export type CardCase = { readonly name: string; readonly draw: (look: Look) => Card };

/** Every state of every card; each has a golden file in each language. */
export const cardCases: readonly CardCase[] = [...casesOf("reminder", reminderViews, reminderCard)];

function casesOf<View>(
  card: string,
  views: Readonly<Record<string, View>>,
  draw: (view: View, look: Look) => Card,
): CardCase[] {
  return Object.entries(views).map(([state, view]) => ({
    name: `${card}.${state}`,
    draw: (look) => draw(view, look),
  }));
}
