import { z } from "zod";
import { isActive } from "../active-window.ts";
import { isEngineError } from "../errors.ts";
import { endFailures, noteFailure } from "../heartbeat.ts";
import type { CronJob, History } from "../ports.ts";
import type { Scope } from "../scope.ts";
import { type TrackingItem, trackingItemSchema } from "../tracking/item.ts";
import { hasMomentIn } from "./critical-moments.ts";
import { judgeMatter, talkingUntil } from "./disturb-rules.ts";
import { hasFailed } from "./documents/scheduled-crons.ts";
import { findWatermark } from "./find-watermark.ts";
import { cronSession } from "./quote-message.ts";
import { readHumanRules } from "./read-human-rules.ts";
import {
  type Gate,
  notAMembers,
  type RunFacts,
  readGate,
  readHeldBack,
  readRunFacts,
  readWeights,
} from "./read-run-facts.ts";
import { type ConversationWindow, readEarlier, readWindow } from "./read-window.ts";
import type { Silence, TickReason } from "./run.ts";
import { worthARun } from "./worth-a-run.ts";

const DAY_MS = 86_400_000;
/** A job whose matter was closed is not brought up again by its next failure within this time. */
const CRON_REST_DAYS = 7;

/** What a tick sees before it decides whether to become a run. */
export interface Surroundings {
  reason: TickReason;
  facts: RunFacts;
  window: ConversationWindow;
  /** Undefined: the list could not be read. */
  crons: readonly CronJob[] | undefined;
  newlyFailedCrons: readonly CronJob[];
}

/**
 * Steps 3 and 4 of stage 1: is it the hour, and is there anything new? The cheapest questions come first. Nothing of a
 * run is written whatever the answer; only the health of the history is noted when it changes.
 */
export async function lookAround(
  scope: Scope,
  { asked }: { asked: boolean },
): Promise<Surroundings | { silent: Silence }> {
  const gate = await readGate(scope);
  const now = scope.clock.now();
  const zone = gate.owner?.zone ?? gate.settings.zone;
  const hour = {
    hasOwner: gate.owner !== undefined,
    paused: gate.settings.paused !== false && gate.settings.paused > now,
    inActiveWindow: isActive(now, zone, gate.settings),
    personIsTalking: false,
    asked,
  };
  const nothing = { newHumanMessages: 0, itemsChanged: 0, itemsDue: 0, newlyFailedCrons: 0, rolledBack: 0 };
  const early = worthARun({ ...hour, ...nothing, itemsDue: 1 });
  if ("silent" in early) return early;

  if (!asked && (await restsAfterFailures(scope, now))) return { silent: "not_arriving" };

  const crons = await readCrons(scope);
  const failed = (crons ?? []).filter((job) => hasFailed(job));
  const reading = await readHistory(scope, async () => {
    const watermark = await findWatermark(scope);
    const quiet = !asked && failed.length === 0 && !(await scope.history.mayHaveNew(watermark.cursor));
    if (quiet && !(await mayBeDue(scope, gate, zone))) return undefined;
    const input = { watermark, rules: await readHumanRules(scope, gate.settings), budgets: gate.settings };
    return { input, window: await readWindow(scope, input) };
  });
  if (reading === "unavailable") return { silent: "history_unavailable" };
  if (reading === undefined) return { silent: "nothing_new" };
  const { window } = reading;
  await noteWellRead(scope);
  const facts = await readRunFacts(scope, { asked, gate });
  const newlyFailedCrons = await findNewlyFailed(scope, failed, facts, now);
  const lastHumanAt = await newestWords(scope, window, now);
  const withWords: RunFacts = { ...facts, disturb: { ...facts.disturb, lastHumanAt } };
  const worth = worthARun({
    ...hour,
    personIsTalking: talkingUntil(lastHumanAt, now, facts.settings.idleMinutes) !== undefined,
    newHumanMessages: window.people,
    itemsChanged: facts.items.filter((item) => hasChanged(item, facts.lastJudgedAt, now)).length,
    itemsDue: facts.items.filter((item) => isDue(item, withWords)).length,
    newlyFailedCrons: newlyFailedCrons.length,
    rolledBack: facts.rolledBack.size,
  });
  if ("silent" in worth) return worth;
  // Read only now: a tick that stays silent needs no conversation of the day before.
  const earlier = window.people > 0 || (await readHistory(scope, () => readEarlier(scope, reading.input, window.cuts)));
  if (earlier === "unavailable") return { silent: "history_unavailable" };
  const whole = earlier === true ? window : { ...window, earlierMessages: earlier };
  return { reason: asked ? "asked_for" : worth.go, facts: withWords, window: whole, crons, newlyFailedCrons };
}

/** What the reading gives; "unavailable" when the history cannot be read now, which is no error of the tick. */
async function readHistory<T>(scope: Scope, read: () => Promise<T>): Promise<T | "unavailable"> {
  try {
    return await read();
  } catch (error) {
    if (!isEngineError(error, "unavailable")) throw error;
    if (error.facts.why === "malformed") await noteDamage(scope);
    return "unavailable";
  }
}

/** Pauses after one, two, … messages in a row that did not arrive, in minutes; the last one repeats. */
const FAILURE_PAUSES_MINUTES = [15, 60, 240];

/** While the platform refuses what is sent, a run every quarter of an hour would only cost tokens and try its patience. */
async function restsAfterFailures(scope: Scope, now: Date): Promise<boolean> {
  const latest = await scope.db.delivery.findMany({
    where: {
      agentId: scope.agent.id,
      status: { in: ["delivered", "failed"] },
      createdAt: { gte: new Date(now.getTime() - DAY_MS) },
      withdrawnAt: null,
    },
    orderBy: { createdAt: "desc" },
    take: FAILURE_PAUSES_MINUTES.length,
    select: { status: true, settledAt: true },
  });
  const arrived = latest.findIndex((delivery) => delivery.status === "delivered");
  const inARow = arrived < 0 ? latest.length : arrived;
  const pause = FAILURE_PAUSES_MINUTES[inARow - 1];
  const last = latest[0]?.settledAt;
  if (pause === undefined || !last) return false;
  const rested = now.getTime() - last.getTime();
  // A clock set back must not make the pause longer.
  return rested >= 0 && rested < pause * 60_000;
}

/**
 * Could any item, or a message that did not arrive, be a reason for a run? Asked with few columns and without the rules, so
 * that a quiet tick costs little; a yes is looked into properly.
 */
async function mayBeDue(scope: Scope, { settings, lastJudgedAt }: Gate, zone: string): Promise<boolean> {
  if (lastJudgedAt === undefined) return true;
  const agentId = scope.agent.id;
  const now = scope.clock.now();
  const failed = await scope.db.delivery.findFirst({
    where: { agentId, status: "failed", withdrawnAt: null, settledAt: { gt: lastJudgedAt } },
    select: { id: true },
  });
  if (failed) return true;
  const rows = await scope.db.trackingItem.findMany({
    where: { agentId, status: "active", ...notAMembers },
    omit: { title: true, summary: true, claimedDoneEvidence: true, closedEvidence: true },
  });
  const items = rows.map((row) => quietItemSchema.parse(row));
  // Weights move the end of a cool-down, and only what was said once has one.
  const weights = items.some((item) => item.lastRemindedAt) ? await readWeights(scope) : {};
  const span = { after: lastJudgedAt, until: now };
  const ripe = items.some(
    (item) => hasChanged(item, lastJudgedAt, now) || hasMomentIn(span, item, zone, settings, weights[item.kind] ?? 1),
  );
  return ripe || (await readHeldBack(scope, items)).size > 0;
}

/** Of an item's evidence only the times matter here. */
const quietItemSchema = trackingItemSchema
  .omit({ title: true, summary: true, claimedDoneEvidence: true, closedEvidence: true, evidence: true })
  .extend({ evidence: z.array(z.object({ at: z.coerce.date() })).catch([]) });

/** Stores that were read whole since this process began, or since they were last found damaged. */
const wellRead = new WeakSet<History>();

/** A store may be damaged where its head is not: that the reading failed is kept for whoever looks after its health. */
async function noteDamage(scope: Scope): Promise<void> {
  wellRead.delete(scope.history);
  await noteFailure(scope, "history.read", "malformed");
}

/** Asks the database only the first time. */
async function noteWellRead(scope: Scope): Promise<void> {
  if (wellRead.has(scope.history)) return;
  await endFailures(scope, ["history.read"]);
  wellRead.add(scope.history);
}

/** Changed since the last judgement, and something may be said about it. What a run itself changes lies before its end. */
function hasChanged(
  item: Pick<TrackingItem, "snoozedUntil" | "updatedAt">,
  lastJudgedAt: Date | undefined,
  now: Date,
): boolean {
  if (item.snoozedUntil && item.snoozedUntil > now) return false;
  return lastJudgedAt !== undefined && item.updatedAt > lastJudgedAt;
}

/** One of its moments has come since the last judgement, or what held it back has passed; and the rules would let it pass. */
function isDue(item: TrackingItem, facts: RunFacts): boolean {
  const { now, zone, weights } = facts.disturb;
  if (!judgeMatter(item, item.kind, facts.disturb).allow) return false;
  if (facts.heldBack.has(item.id)) return true;
  const span = { after: facts.lastJudgedAt, until: now };
  return hasMomentIn(span, item, zone, facts.settings, weights[item.kind] ?? 1);
}

async function readCrons(scope: Scope): Promise<readonly CronJob[] | undefined> {
  try {
    return await scope.crons.list();
  } catch (error) {
    if (isEngineError(error, "unavailable")) return undefined;
    throw error;
  }
}

/** Failed since the last judgement and not followed up already. */
async function findNewlyFailed(
  scope: Scope,
  jobs: readonly CronJob[],
  facts: RunFacts,
  now: Date,
): Promise<readonly CronJob[]> {
  const since = facts.lastJudgedAt ?? new Date(now.getTime() - DAY_MS);
  const failed = jobs.filter((job) => job.lastRunAt !== undefined && job.lastRunAt > since);
  if (failed.length === 0) return [];
  const closed = await scope.db.trackingItem.findMany({
    where: {
      agentId: scope.agent.id,
      status: "closed",
      closedAt: { gte: new Date(now.getTime() - CRON_REST_DAYS * DAY_MS) },
    },
  });
  const known = new Set(
    [...facts.items, ...closed.map((row) => trackingItemSchema.parse(row))].flatMap((item) =>
      item.evidence.map((e) => e.sessionId),
    ),
  );
  return failed.filter((job) => !known.has(cronSession(job)));
}

/** When somebody last said something that is known of, not counting times ahead of the clock. */
async function newestWords(scope: Scope, window: ConversationWindow, now: Date): Promise<Date | null> {
  const seen = await scope.db.seenMessage.findFirst({
    where: { agentId: scope.agent.id, at: { lte: now } },
    orderBy: { at: "desc" },
    select: { at: true },
  });
  const times = window.newMessages
    .filter((line) => line.voice === "person" && line.message.at <= now)
    .map((line) => line.message.at.getTime());
  const newest = Math.max(seen?.at.getTime() ?? 0, ...times);
  return newest > 0 ? new Date(newest) : null;
}
