import { header, note, row, words } from "./blocks.ts";
import { actionButton } from "./buttons.ts";
import type { Card, Element } from "./card.ts";
import { type Block, fitCard } from "./fit-card.ts";
import type { Look } from "./look.ts";
import { trendChart } from "./report-card.ts";

export type WeekView = {
  readonly from: string;
  readonly until: string;
  /** Oldest first; without `score` there were no sessions. */
  readonly days: readonly { readonly date: string; readonly sessions: number; readonly score?: number }[];
  readonly executed: number;
  readonly rejected: number;
  readonly reverted: number;
};

/** The week in one card: each day with a way to its report, and what was decided. */
export function weekCard(view: WeekView, look: Look): Card {
  const trend = view.days.flatMap(({ date, score }) => (score === undefined ? [] : [{ date, score }]));
  const blocks: Block[] = [
    {
      stands: 0,
      elements: [
        words(look, (t) => t.evolution.report.weekDecided(view.executed, view.rejected, view.reverted)),
        ...(trend.length > 1 ? [trendChart(trend, look)] : []),
      ],
    },
    ...view.days.map((day): Block => ({ stands: 1, elements: dayRow(day, look) })),
  ];
  return fitCard(look, {
    header: header(look, "blue", (t) => t.evolution.report.weekTitle(view.from, view.until)),
    summary: (t) => t.evolution.report.weekTitle(view.from, view.until),
    blocks,
  });
}

function dayRow({ date, sessions, score }: WeekView["days"][number], look: Look): Element[] {
  return [
    note(look, (t) => t.evolution.report.weekRow(date, sessions, score === undefined ? "–" : score.toFixed(2))),
    row([actionButton("report.show", { date }, look, { label: (t) => t.evolution.proposal.open, size: "tiny" })]),
  ];
}
