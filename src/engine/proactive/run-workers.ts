import type { CronJob, HistoryMessage } from "../ports.ts";
import { LlmError } from "../ports.ts";
import type { Scope } from "../scope.ts";
import type { TrackingItem } from "../tracking/item.ts";
import { disturbRulesText } from "./disturb-rules-text.ts";
import type { DocumentLook } from "./documents/look.ts";
import { opportunitiesDocument } from "./documents/opportunities.ts";
import { preparedDocument } from "./documents/prepared.ts";
import type { SentView } from "./documents/sent.ts";
import { sourcesDocument } from "./documents/sources.ts";
import { findByRules } from "./find-by-rules.ts";
import { type Found, findOpportunities } from "./find-opportunities.ts";
import type { Dropped, FoundMatter, PreparedMatter } from "./found-matter.ts";
import { mergeCandidates, type Proposal } from "./merge-candidates.ts";
import type { SourceNumbers } from "./number-sources.ts";
import { type PrepareFacts, prepareByRules, whyNowOf } from "./prepare-by-rules.ts";
import { type Prepared, prepareCandidates } from "./prepare-candidates.ts";
import type { RunFacts } from "./read-run-facts.ts";
import { type Documents, mask, renderTracking } from "./render-context.ts";
import type { Candidate } from "./run.ts";
import type { StoredMatters } from "./store-matters.ts";

/** Who found what is proposed. rules: no model was configured, or none answered. */
export type ExtractorName = "model" | "rules";

export interface WorkersInput {
  runId: string;
  facts: RunFacts;
  look: DocumentLook;
  documents: Documents;
  sources: SourceNumbers;
  messages: readonly HistoryMessage[];
  newlyFailedCrons: readonly CronJob[];
  sent: readonly SentView[];
  /** Closed items too: what is over must not be found again. */
  knownItems: readonly TrackingItem[];
  /** Without a model even if one is configured. */
  rulesOnly: boolean;
  /** Stores what worker 1 found, or imagines it for a dry run; returns the items as they are then. */
  keep: (found: readonly FoundMatter[]) => Promise<StoredMatters & { items: readonly TrackingItem[] }>;
}

export interface WorkersResult {
  extractor: ExtractorName;
  items: readonly TrackingItem[];
  candidates: Candidate[];
  documents: Documents;
  counts: Record<string, number>;
}

/**
 * Stage 2, worker after worker: opportunities out of the conversation, kept as items; then, from the items as they are
 * now, what has come due and what was left over; both merged and numbered.
 * @throws LlmError unreadable · budget: the run fails and its window is read again
 */
export async function runWorkers(scope: Scope, input: WorkersInput): Promise<WorkersResult> {
  const { facts, look, sources } = input;
  const first = await askOrRules<Found>(
    scope,
    input.rulesOnly,
    () =>
      findOpportunities(
        scope,
        {
          runId: input.runId,
          conversation: input.documents["conversation.md"] ?? "",
          tracking: input.documents["tracking.md"] ?? "",
          crons: input.documents["scheduled-crons.md"] ?? "",
          rules: disturbRulesText(facts.settings),
          zone: look.zone,
          language: facts.owner?.language ?? facts.settings.language,
        },
        sources,
        new Set(facts.items.map((item) => item.id)),
      ),
    async () => ({
      matters: await findByRules({
        now: look.now,
        zone: look.zone,
        messages: input.messages,
        items: input.knownItems,
        sent: input.sent,
        failedCrons: input.newlyFailedCrons,
        texts: look.texts,
      }),
      dropped: [],
    }),
  );
  const kept = await input.keep(first.value.matters);
  const tracking = renderTracking(kept.items, sources, look);
  const prepareFacts: PrepareFacts = {
    now: look.now,
    zone: look.zone,
    texts: look.texts,
    rolledBack: facts.rolledBack,
    firstLook: facts.lastJudgedAt === undefined,
  };
  const second = await askOrRules<Prepared>(
    scope,
    input.rulesOnly || first.by === "rules",
    () =>
      prepareCandidates(
        scope,
        {
          runId: input.runId,
          tracking,
          memory: input.documents["memory.md"] ?? "",
          context: input.documents["context.md"] ?? "",
          sent: input.documents["sent.md"] ?? "",
          language: facts.owner?.language ?? facts.settings.language,
        },
        sources,
        new Map(kept.items.map((item) => [item.id, item])),
      ),
    () => ({ prepared: prepareByRules(kept.items, prepareFacts), dropped: [] }),
  );
  // What did not arrive is judged again even when no worker thinks of it.
  const prepared = withRolledBack(second.value.prepared, kept.items, prepareFacts);
  const opportunities = opportunitiesOf(kept, first.by, prepareFacts);
  const candidates = mergeCandidates([
    ...opportunities.map(asOpportunity),
    ...prepared.map((p) => asPrepared(p, kept.items)),
  ]);
  return {
    extractor: first.by === "model" && second.by === "model" ? "model" : "rules",
    items: kept.items,
    candidates,
    counts: {
      itemsAdded: kept.added,
      itemsUpdated: kept.updated,
      opportunities: opportunities.length,
      prepared: prepared.length,
      dropped: first.value.dropped.length + kept.dropped.length + second.value.dropped.length,
    },
    documents: mask({
      "tracking.md": tracking,
      ...stageTwoDocuments(input, { first: first.by, second: second.by }, opportunities, prepared, candidates, [
        [...first.value.dropped, ...kept.dropped],
        second.value.dropped,
      ]),
    }),
  };
}

async function askOrRules<T>(
  scope: Scope,
  rulesOnly: boolean,
  ask: () => Promise<T>,
  byRules: () => T | Promise<T>,
): Promise<{ value: T; by: ExtractorName }> {
  if (rulesOnly || !scope.llm.configured) return { value: await byRules(), by: "rules" };
  try {
    return { value: await ask(), by: "model" };
  } catch (error) {
    if (!(error instanceof LlmError) || error.kind === "unreadable") throw error;
    scope.log.warn("proactive.model_down", { kind: error.kind });
    return { value: await byRules(), by: "rules" };
  }
}

type KeptMatter = FoundMatter & { goalId: string };

/** A model says itself what is worth a word; of what the rules found, only what is ripe is. */
function opportunitiesOf(
  kept: StoredMatters & { items: readonly TrackingItem[] },
  by: ExtractorName,
  facts: PrepareFacts,
): KeptMatter[] {
  const mentioned = kept.matters.filter((matter) => matter.mention);
  if (by === "model") return mentioned;
  return mentioned.flatMap((matter) => {
    const item = kept.items.find((known) => known.id === matter.goalId);
    const ripe = item ? whyNowOf(item, facts) : undefined;
    const cron = matter.evidence.some((e) => e.role === "cron");
    return ripe !== undefined ? [{ ...matter, whyNow: ripe }] : cron ? [matter] : [];
  });
}

function withRolledBack(
  prepared: readonly PreparedMatter[],
  items: readonly TrackingItem[],
  facts: PrepareFacts,
): PreparedMatter[] {
  const missing = items.filter(
    (item) => facts.rolledBack.has(item.id) && !prepared.some((known) => known.goalId === item.id),
  );
  return [...prepared, ...prepareByRules(missing, facts)];
}

function asOpportunity(matter: KeptMatter): Proposal {
  const { goalId, title, whyNow, dueAt, evidence } = matter;
  return { kind: "opportunity", matterKind: matter.kind, goalId, title, whyNow, draft: "", dueAt, evidence };
}

function asPrepared(matter: PreparedMatter, items: readonly TrackingItem[]): Proposal {
  const { goalId, title, whyNow, draft, evidence } = matter;
  const dueAt = items.find((item) => item.id === goalId)?.dueAt ?? null;
  return { kind: "prepared", matterKind: matter.kind, goalId, title, whyNow, draft, dueAt, evidence };
}

function stageTwoDocuments(
  input: WorkersInput,
  by: { first: ExtractorName; second: ExtractorName },
  opportunities: readonly KeptMatter[],
  prepared: readonly PreparedMatter[],
  candidates: readonly Candidate[],
  [droppedFirst, droppedSecond]: readonly [readonly Dropped[], readonly Dropped[]],
): Documents {
  const { sources, look } = input;
  const numbers = (evidence: Candidate["evidence"] | FoundMatter["evidence"]): number[] =>
    evidence.map((e) => sources.numberOf(e));
  const cited = new Set(candidates.flatMap((candidate) => numbers(candidate.evidence)));
  return {
    "opportunities.md": opportunitiesDocument(
      {
        extractor: by.first,
        opportunities: opportunities.map((o) => ({ ...o, sources: numbers(o.evidence) })),
        dropped: droppedFirst,
      },
      look,
    ),
    "prepared.md": preparedDocument(
      {
        extractor: by.second,
        prepared: prepared.map((p) => ({ ...p, sources: numbers(p.evidence) })),
        dropped: droppedSecond,
      },
      look,
    ),
    "sources.md": sourcesDocument(
      { sources: sources.all.filter((source) => cited.has(source.number)), sent: input.sent },
      look,
    ),
  };
}
