import { recordAudit } from "../audit.ts";
import { type ChatPlace, type ChatSession, goalTurnRuns } from "../chat/session.ts";
import { cut, oneLine } from "../clean-text.ts";
import { inTransaction } from "../db.ts";
import { EngineError } from "../errors.ts";
import { nextNumber } from "../next-number.ts";
import { assertMay } from "../people/person.ts";
import type { Language, PersonActor, Scope } from "../scope.ts";
import { readSettings } from "../settings.ts";
import { type Goal, goalSchema } from "./goal.ts";
import { GOAL_CHARS } from "./limits.ts";

/**
 * A person gives a session a goal; the first turn follows by the sweep. The goal before it is cleared with its criteria. While
 * anything runs in the session it is refused: one must be stopped first, or its end would be taken for this goal's.
 * @throws EngineError forbidden · invalid_input · wrong_state (running) · unavailable (hermes)
 */
export async function setGoal(
  scope: Scope,
  who: PersonActor,
  input: {
    session: ChatSession;
    place: ChatPlace;
    language: Language;
    text: string;
  },
): Promise<Goal> {
  assertMay(who, "goal.set");
  const text = cut(input.text.trim(), GOAL_CHARS);
  if (input.text.trim().length > GOAL_CHARS) {
    throw new EngineError("invalid_input", {
      path: "goal",
      expected: "shortGoal",
      example: "/goal 修好所有失败的测试",
    });
  }
  if (text === "") {
    throw new EngineError("invalid_input", { path: "goal", expected: "goal", example: "/goal 修好所有失败的测试" });
  }
  if (scope.turns.way === "none") throw new EngineError("unavailable", { what: "hermes", why: "not_connected" });
  return inTransaction(scope.db, async (tx) => {
    const agentId = scope.agent.id;
    const now = scope.clock.now();
    const { session } = input;
    // By what runs at Hermes, not by who holds the session: a hold of a process that is gone runs out before its turn.
    const running = await tx.turn.count({
      where: { agentId, sessionId: session.id, status: "running", steeredInto: null },
    });
    if (running > 0 || (await goalTurnRuns(tx, scope, [session.id])))
      throw new EngineError("wrong_state", { what: "goal", state: "running", possible: ["turn.stop"] });
    const before = await tx.goal.findFirst({ where: { agentId, currentOf: session.id }, select: { id: true } });
    await tx.goal.updateMany({
      where: { agentId, currentOf: session.id },
      data: {
        currentOf: null,
        status: "cleared",
        epoch: { increment: 1 },
        revision: { increment: 1 },
        updatedAt: now,
        endedAt: now,
      },
    });
    const { goalTurns } = await readSettings({ ...scope, db: tx });
    const lastTurn = await tx.turn.findFirst({
      where: { agentId, sessionId: session.id },
      orderBy: { seq: "desc" },
      select: { seq: true },
    });
    const row = await tx.goal.create({
      data: {
        id: scope.ids.id("goal"),
        agentId,
        number: await nextNumber(tx, scope, "goal"),
        sessionId: session.id,
        currentOf: session.id,
        chatId: input.place.chatId,
        chatType: input.place.chatType,
        language: input.language,
        text,
        status: "active",
        budget: goalTurns,
        lastChatTurn: lastTurn?.seq ?? 0,
        createdBy: who.openId,
        createdAt: now,
        startedAt: now,
        updatedAt: now,
      },
    });
    await recordAudit(tx, scope, {
      who,
      what: "goal.set",
      subject: { kind: "goal", id: row.id },
      ...(before && { before: { goal: before.id } }),
      after: { text: oneLine(text, 120), budget: goalTurns },
    });
    return goalSchema.parse(row);
  });
}
