import type { WhyCandidateView, WhyView } from "../../cards/why-card.ts";
import type { CardPost } from "../../engine/card-posts.ts";
import { isEngineError } from "../../engine/errors.ts";
import { type ExplainedCandidate, explain } from "../../engine/proactive/explain.ts";
import { type Owner, ownerQuoted, quoteView, type ViewContext } from "./view-context.ts";
import { viewerActor } from "./viewer.ts";

/** What `/why` explains: `delivery/<id>`, `delivery/<id>/<item>` for one matter of it, or `latest` for the latest look. Undefined when there is nothing to explain any more. */
export async function whyView(context: ViewContext, post: CardPost): Promise<WhyView | undefined> {
  const viewer = await viewerActor(context.scope, post.view);
  if (viewer === undefined) return undefined;
  const [kind, id, itemId] = post.subjectId.split("/");
  try {
    const told = await explain(
      context.scope,
      viewer.actor,
      kind === "delivery" && id !== undefined ? { deliveryId: id, ...(itemId && { itemId }) } : "latest",
    );
    const owner = await ownerQuoted(
      context,
      told.candidates.flatMap((candidate) => candidate.evidence),
    );
    const candidates = told.candidates.map((candidate) => candidateView(context, candidate, owner));
    const { extractor, editor, tries } = told;
    const judges = extractor === null ? {} : { judges: { extractor, ...(editor !== null && { editor }), tries } };
    if (told.kind === "message") {
      const { runId: run, sentAt, others, silentSince } = told;
      return { kind: "message", run, sentAt, ...judges, others, ...(silentSince && { silentSince }), candidates };
    }
    return {
      kind: "silent",
      ...judges,
      ...(told.runId === undefined ? {} : { run: told.runId }),
      checkedAt: told.checkedAt,
      reason: told.reason,
      candidates,
    };
  } catch (error) {
    if (isEngineError(error, "not_found") || isEngineError(error, "forbidden")) return undefined;
    throw error;
  }
}

function candidateView(
  context: ViewContext,
  candidate: ExplainedCandidate,
  owner: Owner | undefined,
): WhyCandidateView {
  return {
    index: candidate.index,
    title: candidate.title,
    ...(candidate.decision === null ? {} : { decision: candidate.decision }),
    ...(candidate.reason === null ? {} : { reason: candidate.reason }),
    ...(candidate.note === null ? {} : { note: candidate.note }),
    evidence: candidate.evidence.map((line) => quoteView(context, line, owner)),
  };
}
