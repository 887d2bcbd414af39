import type { HistoryCursor } from "../ports.ts";
import type { Scope } from "../scope.ts";
import type { TrackingItem } from "../tracking/item.ts";
import { judgeMatter, type Verdict } from "./disturb-rules.ts";
import { readHumanRules } from "./read-human-rules.ts";
import { type DeltaLine, readLiveDelta } from "./read-live-delta.ts";
import type { RunFacts } from "./read-run-facts.ts";
import { readPreferences } from "./render-context.ts";
import type { Candidate } from "./run.ts";
import { type Settlement, settledByWords } from "./settled-by-words.ts";

/** A candidate with its item and what the rules of code say at this moment. */
export interface JudgedCandidate {
  candidate: Candidate;
  /** The item as it is now, closed ones too; undefined for a candidate that has none yet. */
  item: TrackingItem | undefined;
  verdict: Verdict;
}

/** Everything an editor decides on. */
export interface EditorView {
  runId: string;
  facts: RunFacts;
  candidates: readonly JudgedCandidate[];
  /** What was said since the snapshot. */
  liveDelta: readonly DeltaLine[];
  /**
   * Items that words in the window or since have settled. done and dropped are a person's own words: such an item is not
   * mentioned, and only such an item may be closed.
   */
  settled: ReadonlyMap<string, Settlement>;
  /** The whole of PROACTIVE_PREFERENCES.md. */
  preferences: string | undefined;
}

export interface ViewInput {
  runId: string;
  candidates: readonly Candidate[];
  /** Items the candidates are about, as they are now, by id. */
  items: ReadonlyMap<string, TrackingItem>;
  /** Without what words have settled: that is found out here. */
  facts: RunFacts;
  cursorStart: HistoryCursor;
  cursorEnd: HistoryCursor;
}

/** Looks once more at what was said since the window began, and asks the rules about every candidate. */
export async function viewForEditor(scope: Scope, input: ViewInput): Promise<EditorView> {
  const rules = await readHumanRules(scope, input.facts.settings);
  const owner = input.facts.owner?.openId ?? "";
  const lines = await readLiveDelta(scope, input.cursorStart, rules, owner);
  const settled = settledByWords(input.facts.items, lines);
  const closing = new Set([...settled].filter(([, s]) => s.how !== "claimed").map(([id]) => id));
  const liveDelta = await readLiveDelta(scope, input.cursorEnd, rules, owner);
  const lastHumanAt = newest(
    input.facts.disturb.lastHumanAt,
    liveDelta.filter((line) => line.voice === "person" && line.evidence.at <= input.facts.disturb.now),
  );
  const facts: RunFacts = { ...input.facts, disturb: { ...input.facts.disturb, settled: closing, lastHumanAt } };
  return {
    runId: input.runId,
    facts,
    candidates: input.candidates.map((candidate) => {
      const item = candidate.goalId === null ? undefined : input.items.get(candidate.goalId);
      return { candidate, item, verdict: judgeMatter(item, candidate.matterKind, facts.disturb) };
    }),
    liveDelta,
    settled,
    preferences: await readPreferences(scope),
  };
}

function newest(known: Date | null, lines: readonly DeltaLine[]): Date | null {
  const times = lines.map((line) => line.evidence.at.getTime());
  const latest = Math.max(known?.getTime() ?? 0, ...times);
  return latest > 0 ? new Date(latest) : null;
}
