import { textsFor } from "../../text/pick.ts";
import { isActive, nextOpening } from "../active-window.ts";
import { giveUp, touchCards } from "../card-posts.ts";
import { inTransaction } from "../db.ts";
import { isEngineError } from "../errors.ts";
import type { Scope } from "../scope.ts";
import { readSettings, type Settings } from "../settings.ts";
import { closeItem } from "../tracking/close-item.ts";
import type { TrackingItem } from "../tracking/item.ts";
import { NAMED_TIME_KEY, SNOOZE_OVER_KEY } from "./put-delivery.ts";
import { cursorSchema, readItems } from "./read-for-editor.ts";
import { readHumanRules } from "./read-human-rules.ts";
import { readLiveDelta } from "./read-live-delta.ts";
import { onWordsOf, type Recipient, readOwner, readRecipient } from "./read-run-facts.ts";
import { writeReminder } from "./reminder-text.ts";
import { type Settlement, settledByWords } from "./settled-by-words.ts";

const MINUTE_MS = 60_000;
/** A history that cannot be read holds a message back for so long at most: then it goes out as it was decided. */
const PATIENCE_MINUTES = 10;

/** later: not before that instant, because the person is not to be disturbed now or the history cannot be read. */
export type Recheck = "send" | "withdrawn" | { later: Date };

/**
 * The last look before a reminder is sent for the first time. Matters that were settled since they were decided on (closed
 * or snoozed by a tap, or by a person's words in any session up to this moment) are taken off and the text is written
 * anew; when none is left the delivery is withdrawn and there is no message. Outside of the person's hours it waits, unless
 * they named the time or asked for the look themselves. Asking again is harmless.
 */
export async function recheckDelivery(scope: Scope, deliveryId: string): Promise<Recheck> {
  const agentId = scope.agent.id;
  const delivery = await scope.db.delivery.findFirst({ where: { agentId, id: deliveryId } });
  if (!delivery) return "withdrawn";
  if (delivery.withdrawnAt) return "withdrawn";
  if (delivery.status !== "pending") return "send";
  const run = await scope.db.checkpoint.findFirst({ where: { agentId, runId: delivery.runId } });
  const settings = await readSettings(scope);
  const named = [NAMED_TIME_KEY, SNOOZE_OVER_KEY].some((key) => delivery.idempotencyKey.startsWith(key));
  const to = await readRecipient(scope, settings, delivery.recipientOpenId);
  // Access was taken back meanwhile: there is nobody to speak to.
  if (!to) return withdraw(scope, delivery);
  const now = scope.clock.now();
  if (!named && run?.reason !== "asked_for") {
    if (settings.paused && settings.paused > now) return { later: settings.paused };
    if (!isActive(now, to.zone, settings)) return { later: nextOpening(now, to.zone, settings) };
  }
  const matters = await scope.db.deliveryMatter.findMany({
    where: { agentId, deliveryId },
    orderBy: { position: "asc" },
  });
  const items = await readItems(
    scope,
    matters.map((matter) => matter.itemId),
  );
  const owner = await readOwner(scope, settings);
  let settled = new Map<string, Settlement>();
  if (owner && owner.openId === to.openId && run) {
    try {
      settled = await settledSince(scope, settings, run.cursorEnd, [...items.values()], owner);
    } catch (error) {
      if (!isEngineError(error, "unavailable")) throw error;
      const patience = delivery.createdAt.getTime() + PATIENCE_MINUTES * MINUTE_MS;
      if (!named && now.getTime() < patience) return { later: new Date(now.getTime() + MINUTE_MS) };
    }
    await closeSettled(scope, owner, settled, items);
  }
  const off = matters.filter((matter) => isOff(items.get(matter.itemId), settled.get(matter.itemId), now));
  if (off.length === 0) return "send";
  const left = matters.filter((matter) => !off.includes(matter));
  const shown = left.filter((matter) => !matter.folded);
  if (shown.length === 0) return withdraw(scope, delivery);
  const sayable = shown.map((matter) => items.get(matter.itemId)).filter((item) => item !== undefined);
  const texts = textsFor(to.language).engine;
  await inTransaction(scope.db, async (tx) => {
    await tx.deliveryMatter.deleteMany({
      where: { agentId, deliveryId, itemId: { in: off.map((matter) => matter.itemId) } },
    });
    await tx.delivery.updateMany({
      where: { agentId, id: deliveryId, status: "pending" },
      data: { text: writeReminder(sayable, left.length - shown.length, { now, zone: to.zone, texts }) },
    });
    await touchCards(tx, scope, { kind: "delivery", id: deliveryId });
  });
  return "send";
}

async function settledSince(
  scope: Scope,
  settings: Settings,
  cursor: unknown,
  items: readonly TrackingItem[],
  owner: Recipient,
): Promise<Map<string, Settlement>> {
  const since = cursorSchema.safeParse(cursor);
  if (!since.success || Object.keys(since.data).length === 0) return new Map();
  const lines = await readLiveDelta(scope, since.data, await readHumanRules(scope, settings), owner.openId);
  return settledByWords(items, lines);
}

/** A person's own words close, with the line as evidence; the agent's or somebody else's claim does not. */
async function closeSettled(
  scope: Scope,
  owner: Recipient,
  settled: ReadonlyMap<string, Settlement>,
  items: ReadonlyMap<string, TrackingItem>,
): Promise<void> {
  for (const [itemId, { how, evidence }] of settled) {
    if (how === "claimed" || items.get(itemId)?.status !== "active") continue;
    await closeItem(scope, onWordsOf(owner), { itemId, why: how, evidence: [evidence] });
  }
}

function isOff(item: TrackingItem | undefined, settlement: Settlement | undefined, now: Date): boolean {
  if (item?.status !== "active") return true;
  if (settlement && settlement.how !== "claimed") return true;
  return item.snoozedUntil !== null && item.snoozedUntil > now;
}

async function withdraw(scope: Scope, delivery: { id: string; cardPostId: string }): Promise<Recheck> {
  await scope.db.delivery.updateMany({
    where: { id: delivery.id, agentId: scope.agent.id, status: "pending", withdrawnAt: null },
    data: { withdrawnAt: scope.clock.now() },
  });
  await giveUp(scope, { id: delivery.cardPostId }, "withdrawn");
  return "withdrawn";
}
