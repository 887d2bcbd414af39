import { runStatement, type Tx } from "./db.ts";
import { jsonText } from "./json-column.ts";
import type { Actor, Scope } from "./scope.ts";
import { sql } from "./sql.ts";

/** Everything that is ever recorded. Not a free string, so that a search for one of them finds all of its writers. */
export const auditVerbs = [
  "item.open",
  "item.update",
  "item.done",
  "item.drop",
  "item.snooze",
  "item.reopen",
  "item.carry_on",
  "item.fewer",
  "item.undo",
  "item.remind",
  "settings.change",
  "prefs.edit",
  "backup.make",
  "people.pair",
  "people.grant",
  "people.revoke",
  "people.language",
  "people.zone",
  "goal.set",
  "goal.pause",
  "goal.resume",
  "goal.clear",
  "goal.budget",
  "goal.criterion",
  "goal.check",
  "goal.stop",
  "tap.refused",
  "command.refused",
  "tick.asked",
  "dream.asked",
  "proposal.approve",
  "proposal.reject",
  "proposal.later",
  "proposal.expire",
  "proposal.execute",
  "proposal.fail",
  "proposal.revert",
  "unit.judge",
  "kind.hold",
  "kind.resume",
  "strategy.switch",
  "turn.stop",
  "turn.retry",
  "session.new",
  "session.resume",
  "session.title",
  "question.answer",
] as const;
export type AuditVerb = (typeof auditVerbs)[number];

export interface AuditRecord {
  who: Actor;
  what: AuditVerb;
  subject?: { kind: string; id: string };
  /** Only the fields the change touched. */
  before?: Readonly<Record<string, unknown>>;
  after?: Readonly<Record<string, unknown>>;
}

/**
 * Writes who changed what, when, from what to what. Takes the transaction of the change, so that neither stands without
 * the other.
 */
export async function recordAudit(tx: Tx, scope: Scope, record: AuditRecord): Promise<void> {
  const { who, what, subject, before, after } = record;
  await runStatement(
    tx,
    sql`INSERT INTO "AuditEntry"
      ("agentId", "at", "actorKind", "actorId", "what", "subjectKind", "subjectId", "before", "after")
      VALUES (${scope.agent.id}, ${scope.clock.now()}, ${who.kind}, ${actorId(who)}, ${what},
        ${subject?.kind ?? null}, ${subject?.id ?? null}, ${before ? jsonText(before) : null},
        ${after ? jsonText(after) : null})`,
  );
}

/** The one id an actor is known by: a person's open_id (also when the agent speaks for them), a run, or a job's name. */
export function actorId(who: Actor): string {
  switch (who.kind) {
    case "person":
      return who.openId;
    case "agent":
      return who.onWordsOf.openId;
    case "worker":
      return who.runId;
    case "job":
      return who.name;
  }
}
