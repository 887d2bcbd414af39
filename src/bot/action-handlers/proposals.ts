import { adoptPending } from "../../engine/evolution/adopt-pending.ts";
import { approveLowRisk } from "../../engine/evolution/approve-low-risk.ts";
import { approveProposal } from "../../engine/evolution/approve-proposal.ts";
import { proposalTypes } from "../../engine/evolution/change-kinds.ts";
import { resumeKind } from "../../engine/evolution/kind-holds.ts";
import { postponeProposal } from "../../engine/evolution/postpone-proposal.ts";
import type { Proposal } from "../../engine/evolution/proposal.ts";
import { rejectProposal } from "../../engine/evolution/reject-proposal.ts";
import { revertProposal } from "../../engine/evolution/revert-proposal.ts";
import { assertMay } from "../../engine/people/person.ts";
import { switchStrategy } from "../../engine/strategy/switch-strategy.ts";
import { askToRun } from "../ask-to-look.ts";
import type { Answer, Tap } from "../tap.ts";
import type { ActionHandlers } from "./index.ts";
import { openCard } from "./open-card.ts";

type ProposalActions = Pick<
  ActionHandlers,
  | "proposal.approve"
  | "proposal.reject"
  | "proposal.why"
  | "proposal.whyWords"
  | "proposal.later"
  | "proposal.show"
  | "proposal.revert"
  | "proposals.approveLow"
  | "report.show"
  | "report.again"
  | "strategy.switch"
  | "pending.adopt"
  | "kind.resume"
>;

const EXECUTE = ["execute-approved", "sync-cards"] as const;

/** What the buttons of reports, proposals and strategies do. Each calls one operation and words its result. */
export const proposalActions: ProposalActions = {
  "proposal.approve": async (tap, { proposal, rev }) => {
    const result = await approveProposal(tap.scope, tap.who, { id: proposal, seenRevision: rev });
    if (result.outcome === "already") return already(tap, result.proposal);
    return { ...success(tap.reader.t.evolution.toast.approved), wakes: EXECUTE };
  },
  "proposal.reject": async (tap, { proposal, rev }) => {
    const result = await rejectProposal(tap.scope, tap.who, { id: proposal, seenRevision: rev });
    if (result.outcome === "already") return already(tap, result.proposal);
    if (tap.post.subjectKind === "proposal") return success(tap.reader.t.evolution.toast.rejected);
    // Where the reason is asked for: on the proposal's own card.
    await openCard(tap, { subject: { kind: "proposal", id: proposal }, view: forViewer(tap) }, ["proposal"]);
    return success(tap.reader.t.evolution.toast.rejected);
  },
  "proposal.why": async (tap, { proposal, reason }) => giveReason(tap, proposal, reason),
  "proposal.whyWords": async (tap, { proposal }, { reason }) => {
    // Before the words are looked at: an empty reason tells a stranger to the right nothing either.
    assertMay(tap.who, "proposal.decide");
    return giveReason(tap, proposal, reason.trim());
  },
  "proposal.later": async (tap, { proposal }) => {
    const result = await postponeProposal(tap.scope, tap.who, { id: proposal });
    return result.outcome === "already" ? already(tap, result.proposal) : success(tap.reader.t.evolution.toast.later);
  },
  "proposal.show": async (tap, { proposal }) => {
    assertMay(tap.who, "evolution.read");
    return openCard(tap, { subject: { kind: "proposal", id: proposal }, view: forViewer(tap) }, []);
  },
  "proposal.revert": async (tap, { proposal }) => {
    const result = await revertProposal(tap.scope, tap.who, { id: proposal });
    if (result.outcome === "already") return already(tap, result.proposal);
    return { ...success(tap.reader.t.evolution.toast.reverting), wakes: EXECUTE };
  },
  "proposals.approveLow": async (tap, { seen }) => {
    const ids = seen.map(({ proposal, rev }) => ({ id: proposal, revision: rev }));
    const { approved, left } = await approveLowRisk(tap.scope, tap.who, ids);
    return { ...success(tap.reader.t.evolution.toast.approvedSome(approved, left)), wakes: EXECUTE };
  },
  "report.show": async (tap, { date }) => {
    assertMay(tap.who, "evolution.read");
    return openCard(tap, { subject: { kind: "report", id: date }, view: forViewer(tap) }, []);
  },
  "report.again": async (tap, { date }) => {
    assertMay(tap.who, "dream.run");
    await askToRun(tap, `/dream ${date}`);
    const content = tap.reader.t.evolution.toast.dreaming;
    return { toast: { type: "info", content }, redraw: false, wakes: ["handle-messages"] };
  },
  "strategy.switch": async (tap, { strategy, on }) => {
    await switchStrategy(tap.scope, tap.who, { which: strategy, on });
    return success(on ? tap.reader.t.evolution.toast.on : tap.reader.t.evolution.toast.off);
  },
  "pending.adopt": async (tap, { pending }) => {
    assertMay(tap.who, "proposal.decide");
    const write = (await tap.scope.files.pendingWrites()).find(({ id }) => id === pending);
    if (!write?.memory) return { toast: { type: "info", content: tap.reader.t.evolution.toast.gone }, redraw: true };
    await adoptPending(tap.scope, tap.who, write);
    return success(tap.reader.t.evolution.toast.adopted);
  },
  "kind.resume": async (tap, { kind }) => {
    const type = proposalTypes.find((each) => each === kind);
    if (type) await resumeKind(tap.scope, tap.who, type);
    return success(tap.reader.t.evolution.toast.resumed);
  },
};

/** Who looks, so that the card knows what they may do. */
function forViewer({ who, place }: Tap): Readonly<Record<string, unknown>> {
  return { viewer: who.openId, chatType: place.chatType };
}

async function giveReason(tap: Tap, id: string, reason: string): Promise<Answer> {
  assertMay(tap.who, "proposal.decide");
  if (reason === "") return success(tap.reader.t.evolution.toast.rejected);
  const result = await rejectProposal(tap.scope, tap.who, { id, reason });
  return result.outcome === "already"
    ? already(tap, result.proposal)
    : success(tap.reader.t.evolution.toast.reasonKept);
}

function success(content: string): Answer {
  return { toast: { type: "success", content }, redraw: true };
}

/** Somebody was quicker: the truth, and the card as it stands. */
function already(tap: Tap, { status }: Proposal): Answer {
  const { toast, proposal } = tap.reader.t.evolution;
  return { toast: { type: "info", content: toast.already(proposal.states[status]) }, redraw: true };
}
