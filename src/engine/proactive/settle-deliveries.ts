import { inTransaction } from "../db.ts";
import { statusesBefore } from "../lifecycle.ts";
import type { Scope } from "../scope.ts";
import { checkpointLifecycle, deliveryLifecycle } from "./run.ts";

export interface Settled {
  delivered: number;
  failed: number;
}

/**
 * Turns the facts of the cards of earlier runs into receipts; the only writer of `delivered` and `failed`. Arrived means
 * that the message has an id. Given up without one means failed, and in the same transaction the run's window is
 * superseded, so that it is judged again; what arrived of the same window is not said twice (see `disturb-rules`). A
 * message withdrawn because everything in it was settled meanwhile leaves its window judged.
 *
 * Doing it twice, or on two replicas at once, changes nothing.
 */
export async function settleDeliveries(scope: Scope): Promise<Settled> {
  const settled: Settled = { delivered: 0, failed: 0 };
  const open = await scope.db.delivery.findMany({
    where: { agentId: scope.agent.id, status: { in: statusesBefore(deliveryLifecycle, "arrive") } },
    orderBy: { createdAt: "asc" },
    select: { id: true, runId: true, cardPostId: true, withdrawnAt: true },
  });
  if (open.length === 0) return settled;
  const posts = await scope.db.cardPost.findMany({
    where: { agentId: scope.agent.id, id: { in: open.map((delivery) => delivery.cardPostId) } },
    select: {
      id: true,
      messageId: true,
      chatId: true,
      sentAt: true,
      attempts: true,
      gaveUpAt: true,
      gaveUpBecause: true,
    },
  });
  for (const delivery of open) {
    const post = posts.find((candidate) => candidate.id === delivery.cardPostId);
    if (post?.messageId) {
      if (await arrive(scope, delivery.id, { ...post, messageId: post.messageId })) settled.delivered++;
    } else if (delivery.withdrawnAt || post?.gaveUpAt) {
      const error = delivery.withdrawnAt ? "withdrawn" : (post?.gaveUpBecause ?? "given up");
      if (await fail(scope, delivery, error, post?.attempts ?? 0)) settled.failed++;
    }
  }
  return settled;
}

async function arrive(
  scope: Scope,
  deliveryId: string,
  post: { messageId: string; chatId: string | null; sentAt: Date | null; attempts: number },
): Promise<boolean> {
  const now = scope.clock.now();
  const agentId = scope.agent.id;
  return inTransaction(scope.db, async (tx) => {
    const { count } = await tx.delivery.updateMany({
      where: { id: deliveryId, agentId, status: { in: statusesBefore(deliveryLifecycle, "arrive") } },
      data: {
        status: "delivered",
        messageId: post.messageId,
        chatId: post.chatId,
        attempts: post.attempts,
        error: null,
        settledAt: now,
      },
    });
    if (count === 0) return false;
    const matters = await tx.deliveryMatter.findMany({
      where: { agentId, deliveryId, folded: false },
      select: { itemId: true },
    });
    const itemIds = matters.map((matter) => matter.itemId);
    const at = post.sentAt ?? now;
    // Not a change a person could have seen: revision and updatedAt stay, and no card is redrawn for it.
    await tx.trackingItem.updateMany({
      where: { agentId, id: { in: itemIds } },
      data: { reminderCount: { increment: 1 }, lastRemindedAt: at },
    });
    // A reaction that came before the receipt was noted is a reaction: it is not counted as ignored.
    const answered = await tx.itemDecision.findMany({
      where: { agentId, itemId: { in: itemIds }, at: { gte: at } },
      select: { itemId: true },
    });
    await tx.trackingItem.updateMany({
      where: { agentId, id: { in: itemIds, notIn: answered.map((decision) => decision.itemId) } },
      data: { ignoredCount: { increment: 1 } },
    });
    return true;
  });
}

async function fail(
  scope: Scope,
  delivery: { id: string; runId: string; withdrawnAt: Date | null },
  error: string,
  attempts: number,
): Promise<boolean> {
  const now = scope.clock.now();
  const agentId = scope.agent.id;
  return inTransaction(scope.db, async (tx) => {
    const { count } = await tx.delivery.updateMany({
      where: { id: delivery.id, agentId, status: { in: statusesBefore(deliveryLifecycle, "fail") } },
      data: { status: "failed", error, attempts, settledAt: now },
    });
    if (count === 0) return false;
    if (!delivery.withdrawnAt) {
      await tx.checkpoint.updateMany({
        where: { runId: delivery.runId, agentId, status: { in: statusesBefore(checkpointLifecycle, "supersede") } },
        data: { status: "superseded", outcome: "superseded", error, settledAt: now },
      });
    }
    return true;
  });
}
