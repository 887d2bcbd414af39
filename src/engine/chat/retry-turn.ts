import { recordAudit } from "../audit.ts";
import { touchCards } from "../card-posts.ts";
import { inTransaction } from "../db.ts";
import { EngineError } from "../errors.ts";
import { assertMay } from "../people/person.ts";
import type { PersonActor, Scope } from "../scope.ts";
import { queueTurn } from "./queue-turn.ts";
import { type Turn, turnSchema } from "./turn.ts";

export type RetryResult = { outcome: "queued"; turn: Turn } | { outcome: "already"; turn: Turn };

/**
 * The same message once more, as a turn of its own in the same session: the way back after a failure, a stop or an end
 * that nobody knows, or to another reply. Twice for one turn makes one.
 * @throws EngineError forbidden · not_found · wrong_state (it has not ended)
 */
export async function retryTurn(scope: Scope, who: PersonActor, input: { turnId: string }): Promise<RetryResult> {
  assertMay(who, "chat");
  return inTransaction(scope.db, async (tx) => {
    const row = await tx.turn.findFirst({ where: { id: input.turnId, agentId: scope.agent.id } });
    if (row === null) throw new EngineError("not_found", { what: "turn" });
    const turn = turnSchema.parse(row);
    if (turn.senderOpenId !== who.openId) assertMay(who, "turn.of_others");
    if (turn.origin === "command") assertMay(who, "hermes.command");
    if (turn.status === "waiting" || turn.status === "running")
      throw new EngineError("wrong_state", { what: "turn", state: turn.status, possible: ["turn.stop"] });
    const queued = await queueTurn(tx, scope, who, {
      dedupeKey: `retry:${turn.id}`,
      origin: turn.origin === "command" ? "command" : "retry",
      place: { chatId: turn.chatId, chatType: turn.chatType, openId: who.openId },
      sessionId: turn.sessionId,
      threadId: turn.threadId ?? undefined,
      messageId: turn.messageId ?? undefined,
      language: turn.language,
      said: turn.said,
      text: turn.text,
      images: turn.images,
      files: turn.files,
    });
    if (!queued.fresh) return { outcome: "already", turn: queued.turn };
    await tx.turn.updateMany({ where: { id: turn.id, retriedAs: null }, data: { retriedAs: queued.turn.id } });
    await recordAudit(tx, scope, {
      who,
      what: "turn.retry",
      subject: { kind: "turn", id: turn.id },
      after: { retriedAs: queued.turn.id },
    });
    await touchCards(tx, scope, { kind: "turn", id: turn.id });
    return { outcome: "queued", turn: queued.turn };
  });
}
