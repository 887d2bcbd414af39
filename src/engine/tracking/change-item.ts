import { type Db, readRows, runStatement, type Tx } from "../db.ts";
import { EngineError } from "../errors.ts";
import { jsonText } from "../json-column.ts";
import type { Actor, Scope } from "../scope.ts";
import { column, columns, type SqlValue, type Statement, sql } from "../sql.ts";
import { assertMaySee } from "./audience.ts";
import { type TrackingItem, trackingItemSchema } from "./item.ts";

/** The columns that operations on items change; revision and updatedAt follow by themselves. */
export type ItemPatch = Partial<
  Omit<TrackingItem, "id" | "agentId" | "number" | "createdAt" | "updatedAt" | "revision">
>;

export type Plan<Stop> = { write: ItemPatch } | { stop: Stop };

export type Changed<Stop> =
  | { changed: true; before: TrackingItem; after: TrackingItem }
  | { changed: false; item: TrackingItem; stop: Stop };

const COLLISIONS = 10;

/**
 * The one way an item's row changes: read it, let `plan` decide on what stands there, and write only if nobody was in
 * between (the revision decides, on both databases). When somebody was, `plan` is asked again about the new state, so
 * that of several who decide at once one takes effect and the others see it.
 * @throws EngineError not_found, also when the actor may not see the item
 */
export async function changeItem<Stop = never>(
  tx: Tx,
  scope: Scope,
  who: Actor,
  itemId: string,
  plan: (item: TrackingItem) => Plan<Stop> | Promise<Plan<Stop>>,
): Promise<Changed<Stop>> {
  for (let collision = 0; collision < COLLISIONS; collision++) {
    const before = await readItem(tx, scope, itemId);
    assertMaySee(who, before);
    const planned = await plan(before);
    if ("stop" in planned) return { changed: false, item: before, stop: planned.stop };
    const updatedAt = scope.clock.now();
    const changed = await runStatement(
      tx,
      sql`UPDATE "TrackingItem" SET ${assignments(planned.write)} "updatedAt" = ${updatedAt}, "revision" = "revision" + 1
        WHERE "id" = ${itemId} AND "agentId" = ${scope.agent.id} AND "status" = ${before.status}
          AND "revision" = ${before.revision}`,
    );
    if (changed === 1) {
      return {
        changed: true,
        before,
        after: { ...before, ...planned.write, updatedAt, revision: before.revision + 1 },
      };
    }
  }
  throw new Error(`item ${itemId} changed ${COLLISIONS} times while it was decided on`);
}

/** @throws EngineError not_found */
export async function readItem(db: Db, scope: Scope, itemId: string): Promise<TrackingItem> {
  const [row] = await readRows(
    db,
    sql`SELECT ${columns(trackingItemSchema)} FROM "TrackingItem"
      WHERE "id" = ${itemId} AND "agentId" = ${scope.agent.id}`,
  );
  if (row === undefined) throw new EngineError("not_found", { what: "item", given: itemId });
  return trackingItemSchema.parse(row);
}

/** Of `item` the fields that `patch` names: what a change replaced. */
export function fieldsOf(item: TrackingItem, patch: ItemPatch): ItemPatch {
  return Object.fromEntries(Object.keys(patch).map((key) => [key, item[key as keyof TrackingItem]]));
}

/** `"status" = ?, …,` of the columns a patch names: their names are those of the schema and nobody else's. */
function assignments(patch: ItemPatch): Statement {
  let all = sql``;
  for (const name of patchable) {
    const value = patch[name];
    if (value !== undefined) all = sql`${all}${column(name)} = ${columnValue(value)}, `;
  }
  return all;
}

const patchable = Object.keys(trackingItemSchema.shape) as (keyof ItemPatch)[];

function columnValue(value: Exclude<ItemPatch[keyof ItemPatch], undefined>): SqlValue {
  return Array.isArray(value) ? jsonText(value) : value;
}
