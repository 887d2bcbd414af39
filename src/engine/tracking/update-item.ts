import { recordAudit } from "../audit.ts";
import { touchCards } from "../card-posts.ts";
import { cut, oneLine } from "../clean-text.ts";
import { inTransaction } from "../db.ts";
import { EngineError } from "../errors.ts";
import type { Evidence } from "../evidence.ts";
import { statusesBefore } from "../lifecycle.ts";
import { assertMay } from "../people/person.ts";
import type { Actor, Scope } from "../scope.ts";
import { changeItem, fieldsOf, type ItemPatch } from "./change-item.ts";
import { type Grain, itemLifecycle, type Momentum, type TrackingItem } from "./item.ts";
import { MOST_EVIDENCE, SUMMARY_CHARS, TITLE_CHARS } from "./open-item.ts";

export interface ItemUpdate {
  itemId: string;
  title?: string;
  summary?: string;
  momentum?: Momentum;
  dueAt?: Date | null;
  dueGrain?: Grain | null;
  /** Added to what is there. */
  evidence?: readonly Evidence[];
  /** The agent says it is done; null = that was taken back. Asked about, never stated. */
  claimedDone?: { at: Date; evidence: readonly Evidence[] } | null;
}

/**
 * New words, momentum, date or evidence for an active item: what workers may do. Neither closes nor reopens, and says
 * nothing about when to speak of it.
 * @throws EngineError forbidden · not_found · wrong_state (closed)
 */
export async function updateItem(
  scope: Scope,
  who: Actor,
  input: ItemUpdate,
): Promise<{ outcome: "updated" | "unchanged"; item: TrackingItem }> {
  assertMay(who, "item.update");
  return inTransaction(scope.db, async (tx) => {
    let patch: ItemPatch = {};
    const result = await changeItem<"unchanged">(tx, scope, who, input.itemId, (item) => {
      if (!statusesBefore(itemLifecycle, "update").includes(item.status)) {
        throw new EngineError("wrong_state", { what: "item", state: item.status, possible: ["item.reopen"] });
      }
      patch = differences(item, input);
      return Object.keys(patch).length === 0 ? { stop: "unchanged" } : { write: patch };
    });
    if (!result.changed) return { outcome: "unchanged", item: result.item };
    await recordAudit(tx, scope, {
      who,
      what: "item.update",
      subject: { kind: "item", id: input.itemId },
      before: fieldsOf(result.before, patch),
      after: patch,
    });
    await touchCards(tx, scope, { kind: "item", id: input.itemId });
    return { outcome: "updated", item: result.after };
  });
}

/** Only what is really new: an update that says the same again changes nothing. */
function differences(item: TrackingItem, input: ItemUpdate): ItemPatch {
  const wanted: ItemPatch = {
    ...(input.title !== undefined && { title: oneLine(input.title, TITLE_CHARS) }),
    ...(input.summary !== undefined && { summary: cut(input.summary, SUMMARY_CHARS) }),
    ...(input.momentum !== undefined && { momentum: input.momentum }),
    ...(input.dueAt !== undefined && { dueAt: input.dueAt }),
    ...(input.dueGrain !== undefined && { dueGrain: input.dueGrain }),
    ...(input.evidence !== undefined && { evidence: joined(item.evidence, input.evidence) }),
    ...(input.claimedDone !== undefined && {
      claimedDoneAt: input.claimedDone?.at ?? null,
      claimedDoneEvidence: input.claimedDone ? [...input.claimedDone.evidence] : null,
    }),
  };
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(item[key as keyof TrackingItem]),
    ),
  );
}

function joined(known: readonly Evidence[], more: readonly Evidence[]): Evidence[] {
  const seen = new Set(known.map(identity));
  return [...known, ...more.filter((piece) => !seen.has(identity(piece)))].slice(-MOST_EVIDENCE);
}

function identity(piece: Evidence): string {
  return `${piece.sessionId} ${piece.messageId} ${piece.quote}`;
}
