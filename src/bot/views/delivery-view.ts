import type { ReminderView } from "../../cards/reminder-card.ts";
import { matterViews } from "./matter-view.ts";
import type { ViewContext } from "./view-context.ts";

/** A delivery as its card shows it; undefined when there is no such delivery or nothing is left in it to say. */
export async function deliveryView(
  context: ViewContext,
  deliveryId: string,
  expired: boolean,
): Promise<ReminderView | undefined> {
  const { scope } = context;
  const delivery = await scope.db.delivery.findFirst({ where: { id: deliveryId, agentId: scope.agent.id } });
  if (delivery === null) return undefined;
  const rows = await scope.db.deliveryMatter.findMany({
    where: { deliveryId, agentId: scope.agent.id },
    orderBy: { position: "asc" },
  });
  const matters = await matterViews(context, rows, delivery.createdAt);
  const run = await scope.db.checkpoint.findFirst({
    where: { agentId: scope.agent.id, runId: delivery.runId },
    select: { extractor: true },
  });
  const byRules = run?.extractor === "rules";
  const shown = rows.filter((row) => !row.folded).length;
  return { text: delivery.text, matters, shown, expired, ...(byRules && { byRules }) };
}
