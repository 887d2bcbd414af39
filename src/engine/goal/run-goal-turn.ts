import { touchCards } from "../card-posts.ts";
import { askPerson, voidQuestions } from "../chat/ask-person.ts";
import { cut } from "../clean-text.ts";
import { inTransaction } from "../db.ts";
import { isEngineError } from "../errors.ts";
import { jsonColumn } from "../json-column.ts";
import { maskSecrets } from "../mask-secrets.ts";
import type { TurnEvent, TurnResult } from "../ports.ts";
import type { Scope } from "../scope.ts";
import { type BegunTurn, takeTurnBack } from "./begin-turn.ts";
import type { Goal, GoalTurn, ToolUse } from "./goal.ts";
import { type StopWish, stopWish } from "./stop-wish.ts";

/** Hermes cannot be reached: it is asked again after this. */
const AWAY_PAUSE_MS = 60_000;
/** Stops are looked for, and what is seen of a running turn is kept, this often. */
const LOOK_MS = 3_000;
const MOST_TOOLS = 40;

/**
 * A begun turn runs at Hermes to its end; what is seen of it is kept, and what Hermes asks meanwhile is asked of people.
 * @returns undefined when nothing was begun, or this process goes first
 */
export async function runGoalTurn(
  scope: Scope,
  { turn, goal, hermesSessionId, place }: BegunTurn,
  leaving: AbortSignal,
  poke: (job: string) => void,
): Promise<{ result: TurnResult; tools: ToolUse[] } | undefined> {
  const stop = stopWish(scope, turn);
  const seen = watch(scope, goal, turn, stop, poke);
  try {
    const running = scope.turns.run(
      {
        turnId: turn.id,
        ...(hermesSessionId !== undefined && { sessionId: hermesSessionId }),
        sessionKey: place,
        place: { chatId: goal.chatId, type: goal.chatType === "p2p" ? "dm" : "group" },
        text: turn.sent,
        purpose: "goal",
      },
      seen.on,
      leaving,
    );
    const result = await Promise.race([running, stop.late]);
    // How it ends is for the next process to find out.
    if (leaving.aborted && result.outcome === "lost") return undefined;
    return { result, tools: seen.tools };
  } catch (error) {
    if (!isEngineError(error, "unavailable")) throw error;
    scope.log.info("goal.hermes_away", { goal: goal.id, why: error.facts.why });
    await takeTurnBack(scope, goal, turn, AWAY_PAUSE_MS);
    return undefined;
  } finally {
    stop.done();
    await seen.end();
  }
}

/** Keeps what is seen of a turn, in the order it is seen. */
function watch(
  scope: Scope,
  goal: Goal,
  turn: GoalTurn,
  stop: StopWish,
  poke: (job: string) => void,
): { on: (event: TurnEvent) => void; tools: ToolUse[]; end: () => Promise<void> } {
  const tools: ToolUse[] = [];
  let changed = false;
  let over = false;
  let work: Promise<unknown> = Promise.resolve();
  const look = async (): Promise<void> => {
    await stop.look();
    if (!changed) return;
    changed = false;
    await inTransaction(scope.db, async (tx) => {
      await tx.goalTurn.updateMany({ where: { id: turn.id }, data: { tools: jsonColumn(tools) } });
      await touchCards(tx, scope, { kind: "goal", id: goal.id });
    });
    poke("sync-cards");
  };
  // One after the other: a question must not be void before it was asked.
  const next = (act: () => Promise<unknown>): void => {
    work = work.then(act).catch((error: unknown) => void scope.log.incident("goal.watch", error, { goal: goal.id }));
  };
  const timer = setInterval(() => next(look), LOOK_MS);
  const on = (event: TurnEvent): void => {
    if (over) return;
    switch (event.kind) {
      case "accepted": {
        const { sessionId } = event;
        if (sessionId !== undefined) next(() => noteAccepted(scope, goal, turn, sessionId));
        return;
      }
      case "tool":
        noteTool(tools, event);
        changed = true;
        return;
      case "approval":
      case "question":
        next(async () => {
          await askPerson(scope, askingTurn(goal, turn), event);
          poke("sync-cards");
        });
        return;
      case "void":
        next(async () => {
          await inTransaction(scope.db, (tx) => voidQuestions(tx, scope, turn.id, "other_end", event.ref));
          poke("sync-cards");
        });
        return;
      case "text":
        // A goal's card shows what was done, and the end of the reply once it is judged.
        return;
    }
  };
  return {
    tools,
    on,
    end: async () => {
      over = true;
      clearInterval(timer);
      await work;
    },
  };
}

/** The question of a goal's turn goes where the goal was set, to whoever set it. */
function askingTurn(goal: Goal, turn: GoalTurn): Parameters<typeof askPerson>[1] {
  return {
    id: turn.id,
    chatId: goal.chatId,
    chatType: goal.chatType,
    threadId: null,
    messageId: null,
    senderOpenId: goal.createdBy,
    language: goal.language,
    card: { kind: "goal", id: goal.id },
  };
}

/** Hermes' name for the session is known as soon as the turn is taken: a crash must not begin a second session. */
async function noteAccepted(scope: Scope, goal: Goal, turn: GoalTurn, hermesSessionId: string): Promise<void> {
  await inTransaction(scope.db, async (tx) => {
    await tx.goalTurn.updateMany({ where: { id: turn.id, agentId: scope.agent.id }, data: { hermesSessionId } });
    await tx.chatSession.updateMany({
      where: { id: goal.sessionId, agentId: scope.agent.id },
      data: { hermesSessionId },
    });
  });
}

function noteTool(tools: ToolUse[], event: Extract<TurnEvent, { kind: "tool" }>): void {
  const begun = tools.findLast((tool) => tool.name === event.name && tool.state === "started");
  if (event.state !== "started" && begun !== undefined) {
    begun.state = event.state;
    return;
  }
  const preview = event.preview === undefined ? undefined : cut(maskSecrets(event.preview), 160);
  tools.push({ name: cut(event.name, 80), state: event.state, ...(preview !== undefined && { preview }) });
  if (tools.length > MOST_TOOLS) tools.shift();
}
