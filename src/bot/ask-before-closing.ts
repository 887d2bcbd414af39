import { findPost } from "../engine/card-posts.ts";
import type { Scope } from "../engine/scope.ts";
import { mattersOnCard } from "./matters-on-card.ts";
import { namedAsClosed } from "./named-as-closed.ts";
import { readMatterReply } from "./read-matter-reply.ts";
import type { Reader } from "./reader.ts";

/** So long after a reminder a bare "完成了" is most likely about it. */
const LIKELY_ABOUT_MS = 30 * 60_000;

/**
 * "完成了" sent into the direct chat without quoting the card, soon after a reminder with one open matter: the line that
 * asks whether that matter is meant and how to say so. Nothing is closed by a guess. Undefined when there is no such
 * matter or the text says something else.
 */
export async function askBeforeClosing(
  scope: Scope,
  reader: Reader,
  chatId: string,
  text: string,
): Promise<string | undefined> {
  const now = scope.clock.now();
  const said = readMatterReply(text, now, reader.zone);
  if (said?.verb === "snooze" || said?.n !== undefined) return undefined;
  const row = await scope.db.cardPost.findFirst({
    where: {
      agentId: scope.agent.id,
      chatId,
      subjectKind: "delivery",
      sentAt: { gte: new Date(now.getTime() - LIKELY_ABOUT_MS) },
    },
    orderBy: { sentAt: "desc" },
    select: { id: true },
  });
  const post = row === null ? undefined : await findPost(scope, { postId: row.id });
  if (post === undefined) return undefined;
  const open = (await mattersOnCard(scope, post)).filter((item) => item.status === "active");
  const [item, another] = open;
  const verb = said?.verb ?? namedAsClosed(open, text, now)?.verb;
  if (item === undefined || another !== undefined || verb === undefined) return undefined;
  return reader.t.command.reply.meant[verb](item.number, item.title);
}
