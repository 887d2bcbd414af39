import type { DecidedBefore } from "../../engine/tracking/decision.ts";
import { findItem } from "../../engine/tracking/find-item.ts";
import type { TrackingItem } from "../../engine/tracking/item.ts";
import type { CommandContext } from "../command.ts";

/**
 * The matter that a command's argument means, by number or by words; a line that asks which one when several fit.
 * @throws EngineError not_found, with what comes near
 */
export async function pickItem(ctx: CommandContext, ref: string): Promise<{ item: TrackingItem } | { line: string }> {
  const found = await findItem(ctx.scope, ctx.who, { ref, place: ctx.place });
  if (found.outcome === "found") return { item: found.item };
  const list = found.items.map((item) => `#${item.number} ${item.title}`).join("\n");
  return { line: ctx.reader.t.command.several(list) };
}

/** Someone was first: who, when. */
export function alreadyLine(ctx: CommandContext, before: DecidedBefore): string {
  const { t, when } = ctx.reader;
  const who = before.by.openId === ctx.who.openId ? t.command.whoYou : (before.by.name ?? t.card.common.someone);
  if (before.how === "snoozed" && before.until)
    return t.command.snoozed(before.item.number, before.item.title, when(before.until));
  return t.command.alreadyClosed(before.item.number, before.item.title, who, when(before.at));
}
