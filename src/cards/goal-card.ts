import { header, line, literal, note, panel, row, words } from "./blocks.ts";
import { actionButton, submitButton } from "./buttons.ts";
import type { Button, Card, HeaderTemplate, RootElement } from "./card.ts";
import { cutText } from "./cut-text.ts";
import { cleanText } from "./escape.ts";
import { type Block, fitCard } from "./fit-card.ts";
import { type Look, say, type Write } from "./look.ts";
import { nameOf, type Who } from "./who.ts";

export type GoalState = "active" | "paused" | "blocked" | "done" | "cleared";
export type GoalEvidence = "claimed" | "seen" | "checked";
export type GoalPauseCause =
  | "user"
  | "out_of_budget"
  | "judge_unreadable"
  | "turns_failing"
  | "no_progress"
  | "total_cap"
  | "check_not_run";

export type GoalTurnView = {
  readonly number: number;
  readonly state: "running" | "judged" | "empty" | "failed" | "stopped" | "lost" | "stale";
  readonly verdict?: "continue" | "done" | "blocked" | "none";
  readonly reason?: string;
};

export type GoalView = {
  readonly goal: string;
  readonly number: number;
  readonly text: string;
  readonly state: GoalState;
  readonly cause?: GoalPauseCause;
  readonly reason?: string;
  readonly evidence?: GoalEvidence;
  readonly used: number;
  readonly budget: number;
  readonly budgetBy?: Who;
  /** turns that failed or were lost */
  readonly failed: number;
  readonly since: Date;
  readonly until: Date;
  readonly tokens: number;
  readonly criteria: readonly { readonly number: number; readonly text: string; readonly evidence?: GoalEvidence }[];
  readonly check?: string;
  /** what the tools of the latest turn did, latest last */
  readonly work: readonly string[];
  readonly turns: readonly GoalTurnView[];
  /** the judge read only the end of the latest reply */
  readonly cutTo?: number;
  /** nobody but Hermes itself judges */
  readonly noJudge: boolean;
  readonly turnRuns: boolean;
  /** nothing is done before this instant: Hermes is away, or a turn failed */
  readonly waitsUntil?: Date;
  readonly details: boolean;
  /** older than the platform lets a card live: nothing can be tapped any more */
  readonly expired?: boolean;
};

const COLOURS = {
  active: "blue",
  paused: "orange",
  blocked: "red",
  done: "green",
  cleared: "grey",
} as const satisfies Record<GoalState, HeaderTemplate>;

const BAR_CELLS = 10;
const RAISE_BY = 10;
const CRITERION_CHARS = 500;

/** Where a goal stands, and what may be done about it. */
export function goalCard(view: GoalView, look: Look): Card {
  const { goal } = view;
  const blocks: Block[] = [
    { stands: 0, elements: [words(look, statusLine(view), { lines: 6 }), ...progress(view, look)] },
    ...view.criteria.map(
      (criterion): Block => ({
        stands: 1,
        elements: [
          words(look, (t) =>
            [
              criterion.evidence === undefined ? "☐" : "☑",
              `${criterion.number}.`,
              cutText(criterion.text, 200),
              ...(criterion.evidence === undefined ? [] : [`· ${t.goal.evidence[criterion.evidence]}`]),
            ].join(" "),
          ),
        ],
      }),
    ),
    ...(view.check === undefined
      ? []
      : [{ stands: 0, elements: [note(look, (t) => t.goal.card.check(cutText(view.check ?? "", 200)))] }]),
    ...reasons(view, look),
  ];
  if (view.work.length > 0) {
    blocks.push({
      stands: 1,
      elements: [
        panel(
          look,
          (t) => t.goal.card.work,
          view.work.map((each) => literal(each, { maxChars: 200, size: "notation" })),
        ),
      ],
    });
  }
  if (view.details && view.turns.length > 0) {
    blocks.push({
      stands: 1,
      elements: [
        panel(
          look,
          (t) => t.goal.card.history,
          view.turns.map((turn) => turnLine(turn, look)),
          true,
        ),
      ],
    });
  }
  if (!view.expired) blocks.push({ stands: 0, elements: [line(), ...controls(view, goal, look)] });
  return fitCard(look, {
    header: header(look, COLOURS[view.state], (t) => t.goal.card.title[view.state], {
      subtitle: (t) => `#${view.number} · ${t.goal.card.turns(view.used, view.budget)}`,
    }),
    summary: (t) => `${t.goal.card.title[view.state]} · ${cutText(view.text.replace(/\s+/gu, " "), 40)}`,
    blocks,
  });
}

/** Where it stands in one line, in the words of the specification. */
function statusLine(view: GoalView): Write {
  const text = cutText(cleanText(view.text), 600);
  const reason = view.reason === undefined ? "" : cutText(cleanText(view.reason), 400);
  switch (view.state) {
    case "active":
      return (t) =>
        view.used === 0
          ? t.goal.set(view.budget, text)
          : `${t.goal.continuing(view.used, view.budget, reason)}\n${text}`;
    case "done":
      return (t) => `${t.goal.done(reason)}\n${text}`;
    case "blocked":
      return (t) => `${t.goal.blocked(reason)}\n${text}`;
    case "paused":
      return (t) => `${t.goal.paused(view.used, view.budget)}\n${text}`;
    case "cleared":
      return () => text;
  }
}

function progress(view: GoalView, look: Look): RootElement[] {
  const filled = Math.min(BAR_CELLS, Math.round((view.used / Math.max(1, view.budget)) * BAR_CELLS));
  const bar = `${"▰".repeat(filled)}${"▱".repeat(BAR_CELLS - filled)}`;
  return [
    words(look, (t) => `${bar} ${t.goal.card.turns(view.used, view.budget)}`),
    note(look, (t, f) =>
      [
        t.goal.card.elapsed(f.duration(view.until.getTime() - view.since.getTime())),
        ...(view.tokens > 0 ? [t.goal.card.spent(view.tokens.toLocaleString("en-US"))] : []),
        ...(view.failed > 0 ? [t.goal.card.failed(view.failed)] : []),
        ...(view.budgetBy === undefined ? [] : [t.goal.card.budgetBy(nameOf(view.budgetBy)(t, f))]),
      ].join(" · "),
    ),
  ];
}

function reasons(view: GoalView, look: Look): Block[] {
  const { reason, evidence, cause } = view;
  const elements: RootElement[] = [];
  if (view.state === "paused" && cause !== undefined) {
    elements.push(words(look, (t) => t.goal.cause[cause], { color: "orange" }));
  }
  // What is done, blocked or goes on says its reason in its first line.
  const { waitsUntil } = view;
  if (waitsUntil !== undefined)
    elements.push(words(look, (t, f) => t.goal.card.waits(f.moment(waitsUntil)), { color: "orange" }));
  if (view.state === "blocked") elements.push(note(look, (t) => t.goal.card.blockedHow));
  if (view.state === "paused") elements.push(note(look, (t) => t.goal.resumeHow));
  if (reason !== undefined && (view.state === "paused" || (view.state === "active" && view.used === 0)))
    elements.push(words(look, (t) => t.goal.last(cutText(reason, 400)), { lines: 4 }));
  if (view.state === "done" && evidence !== undefined) {
    elements.push(note(look, (t) => t.goal.card.evidence(t.goal.evidence[evidence])));
  }
  const { cutTo } = view;
  if (cutTo !== undefined) elements.push(note(look, (t) => t.goal.card.cut(cutTo)));
  if (view.noJudge) elements.push(note(look, (t) => t.goal.card.noJudge));
  return elements.length === 0 ? [] : [{ stands: 0, elements }];
}

function turnLine(turn: GoalTurnView, look: Look): RootElement & { readonly tag: "div" } {
  const { verdict, reason } = turn;
  return note(look, (t) =>
    t.goal.card.historyLine(
      turn.number,
      [
        turn.state !== "judged" || verdict === undefined
          ? t.goal.card.turnState[turn.state]
          : t.goal.card.verdict[verdict],
        ...(reason === undefined ? [] : [cleanText(cutText(reason, 160))]),
      ].join(" · "),
    ),
  ) as RootElement & { readonly tag: "div" };
}

function controls(view: GoalView, goal: string, look: Look): RootElement[] {
  const buttons: Button[] = [];
  const isOver = view.state === "done" || view.state === "cleared";
  if (view.state === "active") {
    buttons.push(actionButton("goal.pause", { goal }, look, { label: (t) => t.goal.card.pause, style: "primary" }));
  }
  if (view.state === "paused" || view.state === "blocked") {
    buttons.push(
      actionButton("goal.resume", { goal }, look, {
        label: (t) => (view.state === "blocked" ? t.goal.card.retry : t.goal.card.resume),
        style: "primary",
      }),
    );
  }
  if (view.turnRuns) buttons.push(actionButton("goal.stop", { goal }, look, { label: (t) => t.goal.card.stop }));
  if (!isOver) {
    buttons.push(
      actionButton("goal.raise", { goal, budget: view.budget }, look, { label: (t) => t.goal.card.raise(RAISE_BY) }),
      actionButton("goal.clear", { goal }, look, {
        label: (t) => t.goal.card.clear,
        style: "danger_text",
        confirm: { title: (t) => t.goal.card.clear, text: (t) => t.goal.card.clearAsk },
      }),
    );
  }
  buttons.push(
    actionButton("goal.details", { goal, open: !view.details }, look, {
      label: (t) => (view.details ? t.goal.card.back : t.goal.card.details),
      style: "text",
    }),
  );
  return [row(buttons), ...(isOver ? [] : [criterionForm(goal, look)])];
}

function criterionForm(goal: string, look: Look): RootElement {
  return {
    tag: "form",
    name: "criterion",
    vertical_spacing: "8px",
    elements: [
      {
        tag: "input",
        name: "text",
        placeholder: { tag: "plain_text", ...say(look, (t) => t.goal.card.addPlaceholder) },
        width: "fill",
        max_length: CRITERION_CHARS,
      },
      submitButton("goal.criterion", { goal }, look, {
        control: "add",
        label: (t) => t.goal.card.add,
        style: "default",
      }),
    ],
  };
}
