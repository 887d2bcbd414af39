import { assertMay } from "./people/person.ts";
import type { PersonActor, Scope } from "./scope.ts";

export interface AuditLine {
  id: number;
  at: Date;
  actorKind: string;
  actorId: string | null;
  what: string;
  subjectKind: string | null;
  subjectId: string | null;
  before: unknown;
  after: unknown;
}

/**
 * The record of changes, latest first.
 * @throws EngineError forbidden
 */
export async function listAudit(
  scope: Scope,
  who: PersonActor,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ lines: AuditLine[]; pages: number }> {
  assertMay(who, "audit.read");
  const where = { agentId: scope.agent.id };
  const total = await scope.db.auditEntry.count({ where });
  const lines = await scope.db.auditEntry.findMany({
    where,
    orderBy: [{ at: "desc" }, { id: "desc" }],
    skip: (page - 1) * perPage,
    take: perPage,
  });
  return { lines, pages: Math.max(1, Math.ceil(total / perPage)) };
}
