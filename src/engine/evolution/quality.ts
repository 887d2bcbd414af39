import type { SessionFacts } from "./session-facts.ts";
import type { TaskCategory } from "./task-category.ts";

/**
 * The quality of a session, by code and without tokens. This file holds the formula, its constants and the fallbacks:
 * quality = 0.40·completion + 0.20·efficiency + 0.15·cost + 0.25·satisfaction, each within [0, 1].
 */
export const WEIGHTS = { completion: 0.4, efficiency: 0.2, cost: 0.15, satisfaction: 0.25 } as const;

export const COMPLETION = { completed: 1, interrupted: 0.5, failed: 0 } as const;

/** Where satisfaction starts: how the session ended, and in how many turns. */
export const SATISFACTION = { singleTurn: 0.9, severalTurns: 0.75, interrupted: 0.5, failed: 0.3 } as const;

/** What each sign adds, and how far all signs of its kind together may go. */
export const SIGNS = {
  budgetExhausted: { each: -0.2, most: -0.2 },
  correction: { each: -0.15, most: -0.45 },
  frustration: { each: -0.25, most: -0.5 },
  undone: { each: -0.1, most: -0.2 },
  denied: { each: -0.05, most: -0.15 },
  retriedTurn: { each: -0.05, most: -0.15 },
  thanks: { each: 0.05, most: 0.05 },
} as const;

/** What a category needs at best (model calls) and as a rule (tool calls), until there is enough history of one's own. */
export const EXPECTED: Readonly<Record<TaskCategory, Norm>> = {
  code: { iterations: 8, toolCalls: 10 },
  search: { iterations: 4, toolCalls: 4 },
  files: { iterations: 4, toolCalls: 5 },
  ops: { iterations: 4, toolCalls: 5 },
  data: { iterations: 3, toolCalls: 3 },
  writing: { iterations: 2, toolCalls: 1 },
  chat: { iterations: 1, toolCalls: 1 },
  scheduled: { iterations: 4, toolCalls: 4 },
  other: { iterations: 4, toolCalls: 4 },
};

export interface Norm {
  /** model calls of a session that goes well */
  iterations: number;
  toolCalls: number;
}

export interface LearnedNorm extends Norm {
  /** completed sessions it was learned from */
  samples: number;
}

/** Completed sessions of a category before one's own numbers replace the constants. */
export const LEARN_FROM = 20;
/** Sessions looked back at: what was normal a year ago is not. */
export const LEARN_AT_MOST = 200;

/** What was learned per category; a category without enough history is missing. */
export type Norms = Partial<Record<TaskCategory, LearnedNorm>>;

/**
 * From completed sessions of one category: the better quarter says what is ideal, the middle what is to be expected.
 * Undefined while there are too few.
 */
export function learnNorm(sessions: readonly { iterations: number; toolCalls: number }[]): LearnedNorm | undefined {
  if (sessions.length < LEARN_FROM) return undefined;
  return {
    iterations: Math.max(
      1,
      quantile(
        sessions.map((session) => session.iterations),
        0.25,
      ),
    ),
    toolCalls: Math.max(
      1,
      quantile(
        sessions.map((session) => session.toolCalls),
        0.5,
      ),
    ),
    samples: sessions.length,
  };
}

/** The value below which a share of the numbers lies: of 1, 2, 3, 4 the quarter is 1.75. */
function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? 0;
  const above = sorted[Math.ceil(at)] ?? below;
  return below + (above - below) * (at - Math.floor(at));
}

export interface Quality {
  composite: number;
  completion: number;
  efficiency: number;
  cost: number;
  satisfaction: number;
}

/** What the score is made of. */
export type Scored = Pick<
  SessionFacts,
  "outcome" | "category" | "iterations" | "turns" | "budgetExhausted" | "denied" | "undone"
> & {
  toolCalls: number;
  corrections: number;
  frustration: number;
  thanks: number;
  /** turns that got no answer and were asked again */
  retriedTurns: number;
};

/** The quality of one session and its four parts, each within [0, 1]. */
export function qualityOf(session: Scored, norms: Norms = {}): Quality {
  const norm = norms[session.category] ?? EXPECTED[session.category];
  const completion = COMPLETION[session.outcome];
  const efficiency = share(norm.iterations, session.iterations);
  const cost = share(norm.toolCalls, session.toolCalls);
  const satisfaction = clamp(
    startOf(session) +
      sign("budgetExhausted", session.budgetExhausted ? 1 : 0) +
      sign("correction", session.corrections) +
      sign("frustration", session.frustration) +
      sign("undone", session.undone) +
      sign("denied", session.denied) +
      sign("retriedTurn", session.retriedTurns) +
      sign("thanks", session.thanks),
  );
  const composite = clamp(
    WEIGHTS.completion * completion +
      WEIGHTS.efficiency * efficiency +
      WEIGHTS.cost * cost +
      WEIGHTS.satisfaction * satisfaction,
  );
  return { composite, completion, efficiency, cost, satisfaction };
}

function startOf({ outcome, turns }: Scored): number {
  if (outcome !== "completed") return SATISFACTION[outcome];
  return turns <= 1 ? SATISFACTION.singleTurn : SATISFACTION.severalTurns;
}

function sign(kind: keyof typeof SIGNS, times: number): number {
  const { each, most } = SIGNS[kind];
  const total = each * times;
  return each < 0 ? Math.max(total, most) : Math.min(total, most);
}

/** What it should have taken ÷ what it took, at most 1; nothing used is nothing wasted. */
function share(expected: number, actual: number): number {
  return actual <= 0 ? 1 : clamp(expected / actual);
}

/** Within [0, 1], to six digits: sums of fractions are not told apart by their last bit. */
function clamp(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 1e6) / 1e6;
}
