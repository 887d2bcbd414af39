import { header, line, note, words } from "./blocks.ts";
import type { Card } from "./card.ts";
import { type Block, fitCard } from "./fit-card.ts";
import type { Look } from "./look.ts";
import { proposalRow, type ReportProposal } from "./report-card.ts";

/** What waits for a decision, or was lately decided. */
export type ProposalListView = { readonly proposals: readonly ReportProposal[] };

export function proposalListCard({ proposals }: ProposalListView, look: Look): Card {
  const blocks: Block[] =
    proposals.length === 0
      ? [{ stands: 0, elements: [words(look, (t) => t.evolution.list.empty)] }]
      : [
          { stands: 0, elements: [note(look, (t) => t.evolution.list.count(proposals.length))] },
          ...proposals.map((proposal): Block => ({ stands: 1, elements: [line(), ...proposalRow(proposal, look)] })),
          { stands: 0, elements: [line(), note(look, (t) => t.evolution.list.typing)] },
        ];
  return fitCard(look, {
    header: header(look, "blue", (t) => t.evolution.list.title),
    summary: (t) => `${t.evolution.list.title} · ${proposals.length}`,
    blocks,
  });
}
