import { touchCards } from "../card-posts.ts";
import type { Tx } from "../db.ts";
import { EngineError } from "../errors.ts";
import type { Scope } from "../scope.ts";
import { type Proposal, type ProposalStatus, proposalSchema } from "./proposal.ts";

/** By its id, or by the number people type. @throws EngineError not_found, with the numbers that are open */
export async function findProposal(scope: Scope, by: { id: string } | { number: number }): Promise<Proposal> {
  const row = await scope.db.evolutionProposal.findFirst({ where: { agentId: scope.agent.id, ...by } });
  const parsed = proposalSchema.safeParse(row);
  if (parsed.success) return parsed.data;
  const open = await scope.db.evolutionProposal.findMany({
    where: { agentId: scope.agent.id, status: "pending_approval" },
    orderBy: { number: "asc" },
    select: { number: true },
    take: 9,
  });
  throw new EngineError("not_found", {
    what: "proposal",
    given: "number" in by ? `#${by.number}` : "",
    near: open.map(({ number }) => `#${number}`),
  });
}

/** What a tap or command that came too late is told: who was first, and with what. */
export interface DecidedAlready {
  outcome: "already";
  proposal: Proposal;
}

/**
 * Why a conditional update changed nothing: somebody else decided (a result), or what the person saw is not what stands
 * there now (an error).
 * @throws EngineError changed_since_seen · not_found
 */
export async function explainUnchanged(
  scope: Scope,
  input: { id: string; seenRevision?: number },
  wanted: readonly ProposalStatus[],
): Promise<DecidedAlready> {
  const proposal = await findProposal(scope, { id: input.id });
  if (!wanted.includes(proposal.status)) return { outcome: "already", proposal };
  throw new EngineError("changed_since_seen", { what: "proposal", id: input.id });
}

/** Pictures of a proposal are out of date: its own cards, the report of its date, lists. */
export async function touchProposal(tx: Tx, scope: Scope, proposal: Pick<Proposal, "id" | "date">): Promise<void> {
  await touchCards(tx, scope, { kind: "proposal", id: proposal.id });
  const latest = await tx.reflectionReport.findFirst({
    where: { agentId: scope.agent.id },
    orderBy: { date: "desc" },
    select: { date: true },
  });
  // The newest report also shows what older ones have left open.
  for (const date of new Set([proposal.date, latest?.date ?? proposal.date])) {
    await touchCards(tx, scope, { kind: "report", id: date });
  }
  await touchCards(tx, scope, { kind: "proposal-list", id: "open" });
}
