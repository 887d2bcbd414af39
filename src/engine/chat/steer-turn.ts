import { textsFor } from "../../text/pick.ts";
import { wantCard } from "../card-posts.ts";
import { inTransaction } from "../db.ts";
import { leaseFrom } from "../lease.ts";
import type { Scope } from "../scope.ts";
import { TURN_LEASE_MS } from "./claim-turn.ts";
import type { Turn } from "./turn.ts";

/**
 * A message for the turn that runs: put into it where the way in can do that; otherwise it waits in line like any other.
 * The try is stored before it is made, so that no word is put in twice.
 * @returns whether it was put in
 */
export async function steerTurn(scope: Scope, turn: Turn): Promise<boolean> {
  const agentId = scope.agent.id;
  const running = await scope.db.turn.findFirst({
    where: { agentId, sessionId: turn.sessionId, status: "running", steeredInto: null, stopAskedAt: null },
    select: { id: true },
  });
  const now = scope.clock.now();
  if (running === null || !scope.turns.abilities().steer) {
    await backInLine(scope, turn, "waiting");
    return false;
  }
  const { count } = await scope.db.turn.updateMany({
    where: { id: turn.id, agentId, status: "waiting", manner: "steer" },
    data: {
      status: "running",
      steeredInto: running.id,
      startedAt: now,
      leaseUntil: leaseFrom(now, TURN_LEASE_MS),
    },
  });
  if (count === 0) return false;
  let taken = false;
  try {
    taken = await scope.turns.steer(running.id, turn.text);
  } catch (error) {
    scope.log.warn("turn.not_steered", { turn: turn.id, error: String(error) });
  }
  if (!taken) {
    await backInLine(scope, turn, "running");
    return false;
  }
  await inTransaction(scope.db, async (tx) => {
    const ended = await tx.turn.updateMany({
      where: { id: turn.id, agentId, status: "running" },
      data: { status: "completed", leaseUntil: null, endedAt: scope.clock.now() },
    });
    if (ended.count === 0) return;
    await wantCard(tx, scope, {
      subject: { kind: "line", id: turn.id },
      view: { text: textsFor(turn.language).chat.steered },
      to: { chatId: turn.chatId },
      language: turn.language,
      idempotencyKey: `steer-${turn.id}`,
      ...(turn.messageId !== null && { replyTo: turn.messageId }),
    });
  });
  return true;
}

async function backInLine(scope: Scope, turn: Turn, from: "waiting" | "running"): Promise<void> {
  await scope.db.turn.updateMany({
    where: { id: turn.id, agentId: scope.agent.id, status: from, manner: "steer" },
    data: { status: "waiting", manner: "queue", steeredInto: null, startedAt: null, leaseUntil: null },
  });
}
