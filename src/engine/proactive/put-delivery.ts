import { createHash } from "node:crypto";
import { touchCards, wantCard } from "../card-posts.ts";
import { runStatement, type Tx } from "../db.ts";
import type { Scope } from "../scope.ts";
import { sql, tuples } from "../sql.ts";
import type { Recipient } from "./read-run-facts.ts";

/** Begins the key of a message at a time a person named: those do not count against the daily number or the gap. */
export const NAMED_TIME_KEY = "due-";
/** Begins the key of a message in which a fixed snooze has ended: it keeps to the gap, and the gap counts from it. */
export const SNOOZE_OVER_KEY = "over-";

/** One outgoing message and the matters it is about, in the order shown. */
export interface NewDelivery {
  runId: string;
  to: Recipient;
  text: string;
  /** At most 50 characters; the platform's uuid on every try. */
  idempotencyKey: string;
  matters: readonly { itemId: string; candidateIndex: number; whyNow: string; folded: boolean }[];
}

/**
 * A message is decided: its row, its matters and the card that is owed, to the person's direct chat and nowhere else. Sent
 * by the sweep, settled by `settle-deliveries`.
 */
export async function putDelivery(tx: Tx, scope: Scope, delivery: NewDelivery): Promise<{ deliveryId: string }> {
  const deliveryId = scope.ids.id("dlv");
  const { postId } = await wantCard(tx, scope, {
    subject: { kind: "delivery", id: deliveryId },
    to: { openId: delivery.to.openId },
    language: delivery.to.language,
    idempotencyKey: delivery.idempotencyKey,
  });
  await tx.delivery.create({
    data: {
      id: deliveryId,
      agentId: scope.agent.id,
      runId: delivery.runId,
      text: delivery.text,
      recipientOpenId: delivery.to.openId,
      idempotencyKey: delivery.idempotencyKey,
      cardPostId: postId,
      status: "pending",
      createdAt: scope.clock.now(),
    },
    select: { id: true },
  });
  const matters = delivery.matters.map(({ itemId, candidateIndex, whyNow, folded }, i) => [
    deliveryId,
    i + 1,
    scope.agent.id,
    itemId,
    candidateIndex,
    whyNow,
    folded,
  ]);
  if (matters.length > 0) {
    await runStatement(
      tx,
      sql`INSERT INTO "DeliveryMatter"
        ("deliveryId", "position", "agentId", "itemId", "candidateIndex", "whyNow", "folded") VALUES ${tuples(matters)}`,
    );
  }
  await touchCards(tx, scope, { kind: "delivery", id: deliveryId });
  return { deliveryId };
}

/** A key of the platform's length out of whatever makes the event the same again. */
export function deliveryKey(prefix: string, ...parts: readonly string[]): string {
  return `${prefix}${createHash("sha256").update(parts.join("\u0000")).digest("hex").slice(0, 32)}`;
}
