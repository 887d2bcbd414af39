import type { ProposalView } from "../../cards/proposal-card.ts";
import type { ProposalListView } from "../../cards/proposal-list-card.ts";
import type { ReportProposal } from "../../cards/report-card.ts";
import type { StrategiesView } from "../../cards/strategies-card.ts";
import type { Who } from "../../cards/who.ts";
import { describeChange } from "../../engine/evolution/describe-change.ts";
import { MIN_SAMPLES } from "../../engine/evolution/improvement-unit.ts";
import { type Proposal, proposalSchema } from "../../engine/evolution/proposal.ts";
import { may } from "../../engine/people/person.ts";
import { readStrategies } from "../../engine/strategy/strategy-set.ts";
import { type ViewContext, whoIs } from "./view-context.ts";

/** Decided ones stay in the list for so long. */
const DECIDED_DAYS = 3;
const MOST_LISTED = 15;

/** One proposal with its change, its evidence and its trial; undefined when it is gone. */
export async function proposalView(context: ViewContext, id: string): Promise<ProposalView | undefined> {
  const { scope } = context;
  const row = await scope.db.evolutionProposal.findFirst({ where: { id, agentId: scope.agent.id } });
  const parsed = proposalSchema.safeParse(row);
  if (!parsed.success) return undefined;
  const proposal = parsed.data;
  const [state] = await proposalRows(context, [proposal]);
  if (!state) return undefined;
  const { diff, target, clash, lessonEndsAt } = await describeChange(scope, proposal);
  return {
    ...state,
    description: proposal.description,
    draftedBy: proposal.draftedBy,
    expiresAt: proposal.expiresAt,
    diff,
    ...(target !== undefined && { target }),
    // What is decided is shown as it was; only what may still be executed can be in the way of something.
    ...(clash !== undefined && ["pending_approval", "failed"].includes(proposal.status) && { clash }),
    ...(lessonEndsAt && { lessonEndsAt }),
    evidence: {
      count: proposal.evidence.count,
      sessions: proposal.evidence.sessions,
      dates: proposal.evidence.dates.length,
      quotes: proposal.evidence.quotes
        // What was said in a direct chat is never shown in a group.
        .filter((quote) => context.readerOpenId !== undefined || quote.chatType === "group")
        .map((quote) => ({ role: quote.role, at: quote.at, text: quote.quote })),
    },
    measuredOn: proposal.measure.categories,
  };
}

/** What waits for a decision, and what was decided or executed lately. */
export async function proposalListView(context: ViewContext): Promise<ProposalListView> {
  const { scope } = context;
  const since = new Date(scope.clock.now().getTime() - DECIDED_DAYS * 86_400_000);
  const rows = await scope.db.evolutionProposal.findMany({
    where: {
      agentId: scope.agent.id,
      OR: [{ status: "pending_approval" }, { status: { notIn: ["expired"] }, updatedAt: { gte: since } }],
    },
    orderBy: { number: "desc" },
    take: MOST_LISTED,
  });
  return {
    proposals: await proposalRows(
      context,
      rows.flatMap((row) => proposalSchema.safeParse(row).data ?? []),
    ),
  };
}

/** Proposals as rows of a report or a list. */
export async function proposalRows(context: ViewContext, proposals: readonly Proposal[]): Promise<ReportProposal[]> {
  const { scope, reader, look } = context;
  const agentId = scope.agent.id;
  const units = await scope.db.improvementUnit.findMany({
    where: { agentId, proposalId: { in: proposals.map(({ id }) => id) } },
  });
  const deciders = [...new Set(proposals.flatMap(({ decidedBy }) => decidedBy ?? []))];
  const people = await scope.db.person.findMany({
    where: { agentId, openId: { in: deciders } },
    select: { openId: true, name: true },
  });
  const names = new Map(people.flatMap(({ openId, name }) => (name === null ? [] : [[openId, name] as const])));
  const mayDecide =
    reader !== undefined && may({ kind: "person", openId: reader.openId, role: reader.role }, "proposal.decide");
  return proposals.map((proposal) => {
    const unit = units.find(({ proposalId }) => proposalId === proposal.id);
    const { refusedBefore } = proposal;
    return {
      id: proposal.id,
      revision: proposal.revision,
      number: proposal.number,
      kind: proposal.type,
      title: proposal.title,
      effect: proposal.expectedEffect,
      status: proposal.status,
      risk: proposal.risk,
      mayDecide,
      ...(proposal.decidedBy !== null &&
        proposal.decidedAt !== null && {
          decided: { by: whoIs(context, proposal.decidedBy, names) satisfies Who, at: proposal.decidedAt },
        }),
      ...(proposal.reason !== null && { reason: proposal.reason }),
      ...(proposal.because !== null && { because: proposal.because }),
      revertAsked: proposal.revertedBy !== null && proposal.status === "executed",
      later: proposal.laterUntil !== null && proposal.laterUntil > look.now,
      ...(proposal.executedAt && { executedAt: proposal.executedAt }),
      ...(proposal.revertedAt && { revertedAt: proposal.revertedAt }),
      ...(refusedBefore && {
        refusedBefore: {
          number: refusedBefore.number,
          at: refusedBefore.at,
          newSessions: refusedBefore.newSessions,
          ...(refusedBefore.reason !== null && { reason: refusedBefore.reason }),
        },
      }),
      ...(unit && {
        trial: {
          status: unit.status,
          samples: unit.samples,
          need: MIN_SAMPLES,
          ...(unit.baselineScore !== null && { before: unit.baselineScore }),
          ...(unit.currentScore !== null && { now: unit.currentScore }),
        },
      }),
    };
  });
}

/** The set of strategies in force. */
export async function strategiesView(context: ViewContext): Promise<StrategiesView> {
  const { scope, reader } = context;
  const { version, strategies } = await readStrategies(scope);
  const row = await scope.db.strategyVersion.findFirst({
    where: { agentId: scope.agent.id, version },
    select: { activeFrom: true },
  });
  return {
    version,
    ...(row && { since: row.activeFrom }),
    strategies: strategies.map(({ id, title, hint, level, scope: where, enabled, expiresAt }) => ({
      id,
      title,
      hint,
      level,
      scope: where,
      enabled,
      ...(expiresAt && { endsAt: expiresAt }),
    })),
    maySwitch:
      reader !== undefined && may({ kind: "person", openId: reader.openId, role: reader.role }, "strategy.switch"),
  };
}
