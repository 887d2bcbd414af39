import { createHash } from "node:crypto";
import { recordAudit } from "../audit.ts";
import { cut, oneLine } from "../clean-text.ts";
import { inTransaction } from "../db.ts";
import type { Evidence } from "../evidence.ts";
import { jsonColumn } from "../json-column.ts";
import { nextNumber } from "../next-number.ts";
import { assertMay } from "../people/person.ts";
import type { Actor, Scope } from "../scope.ts";
import { type Grain, type MatterKind, type Momentum, type TrackingItem, trackingItemSchema } from "./item.ts";

export const TITLE_CHARS = 120;
export const SUMMARY_CHARS = 1_000;
/** The newest pieces of evidence are kept. */
export const MOST_EVIDENCE = 20;

export interface NewItem {
  title: string;
  summary?: string;
  kind: MatterKind;
  momentum?: Momentum;
  dueAt?: Date | null;
  dueGrain?: Grain | null;
  /** Not to be spoken of before. */
  snoozedUntil?: Date | null;
  /** The person named this very instant. */
  exact?: boolean;
  evidence: readonly Evidence[];
  /** See `audience.ts`. */
  audience: string;
  claimedDone?: { at: Date; evidence: readonly Evidence[] };
  /**
   * What makes it the same matter again (for example the message it was said in): opening it twice gives the first
   * item, whatever its state by now.
   */
  key?: string;
}

/**
 * A matter begins. It gets the agent's next number, which is never given twice.
 * @throws EngineError forbidden
 */
export async function openItem(
  scope: Scope,
  who: Actor,
  input: NewItem,
): Promise<{ outcome: "opened" | "already"; item: TrackingItem }> {
  assertMay(who, "item.open");
  return inTransaction(scope.db, async (tx) => {
    const id = input.key === undefined ? scope.ids.id("item") : keyedId(scope, input.key);
    const known =
      input.key === undefined ? null : await tx.trackingItem.findFirst({ where: { id, agentId: scope.agent.id } });
    if (known) return { outcome: "already", item: trackingItemSchema.parse(known) };
    const now = scope.clock.now();
    const number = await nextNumber(tx, scope, "item");
    const row = await tx.trackingItem.upsert({
      where: { id },
      // Makes the row, or finds the one that another replica has made of the same key a moment ago.
      update: { id },
      create: {
        id,
        agentId: scope.agent.id,
        number,
        title: oneLine(input.title, TITLE_CHARS),
        summary: cut(input.summary ?? "", SUMMARY_CHARS),
        kind: input.kind,
        status: "active",
        momentum: input.momentum ?? "on_track",
        dueAt: input.dueAt ?? null,
        dueGrain: input.dueGrain ?? null,
        snoozedUntil: input.snoozedUntil ?? null,
        exact: input.exact ?? false,
        evidence: jsonColumn(input.evidence.slice(-MOST_EVIDENCE)),
        audience: input.audience,
        ...(input.claimedDone && {
          claimedDoneAt: input.claimedDone.at,
          claimedDoneEvidence: jsonColumn(input.claimedDone.evidence),
        }),
        createdAt: now,
        updatedAt: now,
      },
    });
    const item = trackingItemSchema.parse(row);
    if (item.number !== number) return { outcome: "already", item };
    await recordAudit(tx, scope, {
      who,
      what: input.kind === "reminder" ? "item.remind" : "item.open",
      subject: { kind: "item", id },
      after: { number: item.number, title: item.title, kind: item.kind, dueAt: item.dueAt, audience: item.audience },
    });
    return { outcome: "opened", item };
  });
}

function keyedId(scope: Scope, key: string): string {
  return `item-${createHash("sha256").update(`${scope.agent.id} ${key}`).digest("hex").slice(0, 24)}`;
}
