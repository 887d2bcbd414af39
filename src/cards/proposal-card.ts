import { REJECT_REASONS } from "./actions.ts";
import { header, line, literal, note, panel, row, words } from "./blocks.ts";
import { actionButton, submitButton } from "./buttons.ts";
import type { Card, Element, HeaderTemplate, RootElement } from "./card.ts";
import { cleanText } from "./escape.ts";
import { type Block, fitCard } from "./fit-card.ts";
import { type Look, say, type Write } from "./look.ts";
import { type ProposalState, proposalButtons, refusedLine, stateLine } from "./proposal-state.ts";
import { wordFor } from "./word-for.ts";

export type ProposalQuoteView = { readonly role: string; readonly at: Date; readonly text: string };

/** One proposal with all a decision needs. Titles, descriptions, quotes and the change are a model's or tools' words. */
export type ProposalView = ProposalState & {
  readonly number: number;
  readonly kind: string;
  readonly title: string;
  readonly description: string;
  readonly effect: string;
  readonly draftedBy: string;
  readonly expiresAt: Date;
  /** Where it is written; undefined for the set of strategies. */
  readonly target?: string;
  /** The exact change, line by line; empty when there is nothing to change any more. */
  readonly diff: readonly { readonly sign: "+" | "-" | " " | "@"; readonly text: string }[];
  /** Why it cannot be executed as things stand: a key of the clashes. */
  readonly clash?: string;
  readonly evidence: {
    readonly count: number;
    readonly sessions: readonly string[];
    readonly dates: number;
    readonly quotes: readonly ProposalQuoteView[];
  };
  /** Kinds of work whose sessions are compared; empty = all. */
  readonly measuredOn: readonly string[];
  readonly lessonEndsAt?: Date;
};

const DIFF_CHARS = 6_000;

/** The whole of a proposal: what, why, the exact change, how it is measured, what became of it. */
export function proposalCard(view: ProposalView, look: Look): Card {
  const blocks: Block[] = [{ stands: 0, elements: about(view, look) }];
  blocks.push({ stands: 0, elements: [...stateLine(view, look), ...buttonsOf(view, look)] });
  if (view.status === "rejected" && view.reason === undefined && view.mayDecide) {
    blocks.push({ stands: 0, elements: askWhy(view, look) });
  }
  blocks.push({ stands: 0, elements: [line(), ...change(view, look)] });
  blocks.push({ stands: 0, elements: evidence(view, look) });
  return fitCard(look, {
    header: header(look, templateOf(view), () => cleanText(view.title), {
      subtitle: (t) =>
        `${t.evolution.proposal.number(view.number)} · ${t.evolution.proposal.head(wordFor(t.evolution.kinds, view.kind), t.evolution.risks[view.risk])}`,
    }),
    summary: (t) => `${t.evolution.proposal.number(view.number)} ${cleanText(view.title)}`,
    blocks,
  });
}

function templateOf({ status }: ProposalState): HeaderTemplate {
  switch (status) {
    case "executed":
      return "green";
    case "failed":
      return "red";
    case "approved":
      return "orange";
    case "pending_approval":
      return "blue";
    default:
      return "grey";
  }
}

function about(view: ProposalView, look: Look): Element[] {
  return [
    literal(view.description, { maxChars: 800 }),
    words(look, (t) => t.evolution.proposal.effect(cleanText(view.effect))),
    ...refusedLine(view, look),
  ];
}

function buttonsOf(view: ProposalView, look: Look): Element[] {
  const buttons = proposalButtons(view, look, "card");
  return buttons.length > 0 ? [row(buttons)] : [];
}

/** After a refusal: why, in one tap or in words. Both are optional. */
function askWhy(view: ProposalView, look: Look): RootElement[] {
  const chips = REJECT_REASONS.map((reason) =>
    actionButton("proposal.why", { proposal: view.id, reason }, look, {
      label: (t) => t.evolution.proposal.reasons[reason],
    }),
  );
  return [
    note(look, (t) => t.evolution.proposal.whyReject),
    row(chips),
    {
      tag: "form",
      name: "why",
      vertical_spacing: "8px",
      elements: [
        {
          tag: "input",
          name: "reason",
          label: { tag: "plain_text", ...say(look, (t) => t.evolution.proposal.reasonLabel) },
          label_position: "top",
          placeholder: { tag: "plain_text", ...say(look, (t) => t.evolution.proposal.reasonPlaceholder) },
          width: "fill",
          max_length: 300,
        },
        submitButton("proposal.whyWords", { proposal: view.id }, look, {
          control: "send",
          label: (t) => t.evolution.proposal.reasonSend,
        }),
      ],
    },
  ];
}

function change(view: ProposalView, look: Look): Element[] {
  const { target } = view;
  const elements: Element[] = [
    words(look, (t) => t.evolution.proposal.change, { size: "heading" }),
    note(look, (t) => t.evolution.proposal.target(target ?? t.evolution.proposal.strategies)),
  ];
  if (view.clash) {
    const { clash } = view;
    elements.push(
      note(look, (t) => t.evolution.proposal.cannot(wordFor(t.evolution.clashes, clash)), { color: "red" }),
    );
  }
  const text = view.diff.map(({ sign, text: said }) => (sign === "@" ? said : `${sign} ${said}`)).join("\n");
  elements.push(
    text === ""
      ? note(look, (t) => t.evolution.proposal.nothingToShow)
      : panel(
          look,
          (t) => t.evolution.proposal.change,
          [literal(text, { maxChars: DIFF_CHARS, size: "notation" })],
          true,
        ),
  );
  if (view.lessonEndsAt) {
    const at = view.lessonEndsAt;
    elements.push(note(look, (t, f) => t.evolution.proposal.lesson(f.day(at))));
  }
  return elements;
}

function evidence(view: ProposalView, look: Look): Element[] {
  const { count, sessions, dates, quotes } = view.evidence;
  const inner: Element[] = quotes.map((quote) =>
    note(look, (t, f) =>
      t.evolution.proposal.quote(
        wordFor(t.evolution.proposal.who, quote.role),
        f.moment(quote.at),
        cleanText(quote.text),
      ),
    ),
  );
  if (sessions.length > 0) {
    inner.push(note(look, (t) => t.evolution.proposal.sessionsList(sessions.slice(0, 8).map(cleanText).join("  "))));
  }
  const work: Write = (t) =>
    view.measuredOn.length === 0
      ? t.evolution.proposal.allWork
      : view.measuredOn.map((name) => wordFor(t.evolution.categories, name)).join(" / ");
  return [
    line(),
    words(look, (t) => t.evolution.proposal.evidence, { size: "heading" }),
    note(look, (t) => t.evolution.proposal.evidenceLine(count, sessions.length, dates)),
    ...(inner.length > 0 ? [panel(look, (t) => t.evolution.proposal.evidence, inner)] : []),
    note(look, (t, f) => t.evolution.proposal.measured(work(t, f))),
    note(look, (t, f) => {
      const by = view.draftedBy === "model" ? t.evolution.proposal.byModel : t.evolution.proposal.byRules;
      return view.status === "pending_approval" ? `${by} · ${t.evolution.proposal.expires(f.day(view.expiresAt))}` : by;
    }),
  ];
}
