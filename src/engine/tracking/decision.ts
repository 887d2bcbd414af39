import { z } from "zod";
import { type AuditVerb, recordAudit } from "../audit.ts";
import { touchCards } from "../card-posts.ts";
import { type Db, readRows, runStatement, type Tx } from "../db.ts";
import { evidenceSchema } from "../evidence.ts";
import { jsonText } from "../json-column.ts";
import { personBehind } from "../people/person.ts";
import type { Actor, Scope } from "../scope.ts";
import { readSettings } from "../settings.ts";
import { columns, sql } from "../sql.ts";
import { fieldsOf, type ItemPatch } from "./change-item.ts";
import type { TrackingItem } from "./item.ts";

export const decisionVerbs = ["done", "drop", "snooze", "carry_on", "fewer"] as const;
export type DecisionVerb = (typeof decisionVerbs)[number];

/** What a decision replaced, as it is read back from its JSON column. Only the columns it names are restored. */
export const beforeSchema = z
  .object({
    status: z.enum(["active", "closed"]),
    snoozedUntil: z.coerce.date().nullable(),
    exact: z.boolean(),
    ignoredCount: z.number().int(),
    closedAt: z.coerce.date().nullable(),
    closedBy: z.string().nullable(),
    closedWhy: z.enum(["done", "dropped"]).nullable(),
    closedEvidence: z.array(evidenceSchema).nullable(),
    /** "fewer of these": the kind's weight before and after; null = it had none */
    kindWeight: z.object({ kind: z.string(), before: z.number().nullable(), after: z.number() }),
  })
  .partial();

export const decisionSchema = z.object({
  id: z.string(),
  itemId: z.string(),
  verb: z.enum(decisionVerbs),
  byOpenId: z.string(),
  at: z.date(),
  undoUntil: z.date(),
  undoneAt: z.date().nullable(),
  undoneBy: z.string().nullable(),
  /** null: written by another release and no longer readable; then it cannot be taken back */
  before: beforeSchema.nullable().catch(null),
  until: z.date().nullable(),
  revision: z.number().int(),
});

/** A person's decision about an item, as it can be shown and taken back. */
export type Decision = z.infer<typeof decisionSchema>;

/** Who decided, when, and what: told to those who come too late. */
export interface DecidedBefore {
  outcome: "already";
  item: TrackingItem;
  by: { openId: string; name?: string };
  at: Date;
  how: "done" | "dropped" | "snoozed" | "carried_on" | "fewer";
  /** For snoozed: until when. */
  until?: Date;
}

const AUDIT_AS: Record<DecisionVerb, AuditVerb> = {
  done: "item.done",
  drop: "item.drop",
  snooze: "item.snooze",
  carry_on: "item.carry_on",
  fewer: "item.fewer",
};

/**
 * Writes down a decision with what it replaced, its audit entry, and that pictures of the item are out of date: the
 * second half of every operation by which a person decides.
 */
export async function recordDecision(
  tx: Tx,
  scope: Scope,
  who: Actor,
  decision: {
    verb: DecisionVerb;
    before: TrackingItem;
    after: TrackingItem;
    patch: ItemPatch;
    until?: Date;
    kindWeight?: { kind: string; before: number | null; after: number };
  },
): Promise<{ decisionId: string; undoUntil: Date }> {
  const person = personBehind(who);
  if (person === undefined) throw new Error("only a person decides about an item");
  const at = scope.clock.now();
  const { undoMinutes } = await readSettings({ ...scope, db: tx });
  const undoUntil = new Date(at.getTime() + undoMinutes * 60_000);
  const decisionId = scope.ids.id("d");
  const replaced = fieldsOf(decision.before, decision.patch);
  const before = jsonText({ ...replaced, ...(decision.kindWeight && { kindWeight: decision.kindWeight }) });
  await runStatement(
    tx,
    sql`INSERT INTO "ItemDecision"
      ("id", "agentId", "itemId", "verb", "byOpenId", "at", "undoUntil", "before", "until", "revision")
      VALUES (${decisionId}, ${scope.agent.id}, ${decision.after.id}, ${decision.verb}, ${person.openId}, ${at},
        ${undoUntil}, ${before}, ${decision.until ?? null}, ${decision.after.revision})`,
  );
  await recordAudit(tx, scope, {
    who,
    what: AUDIT_AS[decision.verb],
    subject: { kind: "item", id: decision.after.id },
    before: { ...replaced, ...(decision.kindWeight && { weight: decision.kindWeight.before }) },
    after: { ...decision.patch, ...(decision.kindWeight && { weight: decision.kindWeight.after }) },
  });
  await touchCards(tx, scope, { kind: "item", id: decision.after.id });
  return { decisionId, undoUntil };
}

/** The newest decision about an item that was not taken back. */
export async function lastDecision(
  db: Db,
  scope: Scope,
  itemId: string,
  verb?: DecisionVerb,
): Promise<Decision | undefined> {
  const [row] = await readRows(
    db,
    sql`SELECT ${columns(decisionSchema)} FROM "ItemDecision"
      WHERE "agentId" = ${scope.agent.id} AND "itemId" = ${itemId} AND "undoneAt" IS NULL
        ${verb === undefined ? sql`` : sql`AND "verb" = ${verb}`}
      ORDER BY "at" DESC, "revision" DESC LIMIT 1`,
  );
  return row === undefined ? undefined : decisionSchema.parse(row);
}

/** The answer to someone who decides about an item that is closed already. */
export async function closedBefore(tx: Tx, scope: Scope, item: TrackingItem): Promise<DecidedBefore> {
  return {
    outcome: "already",
    item,
    by: await nameOf(tx, scope, item.closedBy ?? ""),
    at: item.closedAt ?? item.updatedAt,
    how: item.closedWhy ?? "done",
  };
}

/** A person's id with their name, when it is known. */
export async function nameOf(tx: Tx, scope: Scope, openId: string): Promise<{ openId: string; name?: string }> {
  const [person] = await readRows<{ name: string | null }>(
    tx,
    sql`SELECT "name" FROM "Person" WHERE "agentId" = ${scope.agent.id} AND "openId" = ${openId}`,
  );
  return { openId, ...(person?.name && { name: person.name }) };
}
