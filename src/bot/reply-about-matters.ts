import type { CardPost } from "../engine/card-posts.ts";
import type { Scope } from "../engine/scope.ts";
import { closeItem } from "../engine/tracking/close-item.ts";
import { snoozeItem } from "../engine/tracking/snooze-item.ts";
import type { CommandContext } from "./command.ts";
import { alreadyLine } from "./commands/pick-item.ts";
import { mattersOnCard } from "./matters-on-card.ts";
import { namedAsClosed } from "./named-as-closed.ts";
import { readMatterReply } from "./read-matter-reply.ts";
import type { Reader } from "./reader.ts";

/** Whether a reply under a reminder decides about its matters. What does not is for Hermes, when it is there. */
export async function isAboutMatters(scope: Scope, reader: Reader, post: CardPost, text: string): Promise<boolean> {
  const now = scope.clock.now();
  if (readMatterReply(text, now, reader.zone) !== undefined) return true;
  const open = (await mattersOnCard(scope, post)).filter((item) => item.status === "active");
  return namedAsClosed(open, text, now) !== undefined;
}

/**
 * A reply typed under a reminder is about its matters: "完成了", "2 不用了", "合同已经发了", "tomorrow 3pm". Answers with one line.
 * When it is not understood nothing is changed and the line says what could be said.
 */
export async function replyAboutMatters(ctx: CommandContext, post: CardPost, text: string): Promise<string> {
  const { scope, reader, who } = ctx;
  const { t } = reader;
  const matters = await mattersOnCard(scope, post);
  const open = matters.filter((item) => item.status === "active");
  const now = scope.clock.now();
  const plain = readMatterReply(text, now, reader.zone);
  const named = plain === undefined ? namedAsClosed(open, text, now) : undefined;
  const said = plain ?? (named && { verb: named.verb, n: undefined });
  if (said === undefined) return t.command.reply.unclear(t.command.reply.example);
  const meant = named?.items ?? open;
  const byNumber = matters.find((item) => item.number === said.n);
  const item = said.n === undefined ? (meant.length === 1 ? meant[0] : undefined) : (byNumber ?? matters[said.n - 1]);
  if (item === undefined) {
    const [first] = meant;
    if (first === undefined) return t.command.noneOpen;
    return t.command.reply.which(meant.map((each) => `${each.number}. ${each.title}`).join("\n"), first.number);
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
