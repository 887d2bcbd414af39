import { isEngineError } from "../errors.ts";
import { LlmError } from "../ports.ts";
import type { Actor, Scope } from "../scope.ts";
import type { TrackingItem } from "../tracking/item.ts";
import { edit } from "./edit.ts";
import { type EditorView, viewForEditor } from "./editor-view.ts";
import { looksLikeInstruction } from "./flag-instructions.ts";
import { beginRun, countFailures, failRun, giveWay, keepCandidates, supersedeLeftOvers } from "./keep-run.ts";
import { lookAround, type Surroundings } from "./look-around.ts";
import { SourceNumbers } from "./number-sources.ts";
import { readItems } from "./read-for-editor.ts";
import { readRunFacts } from "./read-run-facts.ts";
import { lookOf, readSent, renderContext } from "./render-context.ts";
import type { Candidate, Silence, TickReason } from "./run.ts";
import { holdRun } from "./run-lease.ts";
import { runWorkers, type WorkersResult } from "./run-workers.ts";
import { selectCandidates } from "./select-candidates.ts";
import { checkSelection, type Selection } from "./selection.ts";
import { settleDeliveries } from "./settle-deliveries.ts";
import { imagineMatters, readKnownItems, storeMatters } from "./store-matters.ts";

export interface TickOptions {
  /** Everything but storing and sending: the result says what would be said. */
  dry?: boolean;
  /** A person asked for it: the hour and the number of messages do not matter. */
  asked?: boolean;
  /** Hermes' own cron asks, and wakes the main agent itself when there is something to judge. */
  handOver?: boolean;
}

export interface TickResult {
  /** silent: no run was made. failed: the run ended without a decision; its window is read again. */
  /** handed_over: the run waits for the agent that Hermes' cron wakes. */
  outcome: "sent" | "skipped_all" | "nothing_to_say" | "silent" | "failed" | "dry" | "handed_over";
  /** Why it was silent, or why there was a run. */
  reason?: Silence | TickReason;
  runId?: string;
  counts: Readonly<Record<string, number>>;
  /** Of a run handed over: what its editor has to name. */
  key?: string;
  /** Of a dry run: what would be said; undefined when nothing would. */
  text?: string;
  /** Of a dry run: the candidates with what would be decided. */
  candidates?: readonly Candidate[];
  /** Of a failed run: what people are told to quote. */
  ref?: string;
}

/** A model that answered unreadably so often in a row is not asked again before a run has succeeded without it. */
const FAILURES_BEFORE_RULES = 2;

/**
 * One run of the reminder pipeline, top to bottom in the order of the specification. Dying between any two lines is safe:
 * only the last step moves the watermark, and what was begun is superseded and read again by the next tick.
 */
export async function tick(
  scope: Scope,
  { dry = false, asked = false, handOver = false }: TickOptions = {},
): Promise<TickResult> {
  // Stage 1 · receipts of earlier runs, left-overs, the hour, anything new?
  if (!dry) {
    await settleDeliveries(scope);
    if ((await supersedeLeftOvers(scope)) === "live")
      return { outcome: "silent", reason: "already_looking", counts: {} };
  }
  const around = await lookAround(scope, { asked });
  if ("silent" in around) return { outcome: "silent", reason: around.silent, counts: {} };

  // Stage 1 · the six input documents.
  const startedAt = scope.clock.now();
  const runId = scope.ids.id("run");
  const sources = new SourceNumbers();
  const sent = await readSent(scope, around.facts.owner?.openId);
  const { newMessages, earlierMessages, cuts } = around.window;
  const documents = await renderContext(
    scope,
    { facts: around.facts, newMessages, earlierMessages, cuts, crons: around.crons, sent },
    sources,
  );
  if (!dry) {
    const begun = { runId, reason: around.reason, startedAt, window: around.window, documents };
    // Another tick was quicker: what is new is its matter.
    if (!(await beginRun(scope, begun))) return { outcome: "silent", reason: "nothing_new", counts: {} };
  }
  const letGo = dry ? () => {} : holdRun(scope);
  try {
    // Stage 2 · two workers, one after the other; merged and numbered.
    const who: Extract<Actor, { kind: "worker" }> = { kind: "worker", runId };
    const found = await runWorkers(scope, {
      runId,
      facts: around.facts,
      look: lookOf(around.facts),
      documents,
      sources,
      messages: [...earlierMessages, ...newMessages].map((line) => line.message),
      newlyFailedCrons: around.newlyFailedCrons,
      sent,
      knownItems: await readKnownItems(scope),
      rulesOnly: (await countFailures(scope, around.facts.lastJudgedAt)) >= FAILURES_BEFORE_RULES,
      keep: async (matters) => {
        if (dry) return imagineMatters(scope, matters);
        const stored = await storeMatters(scope, who, matters);
        return { ...stored, items: (await readRunFacts(scope, { asked })).items };
      },
    });
    const { extractor, candidates } = found;
    if (!dry) await keepCandidates(scope, { runId, extractor, candidates, documents: found.documents });

    // Stage 3 · the editors in order; each looks once more at what was said and decides about every candidate.
    const counts = { ...countsOf(around), ...found.counts };
    const shown = { ...documents, ...found.documents };
    const look = (): Promise<EditorView> => lookAgain(scope, around, found, runId, { dry, asked });
    const edited = await edit(scope, { look, documents: shown, runId, counts, dry, handOver });
    if ("key" in edited) return { outcome: "handed_over", reason: around.reason, runId, counts, key: edited.key };
    if ("decided" in edited) return { ...edited.decided, reason: around.reason, runId };
    const { view, selection, editor, tries } = edited;
    if (dry) return dryResult(view, selection, around.reason, counts);
    const result = await selectCandidates(scope, { kind: "job", name: "proactive-tick" }, view, selection, {
      editor,
      counts,
      tries,
    });
    const { outcome, sent: spoken, skipped, closed } = result;
    return { outcome, reason: around.reason, runId, counts: { ...counts, sent: spoken, skipped, closed } };
  } catch (error) {
    if (!dry && isEngineError(error, "wrong_state") && error.facts.what === "run") {
      scope.log.info("proactive.run_gave_way", { runId });
      await giveWay(scope, runId);
      return { outcome: "silent", reason: "already_looking", runId, counts: countsOf(around) };
    }
    // Ordinary: a model misbehaves. Anything else is a bug and gets a reference.
    const ordinary = error instanceof LlmError || isEngineError(error, "wrong_state");
    if (ordinary) scope.log.info("proactive.run_given_up", { runId, why: error.name });
    const ref = ordinary ? undefined : scope.log.incident("proactive.run_failed", error, { runId });
    if (!dry) await failRun(scope, runId, error);
    return { outcome: "failed", reason: around.reason, runId, counts: countsOf(around), ...(ref && { ref }) };
  } finally {
    letGo();
  }
}

/** The state of the world at the moment of deciding: taps and words since the run began count. */
async function lookAgain(
  scope: Scope,
  around: Surroundings,
  found: WorkersResult,
  runId: string,
  { dry, asked }: { dry: boolean; asked: boolean },
): Promise<EditorView> {
  const fresh = await readRunFacts(scope, { asked, lastHumanAt: around.facts.disturb.lastHumanAt });
  const facts = { ...fresh, lastRunId: around.facts.lastRunId, ...(dry && { items: found.items }) };
  const ids = found.candidates.map((candidate) => candidate.goalId);
  const items: ReadonlyMap<string, TrackingItem> = dry
    ? new Map(found.items.map((item) => [item.id, item]))
    : await readItems(scope, ids);
  const { cursorStart, cursorEnd } = around.window;
  return viewForEditor(scope, { runId, candidates: found.candidates, items, facts, cursorStart, cursorEnd });
}

function countsOf({ window }: Surroundings): Record<string, number> {
  return {
    newMessages: window.newMessages.length,
    people: window.people,
    earlierMessages: window.earlierMessages.length,
    knownBefore: window.cuts.knownBefore,
    flagged: window.newMessages.filter((line) => looksLikeInstruction(line.message.text)).length,
  };
}

function dryResult(
  view: EditorView,
  selection: Selection,
  reason: TickReason,
  counts: Record<string, number>,
): TickResult {
  const checked = checkSelection(view, selection);
  return {
    outcome: "dry",
    reason,
    counts: { ...counts, candidates: view.candidates.length, sent: checked.shown.length },
    ...(checked.shown.length > 0 && { text: checked.text }),
    candidates: checked.decisions.map(({ judged, decision, reason: why, note }) => ({
      ...judged.candidate,
      decision,
      reason: why,
      note: note ?? null,
    })),
  };
}
