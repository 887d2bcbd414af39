import { EngineError } from "../errors.ts";
import type { Evidence } from "../evidence.ts";
import { assertMay, personBehind } from "../people/person.ts";
import type { Actor, Scope } from "../scope.ts";
import { readTries } from "./decide-run.ts";
import type { EditorTry } from "./edit-by-agent.ts";
import { candidateSchema, type DecisionReason } from "./run.ts";

/** The name under which ticks are recorded as background jobs. */
export const TICK_JOB = "proactive-tick";

/** A candidate with what was decided about it, and the original lines it rests on. */
export interface ExplainedCandidate {
  index: number;
  title: string;
  whyNow: string;
  decision: "send" | "skip" | null;
  reason: DecisionReason | null;
  note: string | null;
  evidence: readonly Evidence[];
}

/** A look that said nothing. */
export interface Silence {
  checkedAt: Date;
  /** A silence (nothing_new, outside_active_window, …) or the outcome of the run (skipped_all, nothing_to_say, failed). */
  reason: string;
}

export type Explanation =
  | {
      kind: "message";
      runId: string;
      deliveryId: string;
      text: string;
      sentAt: Date;
      /** Why there was a run at all. */
      tickReason: string;
      extractor: string | null;
      editor: string | null;
      tries: readonly EditorTry[];
      /** What the message is about first, then what the run held back; only the matter asked for when there was one. */
      candidates: readonly ExplainedCandidate[];
      /** So many more the run judged, left out because one matter was asked for. */
      others: number;
      /** The latest look, when it came after the message and said nothing. Only of "latest". */
      silentSince?: Silence;
    }
  | (Silence & {
      kind: "silent";
      /** There when the tick became a run and its editor kept silent. */
      runId?: string;
      extractor: string | null;
      editor: string | null;
      tries: readonly EditorTry[];
      candidates: readonly ExplainedCandidate[];
    });

/** A message this young is what a bare /why asks about, even when silent looks followed it. */
const STILL_ASKED_ABOUT_MS = 86_400_000;

/**
 * /why: which lines and which decision led to a message, to all of it or to one matter in it; or, asked about nothing in
 * particular, the newest message of the last day and what became of the looks since, or why the latest look was silent.
 * @throws EngineError forbidden · not_found (no such message, or nothing has been looked at yet)
 */
export async function explain(
  scope: Scope,
  who: Actor,
  about: { deliveryId: string; itemId?: string } | { messageId: string } | { itemId: string } | "latest",
): Promise<Explanation> {
  assertMay(who, "item.list");
  const agentId = scope.agent.id;
  if (about === "latest") {
    assertMay(who, "runs.read");
    return explainLatest(scope);
  }
  const deliveryId =
    "deliveryId" in about
      ? about.deliveryId
      : "messageId" in about
        ? await ofMessage(scope, about.messageId)
        : await ofItem(scope, about.itemId);
  const recipient = deliveryId
    ? await scope.db.delivery.findFirst({ where: { agentId, id: deliveryId }, select: { recipientOpenId: true } })
    : null;
  // A message is explained to the one who got it; to other members it does not exist.
  const person = personBehind(who);
  if (!deliveryId || !recipient || (person?.role === "member" && person.openId !== recipient.recipientOpenId)) {
    throw new EngineError("not_found", { what: "delivery", ...(deliveryId && { given: deliveryId }) });
  }
  return explainDelivery(scope, deliveryId, "itemId" in about ? about.itemId : undefined);
}

async function explainDelivery(
  scope: Scope,
  deliveryId: string,
  itemId?: string,
): Promise<Extract<Explanation, { kind: "message" }>> {
  const agentId = scope.agent.id;
  const delivery = await scope.db.delivery.findFirst({ where: { agentId, id: deliveryId } });
  if (!delivery) throw new EngineError("not_found", { what: "delivery", given: deliveryId });
  const post = await scope.db.cardPost.findFirst({
    where: { agentId, id: delivery.cardPostId },
    select: { sentAt: true },
  });
  const run = await scope.db.checkpoint.findFirst({ where: { agentId, runId: delivery.runId } });
  const candidates = await readCandidates(scope, delivery.runId);
  const matter =
    itemId === undefined
      ? null
      : await scope.db.deliveryMatter.findFirst({
          where: { agentId, deliveryId, itemId },
          select: { candidateIndex: true },
        });
  const asked = candidates.filter((each) => each.index === matter?.candidateIndex);
  const told = asked.length > 0 ? asked : candidates;
  return {
    kind: "message",
    runId: delivery.runId,
    deliveryId: delivery.id,
    text: delivery.text,
    sentAt: post?.sentAt ?? delivery.createdAt,
    tickReason: run?.reason ?? "item_due",
    extractor: run?.extractor ?? null,
    editor: run?.editor ?? null,
    tries: readTries(run?.editorTries),
    candidates: [...told].sort((a, b) => Number(b.decision === "send") - Number(a.decision === "send")),
    others: candidates.length - told.length,
  };
}

async function explainLatest(scope: Scope): Promise<Explanation> {
  const newest = await scope.db.delivery.findFirst({
    where: {
      agentId: scope.agent.id,
      withdrawnAt: null,
      status: { not: "failed" },
      createdAt: { gte: new Date(scope.clock.now().getTime() - STILL_ASKED_ABOUT_MS) },
    },
    orderBy: { createdAt: "desc" },
    select: { id: true, runId: true, createdAt: true },
  });
  const look = await readLatestLook(scope);
  if (newest) {
    const told = await explainDelivery(scope, newest.id);
    if (look === undefined || look.runId === newest.runId || look.checkedAt <= newest.createdAt) return told;
    return { ...told, silentSince: { checkedAt: look.checkedAt, reason: look.reason } };
  }
  if (look === undefined) throw new EngineError("not_found", { what: "run" });
  const { runId } = look;
  const delivery =
    runId && (await scope.db.delivery.findFirst({ where: { agentId: scope.agent.id, runId }, select: { id: true } }));
  if (delivery) return explainDelivery(scope, delivery.id);
  return { kind: "silent", ...look, candidates: runId === undefined ? [] : await readCandidates(scope, runId) };
}

/** The latest look: a run, or a tick that became none. */
async function readLatestLook(
  scope: Scope,
): Promise<
  | (Silence & { runId?: string; extractor: string | null; editor: string | null; tries: readonly EditorTry[] })
  | undefined
> {
  const run = await scope.db.checkpoint.findFirst({
    where: { agentId: scope.agent.id, status: { not: "pending" } },
    orderBy: { startedAt: "desc" },
  });
  const silence = await readLastSilence(scope);
  if (silence && (!run || silence.at >= run.startedAt)) {
    return { checkedAt: silence.at, reason: silence.reason, extractor: null, editor: null, tries: [] };
  }
  if (!run) return undefined;
  const { runId, extractor, editor } = run;
  return {
    runId,
    checkedAt: run.startedAt,
    reason: run.outcome ?? run.status,
    extractor,
    editor,
    tries: readTries(run.editorTries),
  };
}

/**
 * Why the latest tick that became no run was silent. It stands in the row of the background job, which is written for
 * every slot anyway: a silent tick itself writes nothing.
 */
export async function readLastSilence(scope: Scope): Promise<{ at: Date; reason: string } | undefined> {
  const row = await scope.db.jobRun.findFirst({
    where: { agentId: scope.agent.id, job: TICK_JOB, outcome: "no_op", reason: { not: null } },
    orderBy: { slotAt: "desc" },
    select: { startedAt: true, finishedAt: true, reason: true },
  });
  return row?.reason ? { at: row.finishedAt ?? row.startedAt, reason: row.reason } : undefined;
}

async function ofMessage(scope: Scope, messageId: string): Promise<string | undefined> {
  const post = await scope.db.cardPost.findFirst({
    where: { agentId: scope.agent.id, messageId, subjectKind: "delivery" },
    select: { subjectId: true },
  });
  return post?.subjectId;
}

/** The newest message that spoke of the item. */
async function ofItem(scope: Scope, itemId: string): Promise<string | undefined> {
  const agentId = scope.agent.id;
  const matters = await scope.db.deliveryMatter.findMany({
    where: { agentId, itemId, folded: false },
    select: { deliveryId: true },
  });
  const newest = await scope.db.delivery.findFirst({
    where: { agentId, id: { in: matters.map((matter) => matter.deliveryId) } },
    orderBy: { createdAt: "desc" },
    select: { id: true },
  });
  return newest?.id;
}

async function readCandidates(scope: Scope, runId: string): Promise<ExplainedCandidate[]> {
  const rows = await scope.db.candidate.findMany({
    where: { agentId: scope.agent.id, runId },
    orderBy: { index: "asc" },
  });
  return rows.map((row) => {
    const { index, title, whyNow, decision, reason, note, evidence } = candidateSchema.parse(row);
    return { index, title, whyNow, decision, reason, note, evidence };
  });
}
