import type { Scope } from "./engine/scope.ts";

const LATEST = 20;

/** Counts of the tables and their latest rows, for GET /dev/state. Documents and payloads are left out. */
export async function devState(scope: Scope): Promise<unknown> {
  const { db } = scope;
  const where = { agentId: scope.agent.id };
  const latest = { take: LATEST } as const;
  return {
    now: scope.clock.now().toISOString(),
    counts: {
      items: await db.trackingItem.count({ where }),
      openItems: await db.trackingItem.count({ where: { ...where, status: "active" } }),
      runs: await db.checkpoint.count({ where }),
      candidates: await db.candidate.count({ where }),
      deliveries: await db.delivery.count({ where }),
      delivered: await db.delivery.count({ where: { ...where, status: "delivered" } }),
      events: await db.inboxEvent.count({ where }),
      waitingEvents: await db.inboxEvent.count({ where: { ...where, status: "waiting" } }),
      cardPosts: await db.cardPost.count({ where }),
      owedCards: await db.cardPost.count({ where: { ...where, stale: true } }),
      auditEntries: await db.auditEntry.count({ where }),
      people: await db.person.count({ where }),
    },
    people: await db.person.findMany({ where, ...latest }),
    items: await db.trackingItem.findMany({ where, orderBy: { number: "desc" }, ...latest }),
    runs: await db.checkpoint.findMany({ where, orderBy: { startedAt: "desc" }, ...latest }),
    candidates: await db.candidate.findMany({ where, orderBy: { id: "desc" }, ...latest }),
    deliveries: await db.delivery.findMany({ where, orderBy: { createdAt: "desc" }, ...latest }),
    decisions: await db.itemDecision.findMany({ where, orderBy: { at: "desc" }, ...latest }),
    events: await db.inboxEvent.findMany({ where, orderBy: { seq: "desc" }, omit: { payload: true }, ...latest }),
    cardPosts: await db.cardPost.findMany({ where, orderBy: { createdAt: "desc" }, ...latest }),
    jobs: await db.jobRun.findMany({ where, orderBy: { startedAt: "desc" }, ...latest }),
    audit: await db.auditEntry.findMany({ where, orderBy: { id: "desc" }, ...latest }),
    heartbeats: await db.heartbeat.findMany({ where }),
    settings: await db.setting.findMany({ where }),
  };
}
