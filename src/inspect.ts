import type { Scope } from "./engine/scope.ts";

const MOST_ROWS = 100;

/** What the playground's inspector may look at: rows as they stand in the database. Undefined for a word it does not know. */
export async function inspect(scope: Scope, what: string, query: Readonly<Record<string, string>>): Promise<unknown> {
  const { db } = scope;
  const where = { agentId: scope.agent.id };
  switch (what) {
    case "items":
      return db.trackingItem.findMany({ where, orderBy: { number: "desc" }, take: MOST_ROWS });
    case "runs":
      return db.checkpoint.findMany({ where, orderBy: { startedAt: "desc" }, take: MOST_ROWS });
    case "run": {
      const runId = query.id ?? "";
      return {
        run: await db.checkpoint.findFirst({ where: { ...where, runId } }),
        candidates: await db.candidate.findMany({ where: { ...where, runId }, orderBy: { index: "asc" } }),
        documents: await db.runDocument.findMany({ where: { ...where, runId }, orderBy: { createdAt: "asc" } }),
      };
    }
    case "deliveries":
      return db.delivery.findMany({ where, orderBy: { createdAt: "desc" }, take: MOST_ROWS });
    case "cards":
      return db.cardPost.findMany({ where, orderBy: { createdAt: "desc" }, take: MOST_ROWS });
    case "audit":
      return db.auditEntry.findMany({ where, orderBy: { id: "desc" }, take: MOST_ROWS });
    case "jobs":
      return db.jobRun.findMany({ where, orderBy: { startedAt: "desc" }, take: MOST_ROWS });
    default:
      return undefined;
  }
}
