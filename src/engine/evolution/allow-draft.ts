import { z } from "zod";
import type { Scope } from "../scope.ts";
import { changeProblem, type ProposalType } from "./change-kinds.ts";
import type { Clash } from "./changes/planned.ts";
import type { Draft } from "./draft.ts";
import { type ProposalStatus, proposalEvidenceSchema } from "./proposal.ts";

/** New sessions in which a refused cause must have been seen before it is proposed once more; twice refused, twice as many. */
export const NEW_SESSIONS = 10;
/** Failed so often for one cause: a person has to look at it. */
const MOST_FAILURES = 2;
/** Shares of words from which two titles of one scope say the same. */
const LIKENESS = 0.7;

export type HeldBack = "active" | "refused" | "failed_before" | "kind_on_hold" | "taken_back" | Clash;

export interface Refused {
  number: number;
  reason: string | null;
  at: Date;
  newSessions: number;
}

/** What earlier proposals say about new drafts; read once a night. */
export interface Earlier {
  holds: ReadonlySet<string>;
  proposals: readonly {
    number: number;
    date: string;
    type: string;
    title: string;
    status: ProposalStatus;
    fingerprint: string;
    scope: string;
    reason: string | null;
    because: string | null;
    decidedAt: Date | null;
    evidence: unknown;
  }[];
}

export async function readEarlier(scope: Scope): Promise<Earlier> {
  const agentId = scope.agent.id;
  const holds = await scope.db.kindHold.findMany({ where: { agentId }, select: { type: true } });
  const proposals = await scope.db.evolutionProposal.findMany({
    where: { agentId },
    orderBy: { createdAt: "desc" },
    take: 1_000,
    select: {
      number: true,
      date: true,
      type: true,
      title: true,
      status: true,
      fingerprint: true,
      scope: true,
      reason: true,
      because: true,
      decidedAt: true,
      evidence: true,
    },
  });
  return {
    holds: new Set(holds.map(({ type }) => type)),
    proposals: proposals.map((each) => ({ ...each, status: each.status as ProposalStatus })),
  };
}

/**
 * Whether a draft may be shown to a person: not when its text is unsafe, its kind is on hold, the same is active already, or
 * the same cause was refused and nothing new has come up since. Told apart by cause and scope, and by likeness of words.
 */
export async function allowDraft(
  scope: Scope,
  draft: Draft,
  earlier: Earlier,
  date: string,
): Promise<{ allow: true; refusedBefore?: Refused } | { allow: false; why: HeldBack }> {
  const problem = changeProblem(draft.change);
  if (problem) return { allow: false, why: problem };
  if (earlier.holds.has(draft.change.type)) return { allow: false, why: "kind_on_hold" };
  const alike = earlier.proposals.filter(
    (each) => each.fingerprint === draft.cause.fingerprint || isAlike(each, draft) || isSameGround(each, draft),
  );
  // A proposal of this very date that is still open is replaced, not doubled.
  const active = alike.filter(
    ({ status, date: of }) =>
      ["approved", "executed"].includes(status) || (status === "pending_approval" && of !== date),
  );
  if (active.length > 0) return { allow: false, why: "active" };
  if (alike.filter(({ status }) => status === "failed").length >= MOST_FAILURES)
    return { allow: false, why: "failed_before" };
  const refused = alike.filter(({ status }) => status === "rejected" || status === "reverted");
  const [last] = refused;
  if (!last) return { allow: true };
  const cited = new Set(
    refused.flatMap(({ evidence }) => proposalEvidenceSchema.safeParse(evidence).data?.sessions ?? []),
  );
  const fresh = await sessionsSince(scope, draft, last.date, cited);
  if (fresh < NEW_SESSIONS * 2 ** (refused.length - 1)) {
    return { allow: false, why: last.status === "reverted" ? "taken_back" : "refused" };
  }
  const at = last.decidedAt ?? scope.clock.now();
  return {
    allow: true,
    refusedBefore: { number: last.number, reason: last.reason ?? last.because, at, newSessions: fresh },
  };
}

/** Sessions in which the cause was seen after a date, other than those already cited. */
async function sessionsSince(
  scope: Scope,
  { cause }: Draft,
  date: string,
  cited: ReadonlySet<string>,
): Promise<number> {
  const days = await scope.db.causeDay.findMany({
    where: { agentId: scope.agent.id, fingerprint: cause.fingerprint, date: { gt: date } },
    select: { sessions: true },
  });
  const ids = z.array(z.string()).catch([]);
  const fresh = new Set([...days.flatMap(({ sessions }) => ids.parse(sessions)), ...cause.sessions]);
  for (const id of cited) fresh.delete(id);
  return fresh.size;
}

/** The same sessions at the same place, seen as another kind of trouble: the same evidence in another dress. */
function isSameGround(earlier: Earlier["proposals"][number], { cause }: Draft): boolean {
  if (earlier.scope !== cause.scope || cause.allSessions.length === 0) return false;
  const cited = new Set(proposalEvidenceSchema.safeParse(earlier.evidence).data?.sessions ?? []);
  return cause.allSessions.filter((id) => cited.has(id)).length * 2 >= cause.allSessions.length;
}

function isAlike(earlier: { type: string; title: string; scope: string }, draft: Draft): boolean {
  if (earlier.type !== (draft.change.type satisfies ProposalType) || earlier.scope !== draft.cause.scope) return false;
  const [one, other] = [pairs(earlier.title), pairs(draft.title)];
  if (one.size === 0 || other.size === 0) return false;
  let shared = 0;
  for (const each of one) if (other.has(each)) shared++;
  return (2 * shared) / (one.size + other.size) >= LIKENESS;
}

/** Two signs at a time, which does for words in either language. */
function pairs(text: string): Set<string> {
  const plain = text.toLowerCase().replace(/[\s\p{P}\d]+/gu, "");
  const found = new Set<string>();
  for (let i = 0; i + 1 < plain.length; i++) found.add(plain.slice(i, i + 2));
  return found;
}
