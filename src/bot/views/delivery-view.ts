import type { ReminderView } from "../../cards/reminder-card.ts";
import { readRows } from "../../engine/db.ts";
import { sql } from "../../engine/sql.ts";
import { matterViews } from "./matter-view.ts";
import type { ViewContext } from "./view-context.ts";

/** A delivery as its card shows it; undefined when there is no such delivery or nothing is left in it to say. */
export async function deliveryView(
  context: ViewContext,
  deliveryId: string,
  expired: boolean,
): Promise<ReminderView | undefined> {
  const { scope } = context;
  const rows = await readRows<Row>(
    scope.db,
    sql`SELECT delivery."text", delivery."createdAt", run."extractor", matter."itemId", matter."whyNow", matter."folded"
      FROM "Delivery" AS delivery
      LEFT JOIN "DeliveryMatter" AS matter
        ON matter."deliveryId" = delivery."id" AND matter."agentId" = delivery."agentId"
      LEFT JOIN "Checkpoint" AS run ON run."runId" = delivery."runId" AND run."agentId" = delivery."agentId"
      WHERE delivery."id" = ${deliveryId} AND delivery."agentId" = ${scope.agent.id}
      ORDER BY matter."position"`,
  );
  const [delivery] = rows;
  if (delivery === undefined) return undefined;
  const covered = rows.filter((row): row is Covered => row.itemId !== null);
  const matters = await matterViews(context, covered, delivery.createdAt);
  const byRules = delivery.extractor === "rules";
  const shown = covered.filter((row) => !row.folded).length;
  return { text: delivery.text, matters, shown, expired, ...(byRules && { byRules }) };
}

/** A delivery with one of its matters; a delivery without any is one row without a matter. */
type Row = { text: string; createdAt: Date; extractor: string | null } & (
  | Matter
  | { itemId: null; whyNow: null; folded: null }
);
type Matter = { itemId: string; whyNow: string; folded: boolean };
type Covered = Extract<Row, Matter>;
