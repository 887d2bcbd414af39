import type { Evidence } from "../evidence.ts";
import type { MatterKind } from "../tracking/item.ts";
import type { Candidate } from "./run.ts";
import { isSameMatter, joinEvidence } from "./same-matter.ts";

/** A proposal of either worker before it has a number. */
export interface Proposal {
  kind: Candidate["kind"];
  matterKind: MatterKind;
  goalId: string | null;
  title: string;
  whyNow: string;
  draft: string;
  dueAt: Date | null;
  evidence: readonly Evidence[];
}

const EVIDENCE_LINES = 12;

/**
 * Proposals that say the same thing become one: those about the same item, and those without an item that speak of the
 * same matter. The earlier one gives title and reason, whoever has a draft gives the draft, the evidence is joined.
 * Numbered from 1 in the order given.
 */
export function mergeCandidates(proposals: readonly Proposal[]): Candidate[] {
  const merged: Proposal[] = [];
  for (const proposal of proposals) {
    // By item first: a likeness must never give one item two candidates.
    const byItem = merged.findIndex((known) => known.goalId !== null && known.goalId === proposal.goalId);
    const at = byItem >= 0 ? byItem : merged.findIndex((known) => isAlike(known, proposal));
    const known = merged[at];
    if (known) merged[at] = join(known, proposal);
    else merged.push(proposal);
  }
  return merged.map((proposal, i) => ({
    index: i + 1,
    kind: proposal.kind,
    matterKind: proposal.matterKind,
    goalId: proposal.goalId,
    title: proposal.title,
    whyNow: proposal.whyNow,
    draft: proposal.draft,
    evidence: [...proposal.evidence],
    decision: null,
    reason: null,
    note: null,
  }));
}

/** Two items are two matters, however alike: the person sees both in the list and may close one. */
function isAlike(a: Proposal, b: Proposal): boolean {
  return (a.goalId === null || b.goalId === null) && isSameMatter(a, b);
}

function join(a: Proposal, b: Proposal): Proposal {
  return {
    ...a,
    goalId: a.goalId ?? b.goalId,
    matterKind: a.goalId === null && b.goalId !== null ? b.matterKind : a.matterKind,
    dueAt: a.dueAt ?? b.dueAt,
    whyNow: a.whyNow || b.whyNow,
    draft: a.draft || b.draft,
    evidence: joinEvidence(a.evidence, b.evidence, EVIDENCE_LINES),
  };
}
