import type { Tx } from "../db.ts";
import { jsonColumn, jsonColumnOrNull } from "../json-column.ts";
import type { Scope } from "../scope.ts";
import type { Refused } from "./allow-draft.ts";
import type { Day } from "./day-of.ts";
import type { Draft } from "./draft.ts";
import { touchProposal } from "./find-proposal.ts";
import { PROPOSAL_DAYS } from "./proposal.ts";

export interface AllowedDraft {
  draft: Draft;
  refusedBefore?: Refused;
}

/**
 * Puts the drafts of a date in the place of what an earlier run has drafted: what nobody decided on yet and is drafted again
 * keeps its number (and changes its revision when its text has changed), the rest expires.
 */
export async function keepProposals(tx: Tx, scope: Scope, day: Day, drafts: readonly AllowedDraft[]): Promise<void> {
  const agentId = scope.agent.id;
  const now = scope.clock.now();
  const open = await tx.evolutionProposal.findMany({ where: { agentId, date: day.date, status: "pending_approval" } });
  const kept = new Set<string>();
  for (const { draft, refusedBefore } of drafts) {
    const data = columns(draft, refusedBefore);
    const before = open.find(({ fingerprint }) => fingerprint === draft.cause.fingerprint);
    if (before) {
      kept.add(before.id);
      const seen = JSON.stringify([before.title, before.payload, before.risk]);
      const changed = seen !== JSON.stringify([data.title, data.payload, data.risk]);
      await tx.evolutionProposal.update({
        where: { id: before.id },
        data: { ...data, updatedAt: now, ...(changed && { revision: { increment: 1 } }) },
      });
      await touchProposal(tx, scope, before);
      continue;
    }
    await addProposal(tx, scope, day, { draft, ...(refusedBefore && { refusedBefore }) });
  }
  for (const gone of open.filter(({ id }) => !kept.has(id))) {
    await tx.evolutionProposal.update({
      where: { id: gone.id },
      data: { status: "expired", because: "superseded", revision: { increment: 1 }, updatedAt: now },
    });
    await touchProposal(tx, scope, gone);
  }
}

/** A new proposal with the next number. */
export async function addProposal(
  tx: Tx,
  scope: Scope,
  day: Day,
  { draft, refusedBefore }: AllowedDraft,
): Promise<{ number: number }> {
  const now = scope.clock.now();
  return tx.evolutionProposal.create({
    data: {
      id: scope.ids.id("prop"),
      agentId: scope.agent.id,
      number: await nextNumber(tx, scope.agent.id),
      date: day.date,
      ...columns(draft, refusedBefore),
      status: "pending_approval",
      expiresAt: new Date(now.getTime() + PROPOSAL_DAYS * 86_400_000),
      createdAt: now,
      updatedAt: now,
    },
    select: { number: true },
  });
}

function columns({ change, cause, ...draft }: Draft, refusedBefore: Refused | undefined) {
  return {
    type: change.type,
    title: draft.title,
    description: draft.description,
    payload: jsonColumn(change.payload),
    expectedEffect: draft.expectedEffect,
    risk: draft.risk,
    evidence: jsonColumn({
      sessions: cause.allSessions.slice(0, 50),
      count: cause.total,
      dates: cause.dates,
      quotes: cause.quotes,
    }),
    measure: jsonColumn(draft.measure),
    fingerprint: cause.fingerprint,
    cause: cause.key.slice(0, 200),
    scope: cause.scope,
    draftedBy: draft.draftedBy,
    refusedBefore: jsonColumnOrNull(refusedBefore),
  };
}

async function nextNumber(tx: Tx, agentId: string): Promise<number> {
  const { value } = await tx.counter.upsert({
    where: { agentId_name: { agentId, name: "proposal" } },
    update: { value: { increment: 1 } },
    create: { agentId, name: "proposal", value: 1 },
    select: { value: true },
  });
  return value;
}
