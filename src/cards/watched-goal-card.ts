import { header, literal, note, panel, words } from "./blocks.ts";
import type { Card, HeaderTemplate } from "./card.ts";
import { cutText } from "./cut-text.ts";
import { cleanText } from "./escape.ts";
import { type Block, fitCard } from "./fit-card.ts";
import type { Look } from "./look.ts";
import { wordFor } from "./word-for.ts";

export type WatchedGoalView = {
  readonly text: string;
  /** As Hermes calls it. */
  readonly status: string;
  readonly used: number;
  readonly budget: number;
  readonly reason?: string;
  readonly subgoals: readonly string[];
  /** Hermes' id of the session it hangs on. */
  readonly session: string;
  /** The session was compressed, and the goal did not come along. */
  readonly orphaned: boolean;
  /** Herald's own view, when it is another one. */
  readonly opinion?: string;
  readonly changes: readonly {
    readonly at: Date;
    readonly status: string;
    readonly used: number;
    readonly reason?: string;
    readonly reset: boolean;
  }[];
};

const COLOURS: Readonly<Record<string, HeaderTemplate>> = {
  active: "blue",
  paused: "orange",
  done: "green",
  cleared: "grey",
};

/** A goal Hermes runs by itself: seen, not steered, and said so. */
export function watchedGoalCard(view: WatchedGoalView, look: Look): Card {
  const { reason, opinion } = view;
  const blocks: Block[] = [
    {
      stands: 0,
      elements: [
        literal(view.text, { maxChars: 600, lines: 4 }),
        words(look, (t) => t.goal.card.turns(view.used, view.budget)),
        ...(reason === undefined
          ? []
          : [words(look, (t) => t.goal.last(cutText(cleanText(reason), 400)), { lines: 4 })]),
        ...(opinion === undefined
          ? []
          : [words(look, (t) => t.goal.card.disagree(cutText(cleanText(opinion), 300)), { color: "orange" })]),
        ...(view.orphaned
          ? [words(look, (t) => t.goal.card.orphaned(cutText(view.session, 60)), { color: "orange" })]
          : []),
      ],
    },
    ...view.subgoals.map((each): Block => ({ stands: 1, elements: [literal(`☐ ${each}`, { maxChars: 200 })] })),
  ];
  if (view.changes.length > 1) {
    blocks.push({
      stands: 1,
      elements: [
        panel(
          look,
          (t) => t.goal.card.history,
          view.changes.map((change) =>
            note(look, (t, f) =>
              [
                change.reset
                  ? t.goal.card.reset(f.moment(change.at))
                  : `${f.moment(change.at)} · ${wordFor(t.goal.state, change.status)}`,
                t.goal.card.turns(change.used, view.budget),
                ...(change.reason === undefined ? [] : [cutText(cleanText(change.reason), 120)]),
              ].join(" · "),
            ),
          ),
        ),
      ],
    });
  }
  blocks.push({ stands: 0, elements: [note(look, (t) => t.goal.card.watched)] });
  return fitCard(look, {
    header: header(look, COLOURS[view.status] ?? "blue", (t) => wordFor(t.goal.card.title, view.status), {
      subtitle: (t) => t.goal.card.turns(view.used, view.budget),
    }),
    summary: (t) => `${wordFor(t.goal.card.title, view.status)} · ${cutText(cleanText(view.text), 40)}`,
    blocks,
  });
}
