import { isEngineError } from "../errors.ts";
import type { CronJob } from "../ports.ts";
import type { Scope } from "../scope.ts";
import { type TrackingItem, trackingItemSchema } from "../tracking/item.ts";
import { isInActiveWindow } from "./active-window.ts";
import { itemMoments } from "./critical-moments.ts";
import { judgeMatter, talkingUntil } from "./disturb-rules.ts";
import { hasFailed } from "./documents/scheduled-crons.ts";
import { findWatermark } from "./find-watermark.ts";
import { cronSession } from "./quote-message.ts";
import { recentOwnTexts } from "./read-live-delta.ts";
import { type RunFacts, readRunFacts } from "./read-run-facts.ts";
import { type ConversationWindow, readWindow } from "./read-window.ts";
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
 * Steps 3 and 4 of stage 1: is it the hour, and is there anything new? The cheapest questions come first, and nothing is
 * written whatever the answer.
 */
export async function lookAround(
  scope: Scope,
  { asked }: { asked: boolean },
): Promise<Surroundings | { silent: Silence }> {
  const facts = await readRunFacts(scope, { asked });
  const { now, zone } = facts.disturb;
  const hour = {
    hasOwner: facts.owner !== undefined,
    paused: facts.settings.paused !== false && facts.settings.paused > now,
    inActiveWindow: isInActiveWindow(now, zone, facts.settings),
    personIsTalking: false,
    asked,
  };
  const nothing = { newHumanMessages: 0, itemsChanged: 0, itemsDue: 0, newlyFailedCrons: 0, rolledBack: 0 };
  const early = worthARun({ ...hour, ...nothing, itemsDue: 1 });
  if ("silent" in early) return early;

  let window: ConversationWindow;
  try {
    window = await readWindow(scope, {
      watermark: await findWatermark(scope),
      rules: { ownTexts: await recentOwnTexts(scope) },
      budgets: facts.settings,
    });
  } catch (error) {
    if (isEngineError(error, "unavailable")) return { silent: "history_unavailable" };
    throw error;
  }
  const crons = await readCrons(scope);
  const newlyFailedCrons = await findNewlyFailed(scope, crons ?? [], facts, now);
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
  return { reason: asked ? "asked_for" : worth.go, facts: withWords, window, crons, newlyFailedCrons };
}

/** Changed since the last judgement, and something may be said about it. What a run itself changes lies before its end. */
function hasChanged(item: TrackingItem, lastJudgedAt: Date | undefined, now: Date): boolean {
  if (item.snoozedUntil && item.snoozedUntil > now) return false;
  return lastJudgedAt !== undefined && item.updatedAt > lastJudgedAt;
}

/** One of its moments has come since the last judgement, or what held it back has passed; and the rules would let it pass. */
function isDue(item: TrackingItem, facts: RunFacts): boolean {
  const { now, zone, settings, weights } = facts.disturb;
  if (!judgeMatter(item, item.kind, facts.disturb).allow) return false;
  if (facts.heldBack.has(item.id)) return true;
  return itemMoments(item, zone, settings, weights[item.kind] ?? 1).some(
    (at) => at <= now && (facts.lastJudgedAt === undefined || at > facts.lastJudgedAt),
  );
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
  crons: readonly CronJob[],
  facts: RunFacts,
  now: Date,
): Promise<readonly CronJob[]> {
  const since = facts.lastJudgedAt ?? new Date(now.getTime() - DAY_MS);
  const failed = crons.filter((job) => hasFailed(job) && job.lastRunAt !== undefined && job.lastRunAt > since);
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
