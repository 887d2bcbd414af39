import { touchCards } from "../card-posts.ts";
import { cut } from "../clean-text.ts";
import { inTransaction } from "../db.ts";
import { isEngineError } from "../errors.ts";
import { jsonColumn } from "../json-column.ts";
import { maskSecrets } from "../mask-secrets.ts";
import type { TurnEvent, TurnResult } from "../ports.ts";
import type { Scope } from "../scope.ts";
import { type BegunTurn, beginTurn, GOAL_LEASE_MS, holdGoal, letGoalGo, takeTurnBack } from "./begin-turn.ts";
import { continuation } from "./continuation.ts";
import { criteriaOf } from "./find-goal.ts";
import { type Goal, type GoalTurn, goalTurnSchema, type ToolUse } from "./goal.ts";
import { judgeOf, judgeTurn } from "./judge-turn.ts";
import type { TurnOutcome } from "./next-step.ts";
import { noteChatTurns } from "./note-chat-turns.ts";
import { readCheck } from "./read-check.ts";
import { saysTheSame } from "./reply-likeness.ts";
import { keepReply, type Said, settleTurn } from "./settle-turn.ts";

/** Two renewals may fail before anybody else takes the goal. */
const HOLD_AGAIN_MS = GOAL_LEASE_MS / 3;
/** How often what was left running is asked about, and how long nobody may answer before its end counts as unknown. */
const ASK_AGAIN_MS = 2_000;
const AWAY_MS = 2 * 60_000;
/** Hermes cannot be reached: it is asked again after this. */
const AWAY_PAUSE_MS = 60_000;
/** Stops are looked for, and what is seen of a running turn is kept, this often. */
const LOOK_MS = 3_000;
const MOST_TOOLS = 40;

/**
 * One step of a claimed goal: what was left running is cleared up; else a person's turn that went ahead is judged; else the
 * next turn runs and is judged. Ends with the goal let go.
 * @returns true when there may be more to do at once
 */
export async function workOnGoal(
  scope: Scope,
  claimed: Goal,
  leaving: AbortSignal,
  poke: (job: string) => void,
): Promise<boolean> {
  const holding = hold(scope, claimed);
  try {
    const left = await runningTurn(scope, claimed);
    if (left !== undefined) return await finishLeft(scope, claimed, left, leaving);
    const person = await noteChatTurns(scope, claimed);
    if (person !== undefined) return await judgeAndSettle(scope, claimed, person);
    const begun = await beginTurn(scope, claimed);
    if (begun === undefined) return false;
    poke("sync-cards");
    const result = await runTurn(scope, begun, leaving, poke);
    if (result === undefined) return false;
    const kept = await keepReply(scope, claimed, begun.turn, result.result, result.tools);
    return await conclude(scope, claimed, kept, result.result);
  } finally {
    await letGoalGo(scope, holding.done());
  }
}

async function runningTurn(scope: Scope, goal: Goal): Promise<GoalTurn | undefined> {
  const row = await scope.db.goalTurn.findFirst({
    where: { agentId: scope.agent.id, goalId: goal.id, status: "running" },
    orderBy: { number: "asc" },
  });
  return row === null ? undefined : goalTurnSchema.parse(row);
}

/** A turn whose process died: never begun again. What it said is judged; what nobody can tell is marked. */
async function finishLeft(scope: Scope, goal: Goal, turn: GoalTurn, leaving: AbortSignal): Promise<boolean> {
  // Its end was stored, and the judge was not asked yet.
  if (turn.endedAt !== null) return judgeAndSettle(scope, goal, turn);
  const result = await untilEnded(scope, goal, turn, leaving);
  if (result === undefined) return false;
  const kept = await keepReply(scope, goal, turn, result, turn.tools);
  return conclude(scope, goal, kept, result);
}

async function conclude(scope: Scope, goal: Goal, turn: GoalTurn, result: TurnResult): Promise<boolean> {
  const nothing: Said = { verdict: "none", reason: undefined, evidence: undefined, by: undefined, criteria: [] };
  const settle = async (outcome: TurnOutcome, said: Said = nothing): Promise<boolean> =>
    goesOn(await settleTurn(scope, turn, outcome, said));
  switch (result.outcome) {
    case "completed":
      return judgeAndSettle(scope, goal, turn);
    case "stopped":
      return settle({ is: "stopped" });
    case "lost":
      return settle({ is: "lost" });
    case "failed": {
      const why = turn.why ?? "failed";
      return settle({ is: "failed", why }, { ...nothing, reason: why });
    }
  }
}

async function judgeAndSettle(scope: Scope, goal: Goal, turn: GoalTurn): Promise<boolean> {
  const nothing: Said = { verdict: "none", reason: undefined, evidence: undefined, by: undefined, criteria: [] };
  if (turn.tail.trim() === "") return goesOn(await settleTurn(scope, turn, { is: "empty" }, nothing));
  const criteria = await criteriaOf(scope.db, scope, goal.id);
  const same = saysTheSame(await digestBefore(scope, turn), turn.digest ?? "0:");
  if (turn.kind === "check") {
    const check = readCheck(turn.tail, turn.tools);
    const passed = check === "passed";
    const reason = lastLines(turn.tail);
    const verdict = passed ? "done" : "continue";
    return goesOn(
      await settleTurn(
        scope,
        turn,
        { is: "judged", verdict, reason, evidence: passed ? "checked" : "claimed", same: false, check },
        { verdict, reason, evidence: passed ? "checked" : undefined, by: "check", criteria: [] },
      ),
    );
  }
  const judgement = await judgeTurn(scope, goal, criteria, { reply: turn.tail, tools: turn.tools });
  if (!judgement.judged) {
    return goesOn(await settleTurn(scope, turn, { is: "unjudged", because: judgement.because, same }, nothing));
  }
  const { verdict, reason, evidence, criteria: ticks } = judgement.verdict;
  return goesOn(
    await settleTurn(
      scope,
      turn,
      { is: "judged", verdict, reason, evidence, same },
      { verdict, reason, evidence, by: judgement.by, criteria: ticks },
    ),
  );
}

function goesOn(step: { go: string } | undefined): boolean {
  return step === undefined || step.go === "continue" || step.go === "check";
}

async function digestBefore(scope: Scope, turn: GoalTurn): Promise<string | null> {
  const before = await scope.db.goalTurn.findFirst({
    where: { agentId: scope.agent.id, goalId: turn.goalId, number: { lt: turn.number }, status: "judged" },
    orderBy: { number: "desc" },
    select: { digest: true },
  });
  return before?.digest ?? null;
}

function lastLines(text: string): string {
  return text.trim().split("\n").slice(-2).join(" ").slice(-300);
}

/** @returns undefined when nothing was begun, or this process goes first */
async function runTurn(
  scope: Scope,
  { turn, goal, criteria, hermesSessionId, place }: BegunTurn,
  leaving: AbortSignal,
  poke: (job: string) => void,
): Promise<{ result: TurnResult; tools: ToolUse[] } | undefined> {
  const purpose = turn.kind === "check" ? "check" : goal.turnsUsed === 0 && turn.number === 1 ? "first" : "continue";
  const seen = watch(scope, goal, turn, poke);
  try {
    const result = await scope.turns.run(
      {
        turnId: turn.id,
        ...(hermesSessionId !== undefined && { sessionId: hermesSessionId }),
        sessionKey: place,
        place: { chatId: goal.chatId, type: goal.chatType === "p2p" ? "dm" : "group" },
        text: continuation(goal, criteria, purpose, judgeOf(scope) !== undefined),
        purpose: "goal",
      },
      seen.on,
      leaving,
    );
    // How it ends is for the next process to find out.
    if (leaving.aborted && result.outcome === "lost") return undefined;
    return { result, tools: seen.tools };
  } catch (error) {
    if (!isEngineError(error, "unavailable")) throw error;
    await takeTurnBack(scope, goal, turn, AWAY_PAUSE_MS, error.facts.why);
    return undefined;
  } finally {
    await seen.end();
  }
}

/** Keeps what is seen of a turn, passes a wish for its end on, and remembers Hermes' name for the session at once. */
function watch(
  scope: Scope,
  goal: Goal,
  turn: GoalTurn,
  poke: (job: string) => void,
): { on: (event: TurnEvent) => void; tools: ToolUse[]; end: () => Promise<void> } {
  const tools: ToolUse[] = [];
  let changed = false;
  let stopping = false;
  let work: Promise<unknown> = Promise.resolve();
  const look = async (): Promise<void> => {
    const row = await scope.db.goalTurn.findFirst({ where: { id: turn.id, agentId: scope.agent.id } });
    if (row?.stopAskedAt && !stopping) {
      stopping = true;
      await scope.turns.stop(turn.id);
    }
    if (!changed) return;
    changed = false;
    await inTransaction(scope.db, async (tx) => {
      await tx.goalTurn.updateMany({ where: { id: turn.id }, data: { tools: jsonColumn(tools) } });
      await touchCards(tx, scope, { kind: "goal", id: goal.id });
    });
    poke("sync-cards");
  };
  const next = (act: () => Promise<unknown>): void => {
    work = work.then(act).catch((error: unknown) => scope.log.incident("goal.watch", error, { goal: goal.id }));
  };
  const timer = setInterval(() => next(look), LOOK_MS);
  return {
    tools,
    on: (event) => {
      if (event.kind === "tool") {
        noteTool(tools, event);
        changed = true;
      }
      if (event.kind === "accepted" && event.sessionId !== undefined) {
        const hermesSessionId = event.sessionId;
        next(() => noteAccepted(scope, goal, turn, hermesSessionId));
      }
    },
    end: async () => {
      clearInterval(timer);
      await work;
    },
  };
}

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

/** How a turn that was left ended; undefined when this process goes first. */
async function untilEnded(
  scope: Scope,
  goal: Goal,
  turn: GoalTurn,
  leaving: AbortSignal,
): Promise<TurnResult | undefined> {
  const lost: TurnResult = { outcome: "lost", text: "" };
  let awaySince: number | undefined;
  while (!leaving.aborted) {
    const now = scope.clock.now().getTime();
    try {
      const became = await scope.turns.whatBecameOf({
        turnId: turn.id,
        ...(turn.hermesSessionId !== null && { sessionId: turn.hermesSessionId }),
        text: goal.text,
        startedAt: turn.startedAt,
      });
      if (became === "unknown") return lost;
      if (became !== "running") return became;
      awaySince = undefined;
    } catch (error) {
      awaySince ??= now;
      scope.log.info("goal.not_asked", { goal: goal.id, error: String(error) });
      if (now - awaySince >= AWAY_MS) return lost;
    }
    await pause(ASK_AGAIN_MS, leaving);
  }
  return undefined;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done, { once: true });
  });
}

/** Renews the lease while the goal is in hand. */
function hold(scope: Scope, claimed: Goal): { done: () => Goal } {
  let held = claimed;
  const timer = setInterval(() => {
    holdGoal(scope, held).then(
      (again) => {
        if (again !== undefined) held = again;
      },
      (error: unknown) => scope.log.warn("goal.not_held", { goal: claimed.id, error: String(error) }),
    );
  }, HOLD_AGAIN_MS);
  return {
    done: () => {
      clearInterval(timer);
      return held;
    },
  };
}
