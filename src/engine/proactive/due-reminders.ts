import { DateTime } from "luxon";
import { textsFor } from "../../text/pick.ts";
import { isActive } from "../active-window.ts";
import { inTransaction, isUniqueViolation } from "../db.ts";
import { jsonColumn } from "../json-column.ts";
import type { Scope } from "../scope.ts";
import { readSettings, type Settings } from "../settings.ts";
import { takeTurns } from "../take-turns.ts";
import { isPersonal, PRIVATE } from "../tracking/audience.ts";
import { type TrackingItem, trackingItemSchema } from "../tracking/item.ts";
import { gapEnds, isNamedTime } from "./disturb-rules.ts";
import { deliveryKey, NAMED_TIME_KEY, putDelivery, SNOOZE_OVER_KEY } from "./put-delivery.ts";
import { cursorSchema } from "./read-for-editor.ts";
import { type Recipient, readRecipient } from "./read-run-facts.ts";
import { writeReminder } from "./reminder-text.ts";
import { settleDeliveries } from "./settle-deliveries.ts";

const MINUTE_MS = 60_000;
/** Later than this the very instant is missed anyway: what comes after it keeps to the person's hours. */
const LATE_MINUTES = 30;
/** Pauses after a message at a named time did not arrive; after the last of them it is left to the ordinary runs. */
const RETRY_PAUSES_MINUTES = [0, 2, 10, 60, 240];

export interface DueResult {
  outcome: "done" | "no_op";
  /** Matters spoken of. */
  spoken: number;
}

/**
 * The minute sweep: what a person asked to hear at this time. A reminder with its own instant (/remind, a picked time) is
 * spoken at it, quiet hours or not; a snooze that has ended waits for the person's hours and for the gap after another
 * message, unless it can go along with such an instant. Each once: the key of the message
 * is the item and its instant, so neither a second replica nor a clock set back makes a second one. The conversation is
 * not read and no model asked; the run it leaves moves no watermark.
 */
export async function dueReminders(scope: Scope): Promise<DueResult> {
  await settleDeliveries(scope);
  const now = scope.clock.now();
  const rows = await scope.db.trackingItem.findMany({
    where: { agentId: scope.agent.id, status: "active", snoozedUntil: { lte: now } },
    orderBy: [{ snoozedUntil: "asc" }, { number: "asc" }],
  });
  const due = rows.map((row) => trackingItemSchema.parse(row)).filter((item) => isNamedTime(item, now));
  if (due.length === 0) return { outcome: "no_op", spoken: 0 };
  const settings = await readSettings(scope);
  const tries = await readTries(scope, due);
  let spoken = 0;
  for (const [audience, items] of byListener(due)) {
    const to = await readRecipient(scope, settings, audience);
    if (!to) continue;
    const may = items.filter((item) => mayBeSaidNow(item, tries.get(item.id) ?? [], settings, to, now));
    const ready = may.some((item) => item.exact) || !(await isWithinGap(scope, settings, to, now)) ? may : [];
    for (let i = 0; i < ready.length; i += settings.mattersPerCard) {
      const part = ready.slice(i, i + settings.mattersPerCard);
      const attempt = Math.max(...part.map((item) => (tries.get(item.id) ?? []).length));
      if (await speak(scope, part, { to, attempt, settings })) spoken += part.length;
    }
  }
  return { outcome: spoken > 0 ? "done" : "no_op", spoken };
}

/** A member's own reminders are told to them, all others to the owner. */
function byListener(items: readonly TrackingItem[]): Map<string, TrackingItem[]> {
  const listeners = new Map<string, TrackingItem[]>();
  for (const item of items) {
    const audience = isPersonal(item.audience) ? item.audience : PRIVATE;
    listeners.set(audience, [...(listeners.get(audience) ?? []), item]);
  }
  return listeners;
}

interface Try {
  status: string;
  createdAt: Date;
}

function mayBeSaidNow(
  item: TrackingItem,
  tries: readonly Try[],
  settings: Settings,
  to: Recipient,
  now: Date,
): boolean {
  if (tries.some((t) => t.status !== "failed")) return false;
  const pause = RETRY_PAUSES_MINUTES[tries.length];
  const last = Math.max(0, ...tries.map((t) => t.createdAt.getTime()));
  if (pause === undefined || now.getTime() < last + pause * MINUTE_MS) return false;
  const late = now.getTime() - (item.snoozedUntil?.getTime() ?? 0) > LATE_MINUTES * MINUTE_MS;
  if (item.exact && !late) return true;
  if (!item.exact && settings.paused && settings.paused > now) return false;
  return isActive(now, to.zone, settings);
}

/** Messages about each item made since its instant came, withdrawn ones left out. */
async function readTries(scope: Scope, items: readonly TrackingItem[]): Promise<Map<string, Try[]>> {
  const agentId = scope.agent.id;
  const matters = await scope.db.deliveryMatter.findMany({
    where: { agentId, itemId: { in: items.map((item) => item.id) }, folded: false },
    select: { itemId: true, deliveryId: true },
  });
  const deliveries = await scope.db.delivery.findMany({
    where: { agentId, id: { in: matters.map((matter) => matter.deliveryId) } },
    select: { id: true, status: true, createdAt: true, withdrawnAt: true },
  });
  const tries = new Map<string, Try[]>();
  for (const item of items) {
    const ids = matters.filter((matter) => matter.itemId === item.id).map((matter) => matter.deliveryId);
    const since = item.snoozedUntil?.getTime() ?? 0;
    tries.set(
      item.id,
      deliveries.filter(
        (d) => ids.includes(d.id) && !d.withdrawnAt && (d.createdAt.getTime() >= since || d.status === "pending"),
      ),
    );
  }
  return tries;
}

/** Was something said to this person so lately that only a time they named may come now? */
async function isWithinGap(scope: Scope, settings: Settings, to: Recipient, now: Date): Promise<boolean> {
  const deliveries = await scope.db.delivery.findMany({
    where: {
      agentId: scope.agent.id,
      recipientOpenId: to.openId,
      withdrawnAt: null,
      status: { not: "failed" },
      createdAt: { gt: new Date(now.getTime() - settings.minimumGapMinutes * MINUTE_MS) },
      idempotencyKey: { not: { startsWith: NAMED_TIME_KEY } },
    },
    select: { createdAt: true },
  });
  const spokenAt = deliveries.map((delivery) => delivery.createdAt);
  return gapEnds(spokenAt, now, settings.minimumGapMinutes) !== undefined;
}

async function speak(
  scope: Scope,
  items: readonly TrackingItem[],
  { to, attempt, settings }: { to: Recipient; attempt: number; settings: Settings },
): Promise<boolean> {
  const now = scope.clock.now();
  const agentId = scope.agent.id;
  const texts = textsFor(to.language).engine;
  const runId = scope.ids.id("run");
  const named = items.some((item) => item.exact);
  const key = deliveryKey(
    items.every((item) => item.exact) ? NAMED_TIME_KEY : SNOOZE_OVER_KEY,
    agentId,
    String(attempt),
    ...items.flatMap((item) => [item.id, item.snoozedUntil?.toISOString() ?? ""]),
  );
  try {
    return await inTransaction(scope.db, async (tx) => {
      // A run may have spoken since the gap was looked at: one of the two waits for the other's.
      await takeTurns(tx, scope, "commit-run");
      if (!named && (await isWithinGap({ ...scope, db: tx }, settings, to, now))) return false;
      const before = await tx.checkpoint.findFirst({
        where: { agentId, status: "committed" },
        orderBy: { settledAt: "desc" },
        select: { cursorEnd: true, windowEnd: true },
      });
      // It stands where the last run ended: nothing is read, so nothing is marked as read.
      const cursor = jsonColumn(before ? cursorSchema.parse(before.cursorEnd) : {});
      await tx.checkpoint.create({
        data: {
          runId,
          agentId,
          windowStart: before?.windowEnd ?? now,
          windowEnd: before?.windowEnd ?? now,
          cursorStart: cursor,
          cursorEnd: cursor,
          status: "committed",
          outcome: "sent",
          reason: "item_due",
          editor: "code",
          counts: jsonColumn({ candidates: items.length, sent: items.length }),
          startedAt: now,
          settledAt: now,
        },
        select: { runId: true },
      });
      const whyNow = (item: TrackingItem): string =>
        item.kind === "reminder" ? texts.why.personSet : texts.why.snoozeOver;
      await tx.candidate.createMany({
        data: items.map((item, i) => ({
          agentId,
          runId,
          index: i + 1,
          kind: "prepared",
          matterKind: item.kind,
          goalId: item.id,
          title: item.title,
          whyNow: whyNow(item),
          draft: "",
          evidence: jsonColumn(item.evidence),
          decision: "send",
          reason: "person_asked",
        })),
      });
      await putDelivery(tx, scope, {
        runId,
        to,
        text: writeReminder(items, 0, { now, zone: zoneOf(to), texts }),
        idempotencyKey: key,
        matters: items.map((item, i) => ({
          itemId: item.id,
          candidateIndex: i + 1,
          whyNow: whyNow(item),
          folded: false,
        })),
      });
      return true;
    });
  } catch (error) {
    // Another replica was quicker with the same message.
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

function zoneOf(to: Recipient): string {
  return DateTime.local({ zone: to.zone }).isValid ? to.zone : "UTC";
}
