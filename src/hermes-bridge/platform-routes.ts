import { basename } from "node:path";
import type { z } from "zod";
import { deliverAgentMessage } from "../engine/agent-messages/deliver-agent-message.ts";
import { inTransaction } from "../engine/db.ts";
import { jsonColumn } from "../engine/json-column.ts";
import type { Scope } from "../engine/scope.ts";
import { type EventParts, takeEvents } from "./gateway-events.ts";
import type { GatewayHub } from "./gateway-hub.ts";
import { type Order, ordersWaiting, settleOrders } from "./gateway-orders.ts";
import { askSchema, batchSchema, deliverSchema, type GatewayAsk, looseEventSchema } from "./gateway-wire.ts";
import type { BridgeAnswer, BridgeRequest, BridgeRoute } from "./tool-routes.ts";

/** A batch of events: the plugin sends half of this at most, one long text aside. */
const EVENTS_BYTES = 4 * 1024 * 1024;
const ASK_BYTES = 256 * 1024;
/** An older gateway is heard again at most so long after a newer one was. */
const RIVAL_MS = 90_000;
/** Rows are looked at again after this long: another replica may have an order for the plugin that asks here. */
const LOOK_MS = 1_000;

export interface PlatformParts extends EventParts {
  hub: GatewayHub;
  /** cards are owed */
  owed: () => void;
}

/**
 * What the platform plugin calls: `orders` waits until there is something to do, `events` brings what the gateway said,
 * `deliver` is for processes of Hermes' without the gateway. No call holds a transaction while it waits.
 */
export function platformRoutes(parts: PlatformParts): readonly BridgeRoute[] {
  return [
    { method: "POST", path: "/bridge/platform/orders", handle: (scope, request) => orders(scope, parts, request) },
    { method: "POST", path: "/bridge/platform/events", handle: (scope, request) => events(scope, parts, request) },
    { method: "POST", path: "/bridge/platform/deliver", handle: (scope, request) => deliver(scope, parts, request) },
  ];
}

async function orders(scope: Scope, parts: PlatformParts, request: BridgeRequest): Promise<BridgeAnswer> {
  const { hub } = parts;
  const ask = await readBody(request, ASK_BYTES, askSchema);
  if (ask === undefined) return UNREADABLE;
  if (!(await mayThisOneSpeak(scope, hub, ask))) return RIVAL;
  await meet(scope, ask);
  hub.heard(ask.instance);
  hub.abilities = ask.can;
  if (ask.settled.length > 0) hub.wake();
  const stopped = hub.asks(ask.instance);
  try {
    const until = performance.now() + ask.wait * 1_000;
    for (;;) {
      const waiting = await ordersWaiting(scope, ask.holding);
      const left = until - performance.now();
      if (waiting.length > 0 || left <= 0 || hub.closed || request.gone?.aborted) return answer(waiting);
      await hub.next(Math.min(LOOK_MS, left), request.gone);
    }
  } finally {
    stopped();
    // Hung up instead of waiting: nobody is there to carry anything out.
    if (request.gone?.aborted) hub.left(ask.instance);
  }
}

const answer = (waiting: readonly Order[]): BridgeAnswer => ({ status: 200, body: { orders: waiting } });

/** Notes who asks, and what became of the orders it had. */
async function meet(scope: Scope, ask: GatewayAsk): Promise<void> {
  const now = scope.clock.now();
  const key = { agentId: scope.agent.id, id: ask.spool };
  const facts = {
    can: jsonColumn(ask.can),
    hermesVersion: ask.hermes ?? null,
    pluginVersion: ask.plugin ?? null,
    lastSeenAt: now,
  };
  await inTransaction(scope.db, async (tx) => {
    const link = await tx.gatewayLink.upsert({
      where: { agentId_id: key },
      update: facts,
      create: { ...key, ...facts, instance: "", connectedAt: now },
    });
    // Its first event says that it has begun; everything earlier processes left stands before that one.
    await settleOrders(tx, scope, ask.settled, {
      instance: ask.instance,
      complete: link.instance === ask.instance,
    });
  });
}

async function events(scope: Scope, parts: PlatformParts, request: BridgeRequest): Promise<BridgeAnswer> {
  const { hub } = parts;
  const batch = await readBody(request, EVENTS_BYTES, batchSchema);
  if (batch === undefined) return UNREADABLE;
  hub.heardAgain(batch.instance);
  const key = { agentId: scope.agent.id, id: batch.spool };
  const now = scope.clock.now();
  const link = await scope.db.gatewayLink.upsert({
    where: { agentId_id: key },
    update: {},
    create: { ...key, can: {}, instance: "", connectedAt: now, lastSeenAt: now },
  });
  const result = await takeEvents(scope, parts, batch);
  if (batch.settled.length > 0) {
    const { instance } = batch;
    await inTransaction(scope.db, (tx) =>
      settleOrders(tx, scope, batch.settled, { instance, complete: link.instance === instance }),
    );
  }
  if (batch.events.some((event) => event.kind === "left" && event.instance === batch.instance))
    hub.left(batch.instance);
  if (batch.events.length + batch.settled.length > 0) hub.wake();
  if (batch.events.length > 0) parts.owed();
  for (const raw of batch.loose) {
    const loose = looseEventSchema.safeParse(raw);
    if (loose.success) hub.tellLoose(loose.data);
  }
  return { status: 200, body: { ...result } };
}

async function deliver(scope: Scope, parts: PlatformParts, request: BridgeRequest): Promise<BridgeAnswer> {
  const message = await readBody(request, EVENTS_BYTES, deliverSchema);
  if (message === undefined) return UNREADABLE;
  const files = message.files.map((path) => ({ path, name: basename(path), mime: "application/octet-stream" }));
  const { outcome } = await inTransaction(scope.db, (tx) =>
    deliverAgentMessage(tx, { ...scope, db: tx }, { ...message, files, origin: "cron", split: parts.split }),
  );
  if (outcome === "unknown_chat") {
    return {
      status: 404,
      body: { error: "Herald serves nobody in this chat. Name a chat it has spoken in, or owner." },
    };
  }
  parts.owed();
  return { status: 200, body: { outcome } };
}

/** Of two gateways that were pointed here, the one that was first speaks; the other waits until that one is gone. */
async function mayThisOneSpeak(scope: Scope, hub: GatewayHub, ask: GatewayAsk): Promise<boolean> {
  if (hub.isThere(ask.instance)) return true;
  const links = await scope.db.gatewayLink.findMany({
    where: {
      agentId: scope.agent.id,
      id: { not: ask.spool },
      leftAt: null,
      lastSeenAt: { gt: new Date(scope.clock.now().getTime() - RIVAL_MS) },
    },
  });
  const rival = links.find((link) => hub.isThere(link.instance));
  if (rival === undefined) return true;
  scope.log.warn("gateway.rival", { spool: ask.spool, speaks: rival.id });
  return false;
}

const UNREADABLE: BridgeAnswer = { status: 422, body: { error: "This is not what Herald expects here." } };
const RIVAL: BridgeAnswer = { status: 409, body: { error: "Another gateway of Hermes speaks with Herald." } };

async function readBody<S extends z.ZodType>(
  request: BridgeRequest,
  most: number,
  schema: S,
): Promise<z.infer<S> | undefined> {
  const body = await request.read(most);
  if (body === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(body.toString("utf8"))).data;
  } catch {
    return undefined;
  }
}
