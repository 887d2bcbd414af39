import { textsFor } from "../../text/pick.ts";
import { recordAudit } from "../audit.ts";
import { touchCards } from "../card-posts.ts";
import { inTransaction, type Tx } from "../db.ts";
import { EngineError } from "../errors.ts";
import { jsonColumn, jsonColumnOrNull } from "../json-column.ts";
import { isFree, leaseFrom } from "../lease.ts";
import { assertMay } from "../people/person.ts";
import { readHumanRules } from "../proactive/read-human-rules.ts";
import type { Actor, Scope } from "../scope.ts";
import { readSettings } from "../settings.ts";
import { allowDraft, type HeldBack, readEarlier } from "./allow-draft.ts";
import type { DayFigures } from "./day-figures.ts";
import { type Day, dateOf, dayOf, daysBefore } from "./day-of.ts";
import type { Draft } from "./draft.ts";
import { draftByModel, type NotDrafted } from "./draft-by-model.ts";
import { draftByRules } from "./draft-by-rules.ts";
import { draftRemovals } from "./draft-removals.ts";
import { gatherDay } from "./gather-day.ts";
import { type AllowedDraft, keepProposals } from "./keep-proposals.ts";
import { PROPOSALS_A_DAY } from "./proposal.ts";
import { readNorms } from "./read-norms.ts";
import { type Reflected, type Reflection, reflect, reflectionSchema, SHOWN_CAUSES } from "./reflect.ts";
import { type WeighedCause, weighCauses } from "./weigh-causes.ts";

/** A run that died is taken over after this; renewed between the steps. */
const LEASE_MS = 15 * 60_000;
/** Questions to models about one date within a day, however often it is run: nights do not become bills. */
export const MODEL_CALLS_A_DATE = 3;
/** And over all dates. */
export const MODEL_CALLS_A_DAY = 10;

export type DreamResult =
  | { outcome: "done"; date: string; sessions: number; proposals: number; writtenBy: string | null }
  | { outcome: "running"; date: string };

/**
 * The night, in five steps: gather, errors and waste, reflect, patterns → proposals, and one transaction that replaces what
 * an earlier run of the same date has left. One run a date at a time over all replicas; one that died is resumed, and a
 * reflection it has paid for is used.
 * @throws EngineError forbidden · invalid_input (no date, or one to come) · unavailable (history): nothing of the report changes
 */
export async function dream(
  scope: Scope,
  who: Actor,
  input: { date?: string; signal?: AbortSignal } = {},
): Promise<DreamResult> {
  assertMay(who, "dream.run");
  const settings = await readSettings(scope);
  const day = whichDay(scope, settings.zone, input.date);
  if (!(await claim(scope, day))) return { outcome: "running", date: day.date };
  if (who.kind === "person") {
    const subject = { kind: "report", id: day.date };
    await inTransaction(scope.db, (tx) => recordAudit(tx, scope, { who, what: "dream.asked", subject }));
  }
  try {
    const norms = await readNorms(scope, day.from);
    const rules = await readHumanRules(scope, settings);
    const gathered = await gatherDay(scope, day, { norms, rules, ...(input.signal && { signal: input.signal }) });
    await renew(scope, day);
    const causes = await weighCauses(scope, day, gathered.causes);
    const figures = withLasting(gathered.figures, causes);
    const shown = causes.slice(0, SHOWN_CAUSES);
    const reflected = await reflectOnce(scope, day, { figures, causes: shown, language: settings.language });
    await renew(scope, day);
    const words = textsFor(settings.language).evolution.draft;
    const drafts = [
      ...modelDrafts(reflected, shown, scope.clock.now()),
      ...causes.map((cause): Offer => ({ draft: draftByRules(cause, words, scope.clock.now()) })),
      ...(await draftRemovals(scope, day, words)).map((draft): Offer => ({ draft })),
    ];
    const { kept, heldBack } = await choose(scope, day, drafts);
    await inTransaction(scope.db, async (tx) => {
      await keepReport(tx, scope, day, { figures, causes: shown, reflected, heldBack });
      await keepProposals(tx, scope, day, kept);
      await end(tx, scope, day, "done");
      await touchCards(tx, scope, { kind: "report", id: day.date });
    });
    const writtenBy = reflected.ok ? reflected.model : null;
    return { outcome: "done", date: day.date, sessions: figures.sessions.total, proposals: kept.length, writtenBy };
  } catch (error) {
    await inTransaction(scope.db, (tx) => end(tx, scope, day, "failed", String(error).slice(0, 300)));
    throw error;
  }
}

function whichDay(scope: Scope, zone: string, given: string | undefined): Day {
  const today = dateOf(scope.clock.now(), zone);
  const day = dayOf(given ?? daysBefore(today, 1), zone);
  if (!day || day.date > today) {
    throw new EngineError("invalid_input", {
      path: "date",
      expected: "pastDate",
      ...(given !== undefined && { given }),
      example: daysBefore(today, 1),
    });
  }
  return day;
}

async function claim(scope: Scope, { date }: Day): Promise<boolean> {
  const now = scope.clock.now();
  const agentId = scope.agent.id;
  const where = { agentId_date: { agentId, date } };
  const fresh = { agentId, date, status: "idle", costSince: now, startedAt: now };
  const row = await scope.db.dreamRun.upsert({ where, update: {}, create: fresh });
  if (row.status === "running" && !isFree(row, now, LEASE_MS)) return false;
  const costs =
    now.getTime() - row.costSince.getTime() >= 86_400_000 ? { modelCalls: 0, tokens: 0, costSince: now } : {};
  const { count } = await scope.db.dreamRun.updateMany({
    where: { agentId, date, status: row.status, leaseUntil: row.leaseUntil, attempts: row.attempts },
    data: {
      status: "running",
      leaseUntil: leaseFrom(now, LEASE_MS),
      attempts: { increment: 1 },
      startedAt: now,
      finishedAt: null,
      error: null,
      // A finished run's reflection is not used again: looking once more means asking once more.
      ...(row.status === "done" && { reflection: jsonColumnOrNull(null) }),
      ...costs,
    },
  });
  return count === 1;
}

async function renew(scope: Scope, { date }: Day): Promise<void> {
  await scope.db.dreamRun.updateMany({
    where: { agentId: scope.agent.id, date, status: "running" },
    data: { leaseUntil: leaseFrom(scope.clock.now(), LEASE_MS) },
  });
}

async function end(tx: Tx, scope: Scope, { date }: Day, status: "done" | "failed", error?: string): Promise<void> {
  await tx.dreamRun.updateMany({
    where: { agentId: scope.agent.id, date, status: "running" },
    data: { status, leaseUntil: null, finishedAt: scope.clock.now(), error: error ?? null },
  });
}

/** Asks a model unless an earlier run has paid for the answer already, the day was empty, or the cap is reached. */
async function reflectOnce(
  scope: Scope,
  day: Day,
  seen: { figures: DayFigures; causes: readonly WeighedCause[]; language: "zh" | "en" },
): Promise<Reflected> {
  const agentId = scope.agent.id;
  if (seen.figures.sessions.total === 0) return { ok: false, why: "none", tokens: 0 };
  const run = await scope.db.dreamRun.findUnique({ where: { agentId_date: { agentId, date: day.date } } });
  const stored = run?.reflection as { model?: unknown; value?: unknown } | null | undefined;
  const paid = reflectionSchema.safeParse(stored?.value);
  if (stored && paid.success) return { ok: true, reflection: paid.data, model: String(stored.model), tokens: 0 };
  const since = new Date(scope.clock.now().getTime() - 86_400_000);
  const all = await scope.db.modelCall.count({ where: { agentId, purpose: "evolution.reflect", at: { gte: since } } });
  if ((run?.modelCalls ?? 0) >= MODEL_CALLS_A_DATE || all >= MODEL_CALLS_A_DAY)
    return { ok: false, why: "budget", tokens: 0 };
  // Counted before it is asked: a process that dies over the question has asked it.
  if (scope.llm.configured) {
    await scope.db.dreamRun.updateMany({ where: { agentId, date: day.date }, data: { modelCalls: { increment: 1 } } });
  }
  const refused = await scope.db.evolutionProposal.findMany({
    where: { agentId, status: { in: ["rejected", "reverted"] } },
    orderBy: { updatedAt: "desc" },
    take: 30,
    select: { title: true, reason: true },
  });
  const answer = await reflect(scope, { date: day.date, refusals: refused, ...seen });
  if (answer.ok) {
    await scope.db.dreamRun.updateMany({
      where: { agentId, date: day.date },
      data: {
        tokens: { increment: answer.tokens },
        reflection: jsonColumn({ model: answer.model, value: answer.reflection }),
      },
    });
  }
  return answer;
}

/** A draft, or why a model's idea did not become one. */
type Offer = { draft: Draft | undefined } | { refused: NotDrafted; title: string };

function modelDrafts(reflected: Reflected, causes: readonly WeighedCause[], now: Date): Offer[] {
  if (!reflected.ok) return [];
  return reflected.reflection.proposals.map((proposal): Offer => {
    const made = draftByModel(proposal, causes, now);
    return "draft" in made ? made : { refused: made.refused, title: proposal.title };
  });
}

/** The best few that may be shown, one for each cause; what was held back is kept with the report. */
async function choose(
  scope: Scope,
  day: Day,
  offers: readonly Offer[],
): Promise<{ kept: AllowedDraft[]; heldBack: { title: string; why: HeldBack | NotDrafted }[] }> {
  const earlier = await readEarlier(scope);
  const kept: AllowedDraft[] = [];
  const heldBack: { title: string; why: HeldBack | NotDrafted }[] = [];
  const causes = new Set<string>();
  /** Of several things seen at one place the first is proposed: one remedy at a time. */
  const places = new Set<string>();
  for (const offer of offers) {
    if ("refused" in offer) {
      heldBack.push({ title: offer.title, why: offer.refused });
      continue;
    }
    const { draft } = offer;
    if (!draft || causes.has(draft.cause.fingerprint) || places.has(draft.cause.scope)) continue;
    const verdict = await allowDraft(scope, draft, earlier, day.date);
    if (!verdict.allow) {
      heldBack.push({ title: draft.title, why: verdict.why });
      continue;
    }
    causes.add(draft.cause.fingerprint);
    places.add(draft.cause.scope);
    kept.push({ draft, ...(verdict.refusedBefore && { refusedBefore: verdict.refusedBefore }) });
  }
  const best = kept.sort((a, b) => worth(b.draft) - worth(a.draft)).slice(0, PROPOSALS_A_DAY);
  return { kept: best, heldBack: heldBack.slice(0, 50) };
}

/** In how many sessions it was seen counts most; a model's wording is preferred to one out of the box. */
function worth({ cause, draftedBy }: Draft): number {
  return cause.allSessions.length * 10 + Math.min(cause.total, 20) + (draftedBy === "model" ? 5 : 0);
}

/** What the dates before say about the failures of this one. */
function withLasting(figures: DayFigures, causes: readonly WeighedCause[]): DayFigures {
  const lasting = causes.filter((cause) => cause.kind === "failure" && cause.lasting);
  return {
    ...figures,
    failures: figures.failures.map((failure) => ({
      ...failure,
      lasting: lasting.some(
        ({ scope, failure: kind }) =>
          kind === failure.kind &&
          (scope === `${failure.tool} ${failure.host ?? ""}`.trim() || scope.startsWith(`${failure.tool} `)),
      ),
    })),
  };
}

async function keepReport(
  tx: Tx,
  scope: Scope,
  day: Day,
  {
    figures,
    causes,
    reflected,
    heldBack,
  }: { figures: DayFigures; causes: readonly WeighedCause[]; reflected: Reflected; heldBack: readonly object[] },
): Promise<void> {
  const agentId = scope.agent.id;
  const written: Partial<Reflection> = reflected.ok ? reflected.reflection : {};
  const data = {
    zone: day.zone,
    sessionsAnalyzed: figures.sessions.total,
    avgScore: figures.score.average,
    figures: jsonColumn(figures),
    errorSummary: written.error_causes ?? null,
    wasteSummary: written.waste_causes ?? null,
    worstPatterns: jsonColumn(
      causes.slice(0, 10).map(({ kind, scope: where, about, count, sessions, lasting }) => ({
        kind,
        scope: where,
        about,
        count,
        sessions: sessions.length,
        lasting,
      })),
    ),
    recommendations: jsonColumn((written.recommendations ?? []).map(({ text }) => text)),
    writtenBy: reflected.ok ? reflected.model : null,
    reflectionError: reflected.ok ? null : reflected.why,
    heldBack: jsonColumn([...heldBack]),
    madeAt: scope.clock.now(),
  };
  await tx.reflectionReport.upsert({
    where: { agentId_date: { agentId, date: day.date } },
    update: { ...data, revision: { increment: 1 } },
    create: { id: scope.ids.id("rep"), agentId, date: day.date, ...data },
  });
}
