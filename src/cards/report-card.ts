import { header, line, literal, note, panel, row, words } from "./blocks.ts";
import { actionButton } from "./buttons.ts";
import type { Card, Chart, Element } from "./card.ts";
import { cleanText } from "./escape.ts";
import { type Block, fitCard } from "./fit-card.ts";
import { type HiddenQueuesView, hiddenQueues } from "./hidden-queues.ts";
import { type Look, say, type Write } from "./look.ts";
import { type ProposalState, proposalButtons, refusedLine, rowTitle, stateLine } from "./proposal-state.ts";
import { wordFor } from "./word-for.ts";

export type ReportProposal = ProposalState & {
  readonly number: number;
  readonly kind: string;
  readonly title: string;
  readonly effect: string;
};

export type ReportFailure = {
  readonly tool: string;
  readonly kind: string;
  readonly host?: string;
  readonly count: number;
  readonly sessions: number;
  readonly from: Date;
  readonly to: Date;
  readonly lasting: boolean;
};

/** The figures of a date, in the shape the engine counts them in. */
export type ReportFigures = {
  readonly sessions: {
    readonly total: number;
    readonly completed: number;
    readonly interrupted: number;
    readonly failed: number;
  };
  readonly score: {
    readonly average: number | null;
    readonly parts: Readonly<Record<"completion" | "efficiency" | "cost" | "satisfaction", number>> | null;
  };
  readonly iterations: { readonly average: number; readonly ideal: number };
  readonly tools: { readonly total: number; readonly failed: number };
  readonly failures: readonly ReportFailure[];
  readonly loops: { readonly count: number; readonly calls: number };
  readonly chains: { readonly count: number };
  readonly longest: readonly { readonly about: string; readonly ms: number }[];
  readonly reads: { readonly wasted: number };
  readonly searches: { readonly repeated: number };
  readonly redundant: { readonly count: number };
  readonly signals: { readonly corrections: number; readonly frustration: number; readonly thanks: number };
  readonly api: { readonly failedTurns: number; readonly events: number };
  readonly budgetExhausted: number;
  readonly telemetry: { readonly seen: number; readonly rebuilt: number };
};

export type ReportView = {
  readonly date: string;
  readonly figures: ReportFigures;
  /** Average quality of the last date before that had sessions. */
  readonly before?: number;
  /** Oldest first; dates without sessions are missing. */
  readonly trend: readonly { readonly date: string; readonly score: number }[];
  /** Untrusted: a model's words. */
  readonly words?: {
    readonly errors: string;
    readonly waste: string;
    readonly recommendations: readonly string[];
    readonly by: string;
  };
  /** Why there are no words: none · transport · unreadable · budget. */
  readonly figuresOnly?: string;
  readonly proposals: readonly ReportProposal[];
  readonly heldBack: number;
  /** What Hermes itself has put aside until somebody approves it. */
  readonly pending: readonly {
    readonly id: string;
    readonly what: string;
    readonly about: string;
    readonly at?: Date;
    readonly adoptable: boolean;
  }[];
  /** What else waits in Hermes. */
  readonly queues?: HiddenQueuesView;
  readonly mayDecide: boolean;
};

const SHOWN_FAILURES = 5;
const SHOWN_PENDING = 5;

/** The evening's report: how the day went, what went wrong, what it cost, and what is proposed. */
export function reportCard(view: ReportView, look: Look): Card {
  const { figures } = view;
  const blocks: Block[] =
    figures.sessions.total === 0
      ? [{ stands: 0, elements: [words(look, (t) => t.evolution.report.empty)] }]
      : [
          { stands: 0, elements: overview(view, look) },
          ...proposalBlocks(view, look),
          { stands: 0, elements: errors(figures, look) },
          { stands: 0, elements: waste(figures, look) },
          { stands: 0, elements: causes(view, look) },
        ];
  if (figures.sessions.total === 0) blocks.push(...proposalBlocks(view, look));
  if (view.pending.length > 0) blocks.push({ stands: 0, elements: pending(view, look) });
  if (view.queues) {
    const elements = hiddenQueues(view.queues, look);
    if (elements.length > 0) blocks.push({ stands: 0, elements });
  }
  if (view.mayDecide) {
    blocks.push({
      stands: 0,
      elements: [
        row([
          actionButton("report.again", { date: view.date }, look, {
            label: (t) => t.evolution.report.again,
            size: "tiny",
          }),
        ]),
      ],
    });
  }
  const open = view.proposals.filter(({ status }) => status === "pending_approval").length;
  return fitCard(look, {
    header: header(look, open > 0 ? "blue" : "green", (t) => t.evolution.report.title(view.date)),
    summary: (t) => `${t.evolution.report.title(view.date)} · ${t.evolution.proposal.states.pending_approval} ${open}`,
    blocks,
  });
}

function overview({ figures, before, trend }: ReportView, look: Look): Element[] {
  const { sessions, score, tools, telemetry } = figures;
  const elements: Element[] = [
    words(look, (t) =>
      t.evolution.report.sessions(sessions.total, sessions.completed, sessions.interrupted, sessions.failed),
    ),
  ];
  if (score.average !== null) {
    const { average } = score;
    const change: Write = before === undefined ? () => "" : changeWords(average - before);
    elements.push(words(look, (t, f) => t.evolution.report.score(average.toFixed(2), change(t, f))));
  }
  const rate = tools.total === 0 ? "–" : `${Math.round((100 * (tools.total - tools.failed)) / tools.total)}%`;
  elements.push(words(look, (t) => t.evolution.report.tools(tools.total, rate)));
  if (score.parts) {
    const { completion, efficiency, cost, satisfaction } = score.parts;
    const two = (value: number): string => value.toFixed(2);
    elements.push(
      note(look, (t) => t.evolution.report.parts(two(completion), two(efficiency), two(cost), two(satisfaction))),
    );
  }
  if (trend.length > 1) elements.push(trendChart(trend, look));
  const { rebuilt } = telemetry;
  if (rebuilt > 0) elements.push(note(look, (t) => t.evolution.report.rebuilt(rebuilt, sessions.total)));
  return elements;
}

function changeWords(by: number): Write {
  return (t) => {
    if (Math.abs(by) < 0.005) return t.evolution.report.change.same;
    return by > 0 ? t.evolution.report.change.up(by.toFixed(2)) : t.evolution.report.change.down((-by).toFixed(2));
  };
}

/** Average quality by date, in Feishu's own chart element. */
export function trendChart(trend: ReportView["trend"], look: Look): Chart {
  return {
    tag: "chart",
    aspect_ratio: "2:1",
    chart_spec: {
      type: "line",
      title: { text: say(look, (t) => t.evolution.report.trend).content },
      data: { values: trend.map(({ date, score }) => ({ x: date.slice(5), y: Math.round(score * 100) / 100 })) },
      xField: "x",
      yField: "y",
    },
  };
}

function errors(figures: ReportFigures, look: Look): Element[] {
  const { sessions, signals, api, loops, chains, budgetExhausted } = figures;
  const elements: Element[] = [line(), words(look, (t) => t.evolution.report.errors, { size: "heading" })];
  if (figures.failures.length === 0) elements.push(note(look, (t) => t.evolution.report.noErrors));
  for (const failure of figures.failures.slice(0, SHOWN_FAILURES)) elements.push(failureRow(failure, look));
  const lines: Write[] = [];
  if (sessions.interrupted + sessions.failed > 0) {
    lines.push((t) => t.evolution.report.unfinished(sessions.interrupted, sessions.failed));
  }
  if (loops.count > 0) lines.push((t) => t.evolution.report.loops(loops.count, loops.calls));
  if (chains.count > 0) lines.push((t) => t.evolution.report.chainsLine(chains.count));
  if (api.failedTurns + api.events > 0) lines.push((t) => t.evolution.report.api(api.failedTurns, api.events));
  if (budgetExhausted > 0) lines.push((t) => t.evolution.report.budget(budgetExhausted));
  lines.push((t) => t.evolution.report.corrections(signals.corrections, signals.frustration, signals.thanks));
  elements.push(note(look, (t, f) => lines.map((write) => write(t, f)).join("\n")));
  return elements;
}

function failureRow(failure: ReportFailure, look: Look): Element {
  const { tool, kind, host, count, sessions, lasting, from, to } = failure;
  return note(
    look,
    (t, f) =>
      [
        t.evolution.report.errorRow(cleanText(tool), wordFor(t.evolution.failureKinds, kind), count, sessions),
        ...(host === undefined ? [] : [t.evolution.report.atHost(cleanText(host))]),
        t.evolution.report.between(f.moment(from), f.moment(to)),
        lasting ? t.evolution.report.lasting : t.evolution.report.passing,
      ].join(" · "),
    { color: lasting ? "red" : "grey" },
  );
}

function waste(figures: ReportFigures, look: Look): Element[] {
  const { iterations, reads, searches, redundant, longest } = figures;
  const lines: Write[] = [
    (t) => t.evolution.report.iterations(iterations.average.toFixed(1), iterations.ideal.toFixed(1)),
  ];
  if (reads.wasted > 0) lines.push((t) => t.evolution.report.reads(reads.wasted));
  if (searches.repeated > 0) lines.push((t) => t.evolution.report.searches(searches.repeated));
  if (redundant.count > 0) lines.push((t) => t.evolution.report.redundant(redundant.count));
  if (lines.length === 1) lines.push((t) => t.evolution.report.noWaste);
  const slow = longest.map(({ about, ms }) =>
    note(look, (t, f) => t.evolution.report.longestRow(cleanText(about), f.duration(ms))),
  );
  return [
    line(),
    words(look, (t) => t.evolution.report.waste, { size: "heading" }),
    note(look, (t, f) => lines.map((write) => write(t, f)).join("\n")),
    slow.length > 0
      ? panel(look, (t) => t.evolution.report.longest, slow)
      : note(look, (t) => t.evolution.report.noTimes),
  ];
}

function causes({ words: said, figuresOnly }: ReportView, look: Look): Element[] {
  if (!said) {
    const why = figuresOnly ?? "none";
    return [
      line(),
      note(look, (t) => wordFor(t.evolution.report.figuresOnly, why), { color: why === "none" ? "grey" : "orange" }),
    ];
  }
  const parts: [Write, string][] = [
    [(t) => t.evolution.report.errorCauses, said.errors],
    [(t) => t.evolution.report.wasteCauses, said.waste],
    [(t) => t.evolution.report.recommendations, said.recommendations.map((each) => `· ${each}`).join("\n")],
  ];
  const inner = parts.flatMap(([title, text]): Element[] =>
    text.trim() === "" ? [] : [note(look, title), literal(text, { maxChars: 1_200 })],
  );
  return [
    line(),
    panel(look, (t) => t.evolution.report.words, [
      ...inner,
      note(look, (t) => t.evolution.report.by(cleanText(said.by))),
    ]),
  ];
}

function proposalBlocks(view: ReportView, look: Look): Block[] {
  const { proposals, heldBack, mayDecide } = view;
  const blocks: Block[] = [
    { stands: 0, elements: [line(), words(look, (t) => t.evolution.report.proposals, { size: "heading" })] },
  ];
  if (proposals.length === 0) {
    blocks.push({ stands: 0, elements: [note(look, (t) => t.evolution.report.noProposals)] });
  }
  for (const proposal of proposals) blocks.push({ stands: 1, elements: proposalRow(proposal, look) });
  const low = proposals.filter(({ risk, status, later }) => risk === "low" && status === "pending_approval" && !later);
  if (mayDecide && low.length > 1) {
    const seen = low.map(({ id, revision }) => ({ proposal: id, rev: revision }));
    blocks.push({
      stands: 0,
      elements: [
        row([
          actionButton("proposals.approveLow", { seen }, look, {
            label: (t) => t.evolution.report.approveLow(low.length),
            confirm: {
              title: (t) => t.evolution.report.approveLowTitle,
              text: (t) => t.evolution.report.approveLowText(low.length),
            },
          }),
        ]),
      ],
    });
  }
  if (heldBack > 0) blocks.push({ stands: 0, elements: [note(look, (t) => t.evolution.report.heldBack(heldBack))] });
  return blocks;
}

/** One proposal as a row of a report or a list. */
export function proposalRow(proposal: ReportProposal, look: Look): Element[] {
  return [
    literal(rowTitle(proposal.number, proposal.title), { maxChars: 160, lines: 2 }),
    note(
      look,
      (t) =>
        `${t.evolution.proposal.head(wordFor(t.evolution.kinds, proposal.kind), t.evolution.risks[proposal.risk])} · ${t.evolution.proposal.effect(cleanText(proposal.effect))}`,
    ),
    ...refusedLine(proposal, look),
    ...stateLine(proposal, look),
    row(proposalButtons(proposal, look, "list")),
  ];
}

function pending({ pending: waiting, mayDecide }: ReportView, look: Look): Element[] {
  const rows = waiting.slice(0, SHOWN_PENDING).flatMap((each): Element[] => [
    note(look, (t, f) =>
      t.evolution.report.pendingRow(
        wordFor(t.evolution.report.pendingKinds, each.what),
        cleanText(each.about).slice(0, 120),
        each.at ? f.age(each.at) : "",
      ),
    ),
    ...(each.adoptable && mayDecide
      ? [
          row([
            actionButton("pending.adopt", { pending: each.id }, look, {
              label: (t) => t.evolution.report.adopt,
              size: "tiny",
            }),
          ]),
        ]
      : []),
  ]);
  return [
    line(),
    words(look, (t) => t.evolution.report.pending(waiting.length)),
    ...rows,
    note(look, (t) => t.evolution.report.pendingHint),
  ];
}
