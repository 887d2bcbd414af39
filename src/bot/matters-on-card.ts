import type { CardPost } from "../engine/card-posts.ts";
import type { Scope } from "../engine/scope.ts";
import { type TrackingItem, trackingItemSchema } from "../engine/tracking/item.ts";

/** The matters of a reminder as they stand now, in the order of its card. */
export async function mattersOnCard({ db, agent }: Scope, post: CardPost): Promise<TrackingItem[]> {
  const rows = await db.deliveryMatter.findMany({
    where: { agentId: agent.id, deliveryId: post.subjectId },
    orderBy: { position: "asc" },
  });
  const items = await db.trackingItem.findMany({
    where: { agentId: agent.id, id: { in: rows.map((row) => row.itemId) } },
  });
  const byId = new Map(items.map((row) => [row.id, trackingItemSchema.parse(row)]));
  return rows.flatMap((row) => byId.get(row.itemId) ?? []);
}
