import { textsFor } from "../../text/pick.ts";
import { inTransaction, type Tx } from "../db.ts";
import { EngineError } from "../errors.ts";
import { jsonColumn } from "../json-column.ts";
import { statusesBefore } from "../lifecycle.ts";
import { maskSecrets } from "../mask-secrets.ts";
import { assertMay } from "../people/person.ts";
import type { Actor, Scope } from "../scope.ts";
import { takeTurns } from "../take-turns.ts";
import { PRIVATE } from "../tracking/audience.ts";
import { closeItem } from "../tracking/close-item.ts";
import { openItem } from "../tracking/open-item.ts";
import { updateItem } from "../tracking/update-item.ts";
import type { EditorTry } from "./edit-by-agent.ts";
import type { EditorView, JudgedCandidate } from "./editor-view.ts";
import { dateReason } from "./prepare-by-rules.ts";
import { deliveryKey, putDelivery, SNOOZE_OVER_KEY } from "./put-delivery.ts";
import { onWordsOf, type Recipient, readLastRun } from "./read-run-facts.ts";
import { checkpointLifecycle } from "./run.ts";
import { type CheckedSelection, checkSelection, type Selection } from "./selection.ts";

export interface SelectResult {
  outcome: "sent" | "skipped_all" | "nothing_to_say";
  deliveryId?: string;
  sent: number;
  skipped: number;
  closed: number;
}

/** What the run itself adds to its row when it is committed. */
export interface RunRecord {
  editor: "main-agent" | "model" | "code";
  counts: Readonly<Record<string, number>>;
  /** Editors that were asked before and did not decide. */
  tries?: readonly EditorTry[];
  /** Key of the message, when the event that caused it is not the run itself. */
  idempotencyKey?: string;
}

/**
 * proactivity_select: the editor's decisions about every candidate of a run. Checked as a whole first; then one
 * transaction writes the decisions, the closures, the checkpoint's `committed`, the pending delivery and the card that
 * is owed. Anything wrong: nothing is changed. A run can be decided once; the second time it is in the wrong state.
 * `view` is what the decision was made on (`readForEditor`).
 * @throws EngineError forbidden · invalid_input · wrong_state
 */
export async function selectCandidates(
  scope: Scope,
  who: Actor,
  view: EditorView,
  selection: Selection,
  record: RunRecord,
): Promise<SelectResult> {
  assertMay(who, "tick.run");
  const checked = checkSelection(view, selection);
  const { owner } = view.facts;
  return inTransaction(scope.db, async (tx) => {
    const inside: Scope = { ...scope, db: tx };
    const closures = closuresOf(view, checked);
    const sent = checked.shown.length;
    const result: SelectResult = {
      outcome: sent > 0 ? "sent" : view.candidates.length > 0 ? "skipped_all" : "nothing_to_say",
      sent,
      skipped: view.candidates.length - sent,
      closed: closures.length,
    };
    await commit(tx, scope, view, result, record);
    await writeDecisions(tx, scope, view, checked);
    if (owner) {
      for (const { itemId, why, evidence } of closures) {
        await closeItem(inside, onWordsOf(owner), { itemId, why, evidence: [evidence] });
      }
    }
    await noteClaims(inside, view);
    if (sent > 0) {
      if (!owner) throw new EngineError("wrong_state", { what: "owner", state: "missing", possible: ["people.pair"] });
      result.deliveryId = await deliver(tx, inside, view, checked, owner, record);
    }
    // Once more at the end, so that whatever the run itself changes lies before it and makes no further run.
    await tx.checkpoint.updateMany({
      where: { runId: view.runId, agentId: scope.agent.id },
      data: { settledAt: scope.clock.now() },
    });
    return result;
  });
}

/**
 * Conditional on `pending`: of two who decide the same run, or a run already superseded, only one goes on. Of two runs that
 * looked at the same time only the first goes on: the other knows nothing of what it said, and its window is read again.
 */
async function commit(tx: Tx, scope: Scope, view: EditorView, result: SelectResult, record: RunRecord): Promise<void> {
  const { sent, skipped, closed } = result;
  await takeTurns(tx, scope, "commit-run");
  const last = await readLastRun({ ...scope, db: tx }, view.runId);
  if (last?.runId !== view.facts.lastRunId || (sent > 0 && (await wasSpokenSince(tx, scope, view)))) {
    throw new EngineError("wrong_state", { what: "run", state: "overtaken", possible: ["tick.run"] });
  }
  const { count } = await tx.checkpoint.updateMany({
    where: {
      runId: view.runId,
      agentId: scope.agent.id,
      status: { in: statusesBefore(checkpointLifecycle, "commit") },
    },
    data: {
      status: "committed",
      outcome: result.outcome,
      editor: record.editor,
      ...(record.tries && record.tries.length > 0 && { editorTries: jsonColumn(record.tries) }),
      counts: jsonColumn({ ...record.counts, candidates: view.candidates.length, sent, skipped, closed }),
      settledAt: scope.clock.now(),
    },
  });
  if (count === 1) return;
  const run = await tx.checkpoint.findFirst({ where: { runId: view.runId, agentId: scope.agent.id } });
  throw new EngineError("wrong_state", { what: "run", state: run?.status ?? "missing", possible: ["tick.run"] });
}

/** An ended snooze was told while this run was deciding: the gap now counts from that message. */
async function wasSpokenSince(tx: Tx, scope: Scope, view: EditorView): Promise<boolean> {
  const { now, asked, spokenAt } = view.facts.disturb;
  if (asked || !view.facts.owner) return false;
  const told = await tx.delivery.findMany({
    where: {
      agentId: scope.agent.id,
      recipientOpenId: view.facts.owner.openId,
      withdrawnAt: null,
      status: { not: "failed" },
      createdAt: { gte: now },
      idempotencyKey: { startsWith: SNOOZE_OVER_KEY },
    },
    select: { createdAt: true },
  });
  const known = new Set(spokenAt.map((at) => at.getTime()));
  return told.some(({ createdAt }) => !known.has(createdAt.getTime()));
}

async function writeDecisions(tx: Tx, scope: Scope, view: EditorView, checked: CheckedSelection): Promise<void> {
  for (const { index, decision, reason, note } of checked.decisions) {
    await tx.candidate.updateMany({
      where: { agentId: scope.agent.id, runId: view.runId, index, decision: null },
      data: { decision, reason, note: note ? maskSecrets(note, { personal: true }).slice(0, 500) : null },
    });
  }
}

/** What the editor closes, and what a person's words have settled whether the editor noticed or not. */
function closuresOf(view: EditorView, checked: CheckedSelection) {
  const sent = new Set(checked.shown.map((judged) => judged.candidate.goalId));
  const closures = [];
  for (const [itemId, { how, evidence }] of view.settled) {
    if (how === "claimed" || (sent.has(itemId) && !checked.closeGoalIds.includes(itemId))) continue;
    closures.push({ itemId, why: how, evidence });
  }
  return closures;
}

/** What only the agent, or somebody else in a group, says is done is remembered as a claim: it is asked about, not stated. */
async function noteClaims(scope: Scope, view: EditorView): Promise<void> {
  for (const [itemId, { how, evidence }] of view.settled) {
    const item = view.facts.items.find((known) => known.id === itemId);
    if (how !== "claimed" || !item || item.claimedDoneAt) continue;
    await updateItem(
      scope,
      { kind: "worker", runId: view.runId },
      {
        itemId,
        claimedDone: { at: evidence.at, evidence: [evidence] },
      },
    );
  }
}

async function deliver(
  tx: Tx,
  scope: Scope,
  view: EditorView,
  checked: CheckedSelection,
  owner: Recipient,
  record: RunRecord,
): Promise<string> {
  const matters = [];
  for (const judged of [...checked.shown, ...checked.folded]) {
    const itemId =
      judged.item?.id ?? (checked.folded.includes(judged) ? undefined : await openFor(scope, view, judged));
    if (itemId === undefined) continue;
    matters.push({
      itemId,
      candidateIndex: judged.candidate.index,
      whyNow: isOnlyTheDate(view, judged, owner) ? "" : judged.candidate.whyNow,
      folded: checked.folded.includes(judged),
    });
  }
  const { deliveryId } = await putDelivery(tx, scope, {
    runId: view.runId,
    to: owner,
    text: maskSecrets(checked.text, { personal: true }),
    idempotencyKey: record.idempotencyKey ?? deliveryKey("run-", scope.agent.id, view.runId),
    matters,
  });
  return deliveryId;
}

/** The card names an item's date beside its title anyway, and whether it has passed. */
function isOnlyTheDate({ facts }: EditorView, { item, candidate }: JudgedCandidate, owner: Recipient): boolean {
  if (!item?.dueAt) return false;
  const { now, zone } = facts.disturb;
  return candidate.whyNow === dateReason(item, item.dueAt, { now, zone, texts: textsFor(owner.language).engine });
}

/** A candidate out of a memory or a failed job becomes an item when it is said, so that its buttons have something to act on. */
async function openFor(scope: Scope, view: EditorView, { candidate }: JudgedCandidate): Promise<string> {
  const { item } = await openItem(
    scope,
    { kind: "worker", runId: view.runId },
    {
      title: candidate.title,
      summary: candidate.whyNow,
      kind: candidate.matterKind,
      momentum: "on_track",
      evidence: candidate.evidence,
      audience: PRIVATE,
      key: `candidate ${view.runId} ${candidate.index}`,
    },
  );
  await scope.db.candidate.updateMany({
    where: { agentId: scope.agent.id, runId: view.runId, index: candidate.index },
    data: { goalId: item.id },
  });
  return item.id;
}
