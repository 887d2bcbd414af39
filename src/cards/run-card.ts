import { header, line, literal, note, row, words } from "./blocks.ts";
import { actionButton } from "./buttons.ts";
import type { Card, Element, HeaderTemplate, TextColor } from "./card.ts";
import { type Block, fitCard } from "./fit-card.ts";
import type { Look, Write } from "./look.ts";
import { wordFor } from "./word-for.ts";

export type CandidateView = {
  /** The N of [item:N]. */
  readonly index: number;
  readonly title: string;
  /** Undefined while nobody has judged it. */
  readonly decision?: "send" | "skip";
  /** Key of the decision's reason, shown in words. */
  readonly reason?: string;
  /** The editor's note. Untrusted. */
  readonly note?: string;
};

/** One run of the pipeline. Keys (outcome, reason, …) are shown in words; unknown ones as they are. */
export type RunView = {
  readonly run: string;
  readonly startedAt: Date;
  readonly windowStart: Date;
  readonly windowEnd: Date;
  /** pending · superseded · nothing_to_say · sent · skipped_all · failed · dry */
  readonly outcome: string;
  /** What made it worth a run. */
  readonly reason: string;
  readonly extractor?: string;
  readonly editor?: string;
  /** Editors that were asked before and did not decide, in order. */
  readonly tries?: readonly EditorTry[];
  readonly counts: { readonly messages: number; readonly candidates: number; readonly sent: number };
  readonly usage?: { readonly calls: number; readonly inputTokens: number; readonly outputTokens: number };
  readonly error?: string;
  readonly delivery?: { readonly status: "pending" | "delivered" | "failed"; readonly at?: Date };
  readonly candidates: readonly CandidateView[];
  /** Names of the run's documents that are still kept. */
  readonly documents: readonly string[];
};

/** What a run looked at, what it decided and why, and its documents. */
export function runCard(view: RunView, look: Look): Card {
  const blocks: Block[] = [{ stands: 0, elements: overview(view, look) }];
  for (const candidate of view.candidates) blocks.push({ stands: 1, elements: candidateElements(candidate, look) });
  if (view.documents.length > 0) {
    const buttons = view.documents.map((name) =>
      actionButton("run.document", { run: view.run, name }, look, {
        label: (t) => wordFor(t.card.documents, name),
        size: "tiny",
      }),
    );
    blocks.push({ stands: 0, elements: [line(), note(look, (t) => t.card.run.documents), row(buttons)] });
  }
  return fitCard(look, {
    header: header(look, templateFor(view.outcome), (t, f) => t.card.run.title(f.moment(view.startedAt)), {
      subtitle: () => view.run,
    }),
    summary: (t, f) => `${t.card.run.title(f.moment(view.startedAt))} · ${wordFor(t.card.run.outcomes, view.outcome)}`,
    blocks,
  });
}

/** Green when something was said, red when it went wrong, grey when it no longer counts. */
export function templateFor(outcome: string): HeaderTemplate {
  switch (outcome) {
    case "sent":
      return "green";
    case "failed":
      return "red";
    case "superseded":
      return "grey";
    default:
      return "blue";
  }
}

function overview(view: RunView, look: Look): Element[] {
  const { counts, usage, delivery, extractor, editor } = view;
  const facts: Write[] = [
    (t, f) => t.card.run.window(f.moment(view.windowStart), f.moment(view.windowEnd)),
    (t) => t.card.run.because(wordFor(t.card.run.reasons, view.reason)),
    (t) => t.card.run.counts(counts.messages, counts.candidates, counts.sent),
  ];
  if (extractor) facts.push(judgedBy({ extractor, ...(editor && { editor }) }));
  facts.push(...triedLines(view.tries));
  if (usage && usage.calls > 0) facts.push(usageLine(usage));
  const elements: Element[] = [
    words(look, (t) => wordFor(t.card.run.outcomes, view.outcome), { size: "heading" }),
    note(look, (t, f) => facts.map((write) => write(t, f)).join("\n")),
  ];
  if (delivery) {
    const color: TextColor = delivery.status === "failed" ? "red" : delivery.status === "delivered" ? "green" : "grey";
    const write: Write = (t, f) =>
      delivery.status === "delivered"
        ? t.card.run.delivery.delivered(delivery.at ? f.moment(delivery.at) : "")
        : t.card.run.delivery[delivery.status];
    elements.push(note(look, write, { color }));
  }
  if (view.error) elements.push(literal(view.error, { maxChars: 500, size: "notation", color: "red", lines: 4 }));
  if (view.candidates.length === 0 && view.outcome !== "failed" && view.outcome !== "pending") {
    elements.push(words(look, (t) => t.card.run.noCandidates));
  }
  return elements;
}

/** Who found the matters and who judged them, in words. */
export function judgedBy(judges: { extractor: string; editor?: string }): Write {
  const { extractor, editor } = judges;
  return (t) =>
    t.card.run.madeBy(
      wordFor(t.card.run.extractors, extractor),
      editor === undefined ? "–" : wordFor(t.card.run.editors, editor),
    );
}

/** An editor that was asked and did not decide, and why. */
export type EditorTry = { readonly editor: string; readonly why: string };

/** Who was asked before the one who decided, a line each. */
export function triedLines(tries: readonly EditorTry[] = []): Write[] {
  return tries.map(
    ({ editor, why }): Write =>
      (t) =>
        t.card.run.tried(wordFor(t.card.run.editors, editor), wordFor(t.card.run.triedWhy, why)),
  );
}

/** What models cost, in words. */
export function usageLine(usage: { calls: number; inputTokens: number; outputTokens: number }): Write {
  const grouped = (n: number): string => n.toLocaleString("en-US");
  return (t) => t.card.run.tokens(usage.calls, grouped(usage.inputTokens), grouped(usage.outputTokens));
}

/** A candidate with its decision and the reason in words. */
export function candidateElements(candidate: CandidateView, look: Look): Element[] {
  const { decision, reason } = candidate;
  const verdict: Write = (t) => {
    const said =
      decision === "send" ? t.card.run.sent : decision === "skip" ? t.card.run.skipped : t.card.run.undecided;
    return reason ? t.card.run.decision(said, wordFor(t.card.reasons, reason)) : said;
  };
  return [
    line(),
    literal(`${candidate.index}. ${candidate.title}`, { maxChars: 160, lines: 2 }),
    note(look, verdict, { color: decision === "send" ? "green" : "grey" }),
    ...(candidate.note ? [literal(candidate.note, { maxChars: 200, size: "notation", color: "grey", lines: 2 })] : []),
  ];
}
