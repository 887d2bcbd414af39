import { activitySchema } from "../chat/turn.ts";
import { inTransaction } from "../db.ts";
import { maskSecrets } from "../mask-secrets.ts";
import type { Scope } from "../scope.ts";
import { nextTurnNumber } from "./begin-turn.ts";
import { type Goal, type GoalTurn, goalTurnSchema } from "./goal.ts";
import { tailOf } from "./judge-prompt.ts";
import { digestReply } from "./reply-likeness.ts";

/**
 * A person's own message went ahead of the goal and was answered: that answer may have reached it. The newest such turn is
 * written into the goal's record, to be judged like its own; it uses up no budget. Each is taken once.
 */
export async function noteChatTurns(scope: Scope, goal: Goal): Promise<GoalTurn | undefined> {
  return inTransaction(scope.db, async (tx) => {
    const agentId = scope.agent.id;
    const [newest] = await tx.turn.findMany({
      where: { agentId, sessionId: goal.sessionId, seq: { gt: goal.lastChatTurn }, status: "completed" },
      orderBy: { seq: "desc" },
      take: 1,
    });
    if (newest === undefined) return undefined;
    const { count } = await tx.goal.updateMany({
      where: { id: goal.id, agentId, status: "active", epoch: goal.epoch, lastChatTurn: goal.lastChatTurn },
      data: { lastChatTurn: newest.seq },
    });
    if (count === 0) return undefined;
    const reply = maskSecrets(newest.reply);
    const tools = activitySchema
      .array()
      .catch([])
      .parse(newest.activity ?? []);
    const now = scope.clock.now();
    const row = await tx.goalTurn.create({
      data: {
        id: scope.ids.id("goalturn"),
        agentId,
        goalId: goal.id,
        number: await nextTurnNumber(tx, scope, goal.id),
        epoch: goal.epoch,
        kind: "person",
        status: "running",
        tail: tailOf(reply),
        replyChars: reply.trim().length,
        digest: digestReply(reply),
        tools,
        hermesSessionId: newest.hermesSessionId,
        startedAt: newest.startedAt ?? now,
        endedAt: newest.endedAt ?? now,
      },
    });
    return goalTurnSchema.parse(row);
  });
}
