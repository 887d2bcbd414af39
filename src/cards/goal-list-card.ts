import { header, literal, note, words } from "./blocks.ts";
import { actionButton } from "./buttons.ts";
import type { Card, TextColor } from "./card.ts";
import { type Block, fitCard } from "./fit-card.ts";
import type { GoalState } from "./goal-card.ts";
import type { Look } from "./look.ts";

export type GoalRowView = {
  readonly goal: string;
  readonly number: number;
  readonly text: string;
  readonly state: GoalState;
  readonly used: number;
  readonly budget: number;
};

export type GoalListView = { readonly goals: readonly GoalRowView[] };

const COLOURS = {
  active: "blue",
  paused: "orange",
  blocked: "red",
  done: "green",
  cleared: "grey",
} as const satisfies Record<GoalState, TextColor>;

/** All goals a person may see, latest first, each with the way to its card. */
export function goalListCard({ goals }: GoalListView, look: Look): Card {
  const blocks: Block[] = goals.map((goal) => ({
    stands: 1,
    elements: [
      literal(`#${goal.number} ${goal.text}`, { maxChars: 160, lines: 2 }),
      note(look, (t) => `${t.goal.state[goal.state]} · ${t.goal.card.turns(goal.used, goal.budget)}`, {
        color: COLOURS[goal.state],
      }),
      actionButton("goal.show", { goal: goal.goal }, look, { label: (t) => t.goal.card.details, size: "tiny" }),
    ],
  }));
  if (goals.length === 0) blocks.push({ stands: 0, elements: [words(look, (t) => t.goal.list.empty)] });
  return fitCard(look, {
    header: header(look, "blue", (t) => t.goal.list.title),
    summary: (t) => t.goal.list.title,
    blocks,
  });
}
