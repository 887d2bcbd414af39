import type { Texts } from "../text/pick.ts";
import { header, line, note, row, words } from "./blocks.ts";
import { actionButton } from "./buttons.ts";
import type { Card, Element } from "./card.ts";
import { type Block, fitCard } from "./fit-card.ts";
import type { Look, Write } from "./look.ts";
import { type QuoteView, quoteLine } from "./quote.ts";
import { type CandidateView, candidateElements, type EditorTry, judgedBy, triedLines } from "./run-card.ts";
import { wordFor } from "./word-for.ts";

/** A candidate with the original lines it rests on. */
export type WhyCandidateView = CandidateView & { readonly evidence: readonly QuoteView[] };

/** Keys of who found the matters and who judged them, shown in words. */
type Judges = {
  readonly extractor: string;
  readonly editor?: string;
  /** Editors that were asked before and did not decide. */
  readonly tries?: readonly EditorTry[];
};

/** Why a message said what it said, or why there was none. */
export type WhyView =
  | {
      readonly kind: "message";
      readonly run: string;
      readonly sentAt: Date;
      readonly judges?: Judges;
      /** So many more the run judged: they stand behind the way to the run. */
      readonly others?: number;
      /** A later look that said nothing. */
      readonly silentSince?: { readonly checkedAt: Date; readonly reason: string };
      readonly candidates: readonly WhyCandidateView[];
    }
  | {
      readonly kind: "silent";
      /** Undefined when the tick ended before it became a run. */
      readonly run?: string;
      readonly checkedAt: Date;
      readonly judges?: Judges;
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
  const others = view.kind === "message" ? (view.others ?? 0) : 0;
  if (others > 0) blocks.push({ stands: 0, elements: [line(), note(look, (t) => t.card.why.others(others))] });
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
  const { judges } = view;
  const judged =
    judges === undefined ? [] : [judgedBy(judges), ...triedLines(judges.tries)].map((write) => note(look, write));
  switch (view.kind) {
    case "message":
      return [
        note(look, (t, f) => t.card.why.sentAt(f.moment(view.sentAt))),
        ...judged,
        ...(view.silentSince === undefined ? [] : [note(look, stayedSilent(view.silentSince))]),
      ];
    case "silent":
      return [
        words(look, (t) => t.card.why.silentBecause(reasonIn(t, view.reason))),
        note(look, (t, f) => t.card.why.checkedAt(f.moment(view.checkedAt))),
        ...judged,
      ];
    default:
      return view satisfies never;
  }
}

function stayedSilent(since: { checkedAt: Date; reason: string }): Write {
  return (t, f) => t.card.why.silentSince(f.moment(since.checkedAt), reasonIn(t, since.reason));
}

function reasonIn(t: Texts, reason: string): string {
  return wordFor({ ...t.card.run.outcomes, ...t.card.reasons }, reason);
}

function evidenceElements(evidence: readonly QuoteView[], look: Look): Element[] {
  if (evidence.length === 0) return [note(look, (t) => t.card.why.noEvidence)];
  const rest = evidence.length - EVIDENCE_SHOWN;
  return [
    ...evidence.slice(0, EVIDENCE_SHOWN).map((quote) => quoteLine(quote, look, 3)),
    ...(rest > 0 ? [note(look, (t) => t.card.leftOut(rest))] : []),
  ];
}
