import { header, line, note, row, words } from "./blocks.ts";
import { actionButton } from "./buttons.ts";
import type { Card, Element } from "./card.ts";
import { type Block, fitCard } from "./fit-card.ts";
import type { Look } from "./look.ts";
import { type QuoteView, quoteLine } from "./quote.ts";
import { type CandidateView, candidateElements } from "./run-card.ts";
import { wordFor } from "./word-for.ts";

/** A candidate with the original lines it rests on. */
export type WhyCandidateView = CandidateView & { readonly evidence: readonly QuoteView[] };

/** Why a message said what it said, or why there was none. */
export type WhyView =
  | {
      readonly kind: "message";
      readonly run: string;
      readonly sentAt: Date;
      readonly candidates: readonly WhyCandidateView[];
    }
  | {
      readonly kind: "silent";
      /** Undefined when the tick ended before it became a run. */
      readonly run?: string;
      readonly checkedAt: Date;
      /** Key of the silence or of the run's outcome, shown in words. */
      readonly reason: string;
      readonly candidates: readonly WhyCandidateView[];
    };

const EVIDENCE_SHOWN = 3;

/** Evidence lines, decision and reason of each matter, and the way to the run. */
export function whyCard(view: WhyView, look: Look): Card {
  const blocks: Block[] = [{ stands: 0, elements: opening(view, look) }];
  for (const candidate of view.candidates) {
    blocks.push({
      stands: 1,
      elements: [...candidateElements(candidate, look), ...evidenceElements(candidate.evidence, look)],
    });
  }
  const { run } = view;
  if (run !== undefined) {
    const button = actionButton("run.show", { run }, look, { label: (t) => t.card.why.openRun });
    blocks.push({ stands: 0, elements: [line(), row([button])] });
  }
  return fitCard(look, {
    header: header(look, "blue", (t) => (view.kind === "message" ? t.card.why.title : t.card.why.silentTitle)),
    summary: (t) => (view.kind === "message" ? t.card.why.title : t.card.why.silentTitle),
    blocks,
  });
}

function opening(view: WhyView, look: Look): Element[] {
  switch (view.kind) {
    case "message":
      return [note(look, (t, f) => t.card.why.sentAt(f.moment(view.sentAt)))];
    case "silent":
      return [
        words(look, (t) =>
          t.card.why.silentBecause(wordFor({ ...t.card.run.outcomes, ...t.card.reasons }, view.reason)),
        ),
        note(look, (t, f) => t.card.why.checkedAt(f.moment(view.checkedAt))),
      ];
    default:
      return view satisfies never;
  }
}

function evidenceElements(evidence: readonly QuoteView[], look: Look): Element[] {
  if (evidence.length === 0) return [note(look, (t) => t.card.why.noEvidence)];
  const rest = evidence.length - EVIDENCE_SHOWN;
  return [
    ...evidence.slice(0, EVIDENCE_SHOWN).map((quote) => quoteLine(quote, look, 3)),
    ...(rest > 0 ? [note(look, (t) => t.card.leftOut(rest))] : []),
  ];
}
