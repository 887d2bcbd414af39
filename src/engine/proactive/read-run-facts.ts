import { DateTime } from "luxon";
import { z } from "zod";
import type { Actor, Language, PersonActor, Scope } from "../scope.ts";
import { readSettings, type Settings } from "../settings.ts";
import { PRIVATE } from "../tracking/audience.ts";
import { type MatterKind, matterKinds, type TrackingItem, trackingItemSchema } from "../tracking/item.ts";
import { type DisturbFacts, passingReasons } from "./disturb-rules.ts";
import { NAMED_TIME_KEY } from "./put-delivery.ts";

const DAY_MS = 86_400_000;
/** A matter that failed to arrive so often within a day is not by itself a reason for another run. */
const FAILURES_A_DAY = 3;

/** Whom reminders go to: the owner, in their own language and zone. */
export interface Recipient {
  openId: string;
  name?: string;
  language: Language;
  zone: string;
}

/** What a run and the rules need to know of the database at one moment. */
export interface RunFacts {
  settings: Settings;
  owner: Recipient | undefined;
  /** When the newest whole run was committed. Reminders at a named time are runs too, but judge no window. */
  lastJudgedAt: Date | undefined;
  /** That run's id. When another has been committed before this one ends, two looked at the same time. */
  lastRunId: string | undefined;
  /** Active items that may be said to the owner, oldest first. */
  items: readonly TrackingItem[];
  /** Items whose last decision was "not now" for a reason that passes. */
  heldBack: ReadonlySet<string>;
  /** Items whose message did not arrive and that nobody has judged since. */
  rolledBack: ReadonlySet<string>;
  disturb: DisturbFacts;
}

/** What decides whether a tick looks any further. */
export type Gate = Pick<RunFacts, "settings" | "owner" | "lastJudgedAt" | "lastRunId">;

/** The first three statements of every tick. */
export async function readGate(scope: Scope): Promise<Gate> {
  const settings = await readSettings(scope);
  const owner = await readOwner(scope, settings);
  const last = await readLastRun(scope);
  return { settings, owner, lastJudgedAt: last?.settledAt ?? undefined, lastRunId: last?.runId };
}

/** The newest whole run that was committed. By the index; a clock set back makes a later answer, which is the quieter one. */
export async function readLastRun(
  scope: Scope,
  but?: string,
): Promise<{ runId: string; settledAt: Date | null } | undefined> {
  const last = await scope.db.checkpoint.findFirst({
    where: {
      agentId: scope.agent.id,
      status: "committed",
      extractor: { not: null },
      ...(but !== undefined && { runId: { not: but } }),
    },
    orderBy: [{ startedAt: "desc" }, { runId: "desc" }],
    select: { runId: true, settledAt: true },
  });
  return last ?? undefined;
}

/** Reads only. `gate`: what was read of it a moment ago. */
export async function readRunFacts(
  scope: Scope,
  input: { asked: boolean; lastHumanAt?: Date | null; settled?: ReadonlySet<string>; gate?: Gate },
): Promise<RunFacts> {
  const { db, agent } = scope;
  const now = scope.clock.now();
  const { settings, owner, lastJudgedAt, lastRunId } = input.gate ?? (await readGate(scope));
  const rows = await db.trackingItem.findMany({
    where: { agentId: agent.id, status: "active", ...notAMembers },
    orderBy: { number: "asc" },
  });
  const items = rows.map((row) => trackingItemSchema.parse(row));
  const deliveries = owner ? await readRecent(scope, owner.openId, now) : [];
  const alreadySaid = await readAlreadySaid(scope, deliveries, lastJudgedAt);
  return {
    settings,
    owner,
    lastJudgedAt,
    lastRunId,
    items,
    heldBack: await readHeldBack(scope, items),
    rolledBack: rolledBackOf(deliveries, lastJudgedAt, now),
    disturb: {
      now,
      zone: owner?.zone ?? settings.zone,
      settings,
      paused: settings.paused,
      spokenAt: deliveries
        .filter((d) => d.status !== "failed" && !d.idempotencyKey.startsWith(NAMED_TIME_KEY))
        .map((d) => d.createdAt),
      weights: await readWeights(scope),
      alreadySaid,
      settled: input.settled ?? new Set(),
      lastHumanAt: input.lastHumanAt ?? null,
      asked: input.asked,
    },
  };
}

/** A member's own reminders are nobody else's business: they are not shown to workers and not said to the owner. */
export const notAMembers = { audience: { not: { startsWith: "ou_" } } };

/** The person reminders go to: the first owner who still is one. */
export async function readOwner(scope: Scope, settings: Settings): Promise<Recipient | undefined> {
  return readRecipient(scope, settings, PRIVATE);
}

/** Whom a matter of this audience is said to: a member hears their own, the owner all others. */
export async function readRecipient(
  scope: Scope,
  settings: Settings,
  audience: string,
): Promise<Recipient | undefined> {
  const person = await scope.db.person.findFirst({
    where: {
      agentId: scope.agent.id,
      revokedAt: null,
      ...(audience.startsWith("ou_") ? { openId: audience } : { role: "owner" }),
    },
    orderBy: { createdAt: "asc" },
  });
  if (!person) return undefined;
  const zone = person.zone !== null && DateTime.local({ zone: person.zone }).isValid ? person.zone : settings.zone;
  return {
    openId: person.openId,
    ...(person.name && { name: person.name }),
    language: person.language === "zh" || person.language === "en" ? person.language : settings.language,
    zone,
  };
}

/** Hermes' side acting on what the owner has said in so many words. */
export function onWordsOf(owner: Recipient): Actor & { onWordsOf: PersonActor } {
  const person: PersonActor = {
    kind: "person",
    openId: owner.openId,
    role: "owner",
    ...(owner.name && { name: owner.name }),
  };
  return { kind: "agent", onWordsOf: person };
}

type RecentDelivery = Awaited<ReturnType<typeof readRecent>>[number];

async function readRecent(scope: Scope, openId: string, now: Date) {
  const deliveries = await scope.db.delivery.findMany({
    where: {
      agentId: scope.agent.id,
      recipientOpenId: openId,
      withdrawnAt: null,
      // One on its way counts however old it is.
      OR: [{ createdAt: { gte: new Date(now.getTime() - 2 * DAY_MS) } }, { status: "pending" }],
    },
    select: { id: true, runId: true, status: true, createdAt: true, settledAt: true, idempotencyKey: true },
  });
  const matters =
    deliveries.length === 0
      ? []
      : await scope.db.deliveryMatter.findMany({
          where: { agentId: scope.agent.id, deliveryId: { in: deliveries.map((d) => d.id) }, folded: false },
          select: { deliveryId: true, itemId: true },
        });
  return deliveries.map((delivery) => ({
    ...delivery,
    itemIds: matters.filter((m) => m.deliveryId === delivery.id).map((m) => m.itemId),
  }));
}

/** In a message on its way; or arrived out of a window that is judged again because another message of it did not. */
async function readAlreadySaid(
  scope: Scope,
  deliveries: readonly RecentDelivery[],
  lastJudgedAt: Date | undefined,
): Promise<Set<string>> {
  const onTheWay = deliveries.filter((d) => d.status === "pending");
  const arrived = deliveries.filter((d) => d.status === "delivered");
  const reopened =
    arrived.length === 0
      ? []
      : await scope.db.checkpoint.findMany({
          where: {
            agentId: scope.agent.id,
            runId: { in: arrived.map((d) => d.runId) },
            status: "superseded",
            ...(lastJudgedAt && { settledAt: { gt: lastJudgedAt } }),
          },
          select: { runId: true },
        });
  const again = new Set(reopened.map((run) => run.runId));
  return new Set([...onTheWay, ...arrived.filter((d) => again.has(d.runId))].flatMap((d) => d.itemIds));
}

function rolledBackOf(deliveries: readonly RecentDelivery[], lastJudgedAt: Date | undefined, now: Date): Set<string> {
  const failed = deliveries.filter((d) => d.status === "failed");
  const lately = failed.filter((d) => now.getTime() - d.createdAt.getTime() < DAY_MS).flatMap((d) => d.itemIds);
  const fresh = failed.filter((d) => !lastJudgedAt || (d.settledAt !== null && d.settledAt > lastJudgedAt));
  return new Set(
    fresh.flatMap((d) => d.itemIds).filter((id) => lately.filter((other) => other === id).length <= FAILURES_A_DAY),
  );
}

export async function readHeldBack(scope: Scope, items: readonly Pick<TrackingItem, "id">[]): Promise<Set<string>> {
  if (items.length === 0) return new Set();
  // One question: the newest decision of each item under each reason, however many newer ones there are about others.
  const rows = await scope.db.candidate.groupBy({
    by: ["goalId", "reason"],
    where: { agentId: scope.agent.id, goalId: { in: items.map((item) => item.id) }, decision: { not: null } },
    _max: { id: true },
  });
  const newest = new Map<string, { id: number; reason: string | null }>();
  for (const { goalId, reason, _max } of rows) {
    if (goalId === null || _max.id === null) continue;
    if (_max.id > (newest.get(goalId)?.id ?? 0)) newest.set(goalId, { id: _max.id, reason });
  }
  const passing: readonly string[] = passingReasons;
  return new Set(
    [...newest].flatMap(([goalId, { reason }]) => (reason !== null && passing.includes(reason) ? [goalId] : [])),
  );
}

const kindSchema = z.enum(matterKinds);

/** How much each kind weighs; a kind nobody has said anything about is left out and weighs 1. */
export async function readWeights(scope: Scope): Promise<Partial<Record<MatterKind, number>>> {
  const rows = await scope.db.kindPriority.findMany({
    where: { agentId: scope.agent.id },
    select: { kind: true, weight: true },
  });
  const weights: Partial<Record<MatterKind, number>> = {};
  for (const { kind, weight } of rows) {
    const known = kindSchema.safeParse(kind);
    if (known.success) weights[known.data] = weight;
  }
  return weights;
}
