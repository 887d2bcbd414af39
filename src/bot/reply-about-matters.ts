import type { CardPost } from "../engine/card-posts.ts";
import { closeItem } from "../engine/tracking/close-item.ts";
import { type TrackingItem, trackingItemSchema } from "../engine/tracking/item.ts";
import { snoozeItem } from "../engine/tracking/snooze-item.ts";
import type { CommandContext } from "./command.ts";
import { alreadyLine } from "./commands/pick-item.ts";
import { readMatterReply } from "./read-matter-reply.ts";

/**
 * A reply typed under a reminder is about its matters: "完成了", "2 不用了", "tomorrow 3pm". Answers with one line.
 * When it is not understood nothing is changed and the line says what could be said.
 */
export async function replyAboutMatters(ctx: CommandContext, post: CardPost, text: string): Promise<string> {
  const { scope, reader, who } = ctx;
  const { t } = reader;
  const said = readMatterReply(text, scope.clock.now(), reader.zone);
  if (said === undefined) return t.command.reply.unclear(t.command.reply.example);
  const matters = await mattersOf(ctx, post);
  const open = matters.filter((item) => item.status === "active");
  const byNumber = matters.find((item) => item.number === said.n);
  const item = said.n === undefined ? (open.length === 1 ? open[0] : undefined) : (byNumber ?? matters[said.n - 1]);
  if (item === undefined) {
    const [first] = open;
    if (first === undefined) return t.command.noneOpen;
    return t.command.reply.which(open.map((each) => `${each.number}. ${each.title}`).join("\n"), first.number);
  }
  if (said.verb === "snooze") {
    const result = await snoozeItem(scope, who, { itemId: item.id, at: said.at });
    if (result.outcome === "already") return alreadyLine(ctx, result);
    return t.command.snoozed(item.number, item.title, reader.when(result.until));
  }
  const result = await closeItem(scope, who, { itemId: item.id, why: said.verb === "done" ? "done" : "dropped" });
  if (result.outcome === "already") return alreadyLine(ctx, result);
  const words = said.verb === "done" ? t.command.closedDone : t.command.closedDropped;
  return words(item.number, item.title);
}

async function mattersOf(ctx: CommandContext, post: CardPost): Promise<TrackingItem[]> {
  const { db, agent } = ctx.scope;
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
