import type { ChatView } from "../../cards/chat-card.ts";
import { turnSchema } from "../../engine/chat/turn.ts";
import { namesOf } from "../../engine/people/know-person.ts";
import { readSettings } from "../../engine/settings.ts";
import { pageOf } from "./page-of.ts";
import { type ViewContext, whoIs } from "./view-context.ts";

/** A turn of Hermes as its card shows it; undefined when there is none of this id. */
export async function turnView(
  context: ViewContext,
  post: { subjectId: string; view: Readonly<Record<string, unknown>> | null },
): Promise<ChatView | undefined> {
  const { scope } = context;
  const row = await scope.db.turn.findFirst({ where: { id: post.subjectId, agentId: scope.agent.id } });
  if (row === null) return undefined;
  const turn = turnSchema.parse(row);
  const { toolActivity } = await readSettings(scope);
  const ahead =
    turn.status === "waiting"
      ? await scope.db.turn.count({
          where: {
            agentId: scope.agent.id,
            sessionId: turn.sessionId,
            status: { in: ["waiting", "running"] },
            seq: { lt: turn.seq },
          },
        })
      : 0;
  const { stopAskedBy, startedAt, endedAt } = turn;
  const stoppedBy =
    turn.status === "stopped" && stopAskedBy !== null
      ? whoIs(context, stopAskedBy, await namesOf(scope, [stopAskedBy]))
      : undefined;
  return {
    turn: turn.id,
    state: turn.status,
    ahead,
    reply: turn.reply,
    page: pageOf(post.view),
    ...(toolActivity && { tools: turn.activity ?? [] }),
    canStop: scope.turns.abilities().stop,
    stopping: turn.stopAskedAt !== null,
    ...(turn.failure !== null && { failure: turn.failure }),
    ...(turn.failure === "hermes_away" && turn.why !== null && { away: turn.why }),
    // Codes between the two ends tell a person nothing.
    ...(turn.why !== null && !/^[a-z][a-z0-9_]*$/.test(turn.why) && { why: turn.why }),
    ...(stoppedBy && { stoppedBy }),
    retried: turn.retriedAs !== null,
    begun: startedAt !== null,
    ...(startedAt && endedAt && { tookMs: endedAt.getTime() - startedAt.getTime() }),
    ...(turn.toolCalls !== null && { toolCalls: turn.toolCalls }),
  };
}
