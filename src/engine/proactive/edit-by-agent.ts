import { isEngineError } from "../errors.ts";
import { maskSecrets } from "../mask-secrets.ts";
import type { TurnEvent } from "../ports.ts";
import type { Scope } from "../scope.ts";
import { editorialTurn } from "./editorial-gate.ts";
import { OWN_CHAT_PREFIX } from "./human-message.ts";
import { beginOwnTurn, endOwnTurn, noteOwnSession, type OwnTurnOutcome } from "./own-turn.ts";

/** Why an editor did not decide; said in the run's record. */
export interface EditorTry {
  editor: "main-agent" | "model";
  /** unreachable: nothing was begun · no_decision: it ended without one · late: the time was up · resting: not asked, see below */
  why:
    | "unreachable"
    | "no_decision"
    | "late"
    | "failed"
    | "stopped"
    | "lost"
    | "resting"
    | "transport"
    | "unreadable"
    | "budget"
    | "none";
  detail?: string;
}

/** A main agent that let so many editorial turns pass is not woken for a while: each one costs its tokens. */
const RESTS_AFTER = 3;
const RESTS_HOURS = 6;

/**
 * The main agent as editor: one turn in a session of its own, which decides by calling proactivity_select. Waits for the
 * decision or the deadline, whichever is first, and never in a transaction.
 * @returns "decided", or why it did not
 */
export async function editByAgent(
  scope: Scope,
  input: { runId: string; deadlineMs: number },
): Promise<"decided" | EditorTry> {
  if (await isResting(scope)) return { editor: "main-agent", why: "resting" };
  const turnId = newKey(scope);
  const openUntil = new Date(scope.clock.now().getTime() + input.deadlineMs);
  await beginOwnTurn(scope, { turnId, purpose: "editorial", way: "turns", runId: input.runId, openUntil });
  const { why, detail } = await runTurn(scope, turnId, input);
  const undecided = await endOwnTurn(scope, turnId, outcomeOf(why), detail ?? why);
  if (!undecided) return "decided";
  return { editor: "main-agent", why, ...(detail !== undefined && { detail: maskSecrets(detail).slice(0, 200) }) };
}

/** How long a run waits for the agent that Hermes' cron wakes: its own limit without a sign of life is ten minutes. */
const HANDED_OVER_MS = 600_000;

/** The run is left to an agent that somebody else wakes. @returns the key it has to name */
export async function handOverRun(scope: Scope, runId: string): Promise<string> {
  const turnId = newKey(scope);
  const openUntil = new Date(scope.clock.now().getTime() + HANDED_OVER_MS);
  await beginOwnTurn(scope, { turnId, purpose: "editorial", way: "cron", runId, openUntil });
  return turnId;
}

function newKey(scope: Scope): string {
  return `ed-${scope.ids.opaque().slice(-16)}`;
}

interface Ended {
  why: EditorTry["why"];
  detail?: string;
}

async function runTurn(
  scope: Scope,
  turnId: string,
  { runId, deadlineMs }: { runId: string; deadlineMs: number },
): Promise<Ended> {
  const { text, instructions } = editorialTurn(turnId);
  const name = `${OWN_CHAT_PREFIX}editorial-${runId}`;
  const onEvent = (event: TurnEvent): void => {
    if (event.kind === "accepted") void noted(scope, turnId, event.sessionId);
    // Nobody is there to be asked.
    if (event.kind === "approval" || event.kind === "question") {
      void scope.turns.answer(event.ref, event.kind === "approval" ? "deny" : "").catch(() => false);
    }
  };
  const turn = scope.turns
    .run(
      { turnId, sessionKey: name, place: { chatId: name, type: "dm" }, text, instructions, purpose: "editorial" },
      onEvent,
    )
    .then(
      async (result): Promise<Ended> => {
        // Also of one that ends when nobody waits for it any more.
        await noted(scope, turnId, result.sessionId);
        return {
          why: result.outcome === "completed" ? "no_decision" : result.outcome,
          ...(result.why !== undefined && { detail: result.why }),
        };
      },
      (error: unknown): Ended => {
        if (isEngineError(error, "unavailable")) return { why: "unreachable", detail: error.facts.why };
        scope.log.incident("proactive.editorial_turn_failed", error, { runId });
        return { why: "failed" };
      },
    );
  const ended = await Promise.race([turn, after(deadlineMs)]);
  if (ended !== "late") return ended;
  await scope.turns.stop(turnId).catch(() => false);
  return { why: "late" };
}

async function noted(scope: Scope, turnId: string, sessionId: string | undefined): Promise<void> {
  await noteOwnSession(scope, turnId, sessionId).catch((error: unknown) => {
    scope.log.warn("proactive.session_not_noted", { turnId, error: String(error) });
  });
}

function after(ms: number): Promise<"late"> {
  return new Promise((resolve) => {
    setTimeout(() => resolve("late"), ms).unref();
  });
}

function outcomeOf(why: EditorTry["why"]): OwnTurnOutcome {
  if (why === "stopped" || why === "lost") return why;
  return why === "failed" || why === "unreachable" ? "failed" : "no_decision";
}

async function isResting(scope: Scope): Promise<boolean> {
  const since = new Date(scope.clock.now().getTime() - RESTS_HOURS * 3_600_000);
  const last = await scope.db.ownTurn.findMany({
    where: {
      agentId: scope.agent.id,
      purpose: "editorial",
      way: "turns",
      startedAt: { gte: since },
      endedAt: { not: null },
    },
    orderBy: { startedAt: "desc" },
    take: RESTS_AFTER,
    select: { outcome: true },
  });
  return last.length === RESTS_AFTER && last.every(({ outcome }) => outcome === "no_decision");
}
