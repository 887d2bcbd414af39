import { note } from "./blocks.ts";
import { actionButton } from "./buttons.ts";
import type { Button, Element, TextColor } from "./card.ts";
import { cleanText } from "./escape.ts";
import type { Look, Write } from "./look.ts";
import { nameOf, type Who } from "./who.ts";
import { wordFor } from "./word-for.ts";

/** How a proposal stands, and what its reader may do: shared by the report, the list and its own card. */
export type ProposalState = {
  readonly id: string;
  readonly revision: number;
  /** pending_approval · approved · executed · rejected · expired · failed · reverted */
  readonly status: string;
  readonly risk: "low" | "medium" | "high";
  readonly mayDecide: boolean;
  readonly decided?: { readonly by: Who; readonly at: Date };
  /** Key of a chip, or words. Untrusted. */
  readonly reason?: string;
  /** Why it failed, was taken back by itself, or could not be taken back: key, or "worse:检索:0.1", "kept:changed_since". */
  readonly because?: string;
  readonly revertAsked: boolean;
  readonly later: boolean;
  readonly executedAt?: Date;
  readonly revertedAt?: Date;
  readonly refusedBefore?: {
    readonly number: number;
    readonly reason?: string;
    readonly at: Date;
    readonly newSessions: number;
  };
  readonly trial?: {
    readonly status: string;
    readonly samples: number;
    readonly need: number;
    readonly before?: number;
    readonly now?: number;
  };
};

const COLORS: Readonly<Record<string, TextColor>> = {
  executed: "green",
  failed: "red",
  approved: "orange",
  rejected: "grey",
};

/** That the same was refused before, with the reason, and what is new since. */
export function refusedLine({ refusedBefore }: ProposalState, look: Look): Element[] {
  if (!refusedBefore) return [];
  const { number, at, newSessions, reason } = refusedBefore;
  return [
    note(
      look,
      (t, f) => {
        const why =
          reason === undefined ? t.evolution.proposal.noReason : wordFor(t.evolution.proposal.reasons, reason);
        return t.evolution.proposal.refusedBefore(number, f.day(at), why, newSessions);
      },
      { color: "orange" },
    ),
  ];
}

/** What was decided, by whom, when, and what came of it. Nothing while it waits for a decision. */
export function stateLine(view: ProposalState, look: Look): Element[] {
  const lines: Element[] = [];
  const state = stateWord(view);
  if (view.status !== "pending_approval" || view.later) {
    const { decided } = view;
    const at = view.revertedAt ?? view.executedAt;
    const write: Write = (t, f) => {
      if (decided && view.status !== "expired") {
        return t.evolution.proposal.byWhom(state(t, f), nameOf(decided.by)(t, f), f.moment(at ?? decided.at));
      }
      return at ? t.evolution.proposal.atWhen(state(t, f), f.moment(at)) : state(t, f);
    };
    lines.push(note(look, write, { color: COLORS[view.status] ?? "grey" }));
  }
  const { reason, because } = view;
  if (reason !== undefined && view.status === "rejected") {
    lines.push(note(look, (t) => t.evolution.proposal.reason(wordFor(t.evolution.proposal.reasons, reason))));
  }
  if (because !== undefined) lines.push(note(look, becauseWords(because), { color: "orange" }));
  lines.push(...trialLines(view, look));
  return lines;
}

/** The state in one word or two. */
export function stateWord(view: Pick<ProposalState, "status" | "revertAsked" | "later">): Write {
  return (t) => {
    if (view.status === "executed" && view.revertAsked) return t.evolution.proposal.states.reverting;
    if (view.status === "pending_approval" && view.later) return t.evolution.proposal.states.later;
    return wordFor(t.evolution.proposal.states, view.status);
  };
}

function becauseWords(because: string): Write {
  return (t) => {
    const [kind = "", category = "", by = ""] = because.split(":");
    const words = t.evolution.proposal;
    if (kind === "kept") return words.kept(wordFor(t.evolution.clashes, category));
    if (kind === "falling") return words.autoReverted.falling(by);
    if (kind === "worse") {
      return category === ""
        ? words.autoReverted.worse(by)
        : words.autoReverted.worseIn(wordFor(t.evolution.categories, category), by);
    }
    return words.reason(wordFor(t.evolution.clashes, because));
  };
}

function trialLines({ trial, status }: ProposalState, look: Look): Element[] {
  if (!trial || status !== "executed") return [];
  const { before, now } = trial;
  const verdict: Write = (t) => {
    const words = t.evolution.proposal.trial;
    if (before === undefined) return words.noBaseline;
    switch (trial.status) {
      case "active":
        return words.active(trial.samples, trial.need);
      case "promoted":
        return words.promoted(((now ?? before) - before).toFixed(2));
      case "inconclusive":
        return words.inconclusive;
      default:
        return words.reverted;
    }
  };
  const scores: Write = (t) =>
    before === undefined || now === undefined
      ? ""
      : ` · ${t.evolution.proposal.trial.score(before.toFixed(2), now.toFixed(2))}`;
  return [note(look, (t, f) => `${verdict(t, f)}${scores(t, f)}`)];
}

/** What may be done now. In lists there is a way to the details, on the card itself there is none. */
export function proposalButtons(view: ProposalState, look: Look, where: "list" | "card"): Button[] {
  const { id, revision, status, mayDecide } = view;
  const buttons: Button[] = [];
  const decidable = mayDecide && (status === "pending_approval" || status === "failed");
  if (decidable) {
    buttons.push(
      actionButton("proposal.approve", { proposal: id, rev: revision }, look, {
        label: (t) => (status === "failed" ? t.evolution.proposal.tryAgain : t.evolution.proposal.approve),
        style: "primary",
      }),
      actionButton("proposal.reject", { proposal: id, rev: revision }, look, {
        label: (t) => t.evolution.proposal.reject,
      }),
    );
  }
  if (where === "list") {
    buttons.push(actionButton("proposal.show", { proposal: id }, look, { label: (t) => t.evolution.proposal.details }));
  }
  if (decidable && status === "pending_approval" && !view.later) {
    buttons.push(actionButton("proposal.later", { proposal: id }, look, { label: (t) => t.evolution.proposal.later }));
  }
  if (mayDecide && status === "executed" && !view.revertAsked) {
    buttons.push(
      actionButton("proposal.revert", { proposal: id }, look, {
        label: (t) => t.evolution.proposal.revert,
        confirm: {
          title: (t) => t.evolution.proposal.revertTitle,
          text: (t) => t.evolution.proposal.revertText,
        },
      }),
    );
  }
  return buttons;
}

/** A title as it is shown in a row. */
export function rowTitle(number: number, title: string): string {
  return `#${number} ${cleanText(title)}`;
}
