import type { Db, Tx } from "../engine/db.ts";
import { jsonColumn } from "../engine/json-column.ts";
import type { Scope } from "../engine/scope.ts";
import type { SettledOrder } from "./gateway-wire.ts";

export type OrderKind = "message" | "stop" | "steer" | "answer";
export type OrderStatus = "waiting" | "taken" | "refused" | "withdrawn";

/** Orders given out with one answer. */
const MOST_AT_ONCE = 20;

/** An order as the plugin gets it. */
export type Order = Readonly<Record<string, unknown>> & { seq: number; key: string; kind: OrderKind };

/**
 * Something for the gateway, kept until it has taken it. The same key is the same order.
 * @returns its number, and what has become of it
 */
export async function giveOrder(
  db: Db,
  scope: Scope,
  order: { key: string; kind: OrderKind; turnId?: string; payload: Readonly<Record<string, unknown>> },
): Promise<{ seq: number; status: OrderStatus; fresh: boolean }> {
  const found = await db.gatewayOrder.findUnique({ where: { key: `${scope.agent.id}:${order.key}` } });
  if (found) return { seq: found.seq, status: found.status as OrderStatus, fresh: false };
  const row = await db.gatewayOrder.upsert({
    where: { key: `${scope.agent.id}:${order.key}` },
    update: {},
    create: {
      agentId: scope.agent.id,
      key: `${scope.agent.id}:${order.key}`,
      kind: order.kind,
      turnId: order.turnId ?? null,
      payload: jsonColumn(order.payload),
      status: "waiting",
      createdAt: scope.clock.now(),
    },
  });
  return { seq: row.seq, status: row.status as OrderStatus, fresh: true };
}

/** Orders that wait, oldest first; noted as given out before they leave. Not those the plugin is at work on (`holding`). */
export async function ordersWaiting(scope: Scope, holding: readonly number[]): Promise<Order[]> {
  const rows = await scope.db.gatewayOrder.findMany({
    where: { agentId: scope.agent.id, status: "waiting" },
    orderBy: { seq: "asc" },
    take: MOST_AT_ONCE + holding.length,
  });
  const due = rows.filter((row) => !holding.includes(row.seq)).slice(0, MOST_AT_ONCE);
  const first = due.filter((row) => row.handedAt === null).map((row) => row.seq);
  if (first.length > 0) {
    await scope.db.gatewayOrder.updateMany({
      where: { agentId: scope.agent.id, seq: { in: first }, status: "waiting" },
      data: { handedAt: scope.clock.now() },
    });
    // One may have been withdrawn in this very moment: what is not waiting any more does not go out.
    const still = await scope.db.gatewayOrder.findMany({
      where: { agentId: scope.agent.id, seq: { in: due.map((row) => row.seq) }, status: "waiting" },
      select: { seq: true },
    });
    const left = new Set(still.map((row) => row.seq));
    return due.filter((row) => left.has(row.seq)).map(asOrder);
  }
  return due.map(asOrder);
}

function asOrder(row: { seq: number; key: string; kind: string; turnId: string | null; payload: unknown }): Order {
  const payload = typeof row.payload === "object" && row.payload !== null ? row.payload : {};
  return {
    ...payload,
    seq: row.seq,
    key: row.key,
    kind: row.kind as OrderKind,
    ...(row.turnId !== null && { turnId: row.turnId }),
  };
}

/**
 * What the plugin says became of its orders. A turn whose message was taken runs from now on, in that process.
 * @param from.complete everything earlier processes had to tell has been taken in
 */
export async function settleOrders(
  tx: Tx,
  scope: Scope,
  settled: readonly SettledOrder[],
  from: { instance: string; complete: boolean },
): Promise<void> {
  const now = scope.clock.now();
  for (const { seq, status, note } of settled) {
    const { count } = await tx.gatewayOrder.updateMany({
      where: { agentId: scope.agent.id, seq, status: "waiting" },
      data: { status, note: note ?? null, settledAt: now },
    });
    if (count === 0) continue;
    const order = await tx.gatewayOrder.findUniqueOrThrow({ where: { seq }, select: { kind: true, turnId: true } });
    if (order.kind !== "message" || order.turnId === null) continue;
    // Begun by a process before this one, nobody knows how far; unless it left word of that, which may still be on its way.
    const earlier = note === "earlier";
    await tx.gatewayTurn.updateMany({
      where: { agentId: scope.agent.id, id: order.turnId, status: "waiting" },
      data:
        status === "refused"
          ? { status: "refused", why: note ?? null, endedAt: now }
          : earlier && from.complete
            ? { status: "lost", endedAt: now }
            : { status: "running", instance: earlier ? EARLIER : from.instance },
    });
  }
}

/** In place of the name of a gateway process that is gone. */
const EARLIER = "earlier";

/** Takes an order back that was never given out. False: it was, and may have been taken. */
export async function withdrawOrder(db: Db, scope: Scope, seq: number): Promise<boolean> {
  const { count } = await db.gatewayOrder.updateMany({
    where: { agentId: scope.agent.id, seq, status: "waiting", handedAt: null },
    data: { status: "withdrawn", settledAt: scope.clock.now() },
  });
  return count === 1;
}
