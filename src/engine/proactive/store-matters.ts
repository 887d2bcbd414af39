import { inTransaction } from "../db.ts";
import type { Evidence } from "../evidence.ts";
import type { Actor, Scope } from "../scope.ts";
import { takeTurns } from "../take-turns.ts";
import { PRIVATE } from "../tracking/audience.ts";
import { type TrackingItem, trackingItemSchema } from "../tracking/item.ts";
import { openItem } from "../tracking/open-item.ts";
import { updateItem } from "../tracking/update-item.ts";
import type { Dropped, FoundMatter } from "./found-matter.ts";
import { notAMembers } from "./read-run-facts.ts";
import { isSameMatter, joinEvidence, sharesALine } from "./same-matter.ts";

const CLOSED_DAYS = 60;
const EVIDENCE_LINES = 12;

/** What becomes of a found matter. */
export type MatterPlan =
  | { does: "open"; matter: FoundMatter }
  | { does: "update"; matter: FoundMatter; item: TrackingItem }
  | { does: "drop"; dropped: Dropped };

/**
 * Which found matters begin an item, which belong to one that is there, and which are none: the same matter found again
 * (after a crash, in another session, under another title) never makes a second item, and one that was closed does not
 * come back out of the lines from before it was closed.
 */
export function planMatters(
  found: readonly FoundMatter[],
  active: readonly TrackingItem[],
  closed: readonly TrackingItem[],
): MatterPlan[] {
  const opened: FoundMatter[] = [];
  return found.map((matter): MatterPlan => {
    const named = matter.goalId === null ? undefined : active.find((item) => item.id === matter.goalId);
    const item = named ?? active.find((known) => isSameMatter(known, matter));
    if (item) return { does: "update", matter, item };
    const drop = (why: Dropped["why"]): MatterPlan => ({ does: "drop", dropped: { title: matter.title, why } });
    if (closed.some((known) => wasClosed(known, matter))) return drop("closed_before");
    if (opened.some((known) => isSameMatter(known, matter))) return drop("doubled");
    opened.push(matter);
    return { does: "open", matter };
  });
}

/** Nothing has been said about it since it was closed; or it is the very line it was closed over. */
function wasClosed(item: TrackingItem, matter: FoundMatter): boolean {
  if (!isSameMatter(item, matter)) return false;
  const { closedAt } = item;
  const sinceThen = matter.evidence.filter((e) => closedAt !== null && e.at > closedAt && e.role !== "cron");
  return sinceThen.length === 0 || sharesALine(item.closedEvidence ?? [], sinceThen);
}

export interface StoredMatters {
  /** The matters that have an item now, each with its id. */
  matters: (FoundMatter & { goalId: string })[];
  added: number;
  updated: number;
  dropped: Dropped[];
}

/** Stores what worker 1 found in one transaction: either all of it is there for worker 2, or none. */
export async function storeMatters(
  scope: Scope,
  who: Extract<Actor, { kind: "worker" }>,
  found: readonly FoundMatter[],
): Promise<StoredMatters> {
  if (found.length === 0) return { matters: [], added: 0, updated: 0, dropped: [] };
  return inTransaction(scope.db, async (tx) => {
    const inside: Scope = { ...scope, db: tx };
    const stored: StoredMatters = { matters: [], added: 0, updated: 0, dropped: [] };
    await takeTurns(tx, scope, "store-matters");
    const { active, closed } = await readKnown(inside);
    for (const plan of planMatters(found, active, closed)) {
      if (plan.does === "drop") {
        stored.dropped.push(plan.dropped);
      } else if (plan.does === "open") {
        const { item } = await openItem(inside, who, newItem(plan.matter));
        stored.added++;
        stored.matters.push({ ...plan.matter, goalId: item.id });
      } else {
        const { outcome } = await updateItem(inside, who, { itemId: plan.item.id, ...changes(plan.item, plan.matter) });
        if (outcome === "updated") stored.updated++;
        stored.matters.push({ ...plan.matter, goalId: plan.item.id });
      }
    }
    return stored;
  });
}

/** The same without storing anything, for a dry run: how the items would look. */
export async function imagineMatters(
  scope: Scope,
  found: readonly FoundMatter[],
): Promise<StoredMatters & { items: TrackingItem[] }> {
  const { active, closed } = await readKnown(scope);
  const stored: StoredMatters = { matters: [], added: 0, updated: 0, dropped: [] };
  const items = new Map(active.map((item) => [item.id, item]));
  for (const [i, plan] of planMatters(found, active, closed).entries()) {
    if (plan.does === "drop") {
      stored.dropped.push(plan.dropped);
      continue;
    }
    const goalId = plan.does === "update" ? plan.item.id : `new-${i + 1}`;
    const known = items.get(goalId);
    items.set(goalId, known ? { ...known, ...imagined(known, plan.matter) } : imaginedItem(scope, goalId, plan.matter));
    if (known) stored.updated++;
    else stored.added++;
    stored.matters.push({ ...plan.matter, goalId });
  }
  return { ...stored, items: [...items.values()] };
}

/** Active items and those closed lately, without the members' own: what is over must not be found again. */
export async function readKnownItems(scope: Scope): Promise<TrackingItem[]> {
  const since = new Date(scope.clock.now().getTime() - CLOSED_DAYS * 86_400_000);
  const rows = await scope.db.trackingItem.findMany({
    where: { agentId: scope.agent.id, ...notAMembers, OR: [{ status: "active" }, { closedAt: { gte: since } }] },
    orderBy: { number: "asc" },
  });
  return rows.map((row) => trackingItemSchema.parse(row));
}

async function readKnown(scope: Scope): Promise<{ active: TrackingItem[]; closed: TrackingItem[] }> {
  const items = await readKnownItems(scope);
  return {
    active: items.filter((item) => item.status === "active"),
    closed: items.filter((item) => item.status === "closed"),
  };
}

function newItem(matter: FoundMatter) {
  return {
    title: matter.title,
    summary: matter.summary,
    kind: matter.kind,
    momentum: matter.momentum,
    dueAt: matter.dueAt,
    dueGrain: matter.dueGrain,
    evidence: matter.evidence,
    audience: audienceOfLines(matter.evidence),
    ...(matter.claimedDone && { claimedDone: claim(matter) }),
  };
}

/** A group's when every line was said in that one group; anything else is the owner's alone. */
function audienceOfLines(evidence: readonly Evidence[]): string {
  const groups = new Set(evidence.map((e) => (e.chatType === "group" && e.chatId ? e.chatId : PRIVATE)));
  const [only] = groups;
  return groups.size === 1 && only !== undefined ? only : PRIVATE;
}

/**
 * A new account brings the item up to date; the title stays the one the person knows. What was said elsewhere gives no words
 * to an item that is shown in a group.
 */
function changes(item: TrackingItem, matter: FoundMatter) {
  const named = item.kind === "reminder";
  const shareable = item.audience === PRIVATE || item.audience === audienceOfLines(matter.evidence);
  return {
    ...(matter.summary && !named && shareable && { summary: matter.summary }),
    momentum: matter.momentum,
    // The date of a reminder is the person's own; otherwise a date that was said replaces the one before.
    ...(matter.dueAt &&
      !named &&
      matter.dueAt.getTime() !== item.dueAt?.getTime() && { dueAt: matter.dueAt, dueGrain: matter.dueGrain }),
    ...(shareable && { evidence: matter.evidence }),
    ...(matter.claimedDone && !item.claimedDoneAt && { claimedDone: claim(matter) }),
  };
}

function claim(matter: FoundMatter) {
  const said = matter.evidence.filter((e) => e.role === "assistant");
  const evidence = said.length > 0 ? said : [...matter.evidence];
  return { at: new Date(Math.max(...evidence.map((e) => e.at.getTime()))), evidence };
}

function imagined(item: TrackingItem, matter: FoundMatter): Partial<TrackingItem> {
  const { claimedDone, ...rest } = changes(item, matter);
  return {
    ...rest,
    evidence: joinEvidence(item.evidence, matter.evidence, EVIDENCE_LINES),
    ...(claimedDone && { claimedDoneAt: claimedDone.at, claimedDoneEvidence: claimedDone.evidence }),
  };
}

function imaginedItem(scope: Scope, id: string, matter: FoundMatter): TrackingItem {
  const now = scope.clock.now();
  return {
    id,
    agentId: scope.agent.id,
    number: 0,
    title: matter.title,
    summary: matter.summary,
    kind: matter.kind,
    status: "active",
    momentum: matter.momentum,
    dueAt: matter.dueAt,
    dueGrain: matter.dueGrain,
    snoozedUntil: null,
    exact: false,
    evidence: [...matter.evidence],
    claimedDoneAt: matter.claimedDone ? claim(matter).at : null,
    claimedDoneEvidence: matter.claimedDone ? claim(matter).evidence : null,
    audience: audienceOfLines(matter.evidence),
    reminderCount: 0,
    ignoredCount: 0,
    lastRemindedAt: null,
    closedAt: null,
    closedBy: null,
    closedWhy: null,
    closedEvidence: null,
    createdAt: now,
    updatedAt: now,
    revision: 1,
  };
}
