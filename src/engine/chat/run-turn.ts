import { cut } from "../clean-text.ts";
import { inTransaction } from "../db.ts";
import { isEngineError } from "../errors.ts";
import { maskSecrets } from "../mask-secrets.ts";
import type { TurnEvent, TurnResult } from "../ports.ts";
import type { Scope } from "../scope.ts";
import { readSettings } from "../settings.ts";
import { askPerson, voidQuestions } from "./ask-person.ts";
import { holdTurn, leaveTurn } from "./claim-turn.ts";
import { finishTurn, type TurnEnd } from "./finish-turn.ts";
import { keepPartial } from "./keep-partial.ts";
import { findSession } from "./session.ts";
import type { Activity, Turn } from "./turn.ts";
import { turnRequest } from "./turn-request.ts";
import type { RunnerParts, TurnInHand } from "./turn-runner.ts";

export interface TurnParts extends RunnerParts {
  /** Set when this process goes. */
  signal: AbortSignal;
  inHand: Map<string, TurnInHand>;
}

/** A third of the lease: two renewals may fail before anybody else takes the turn. */
export const HOLD_AGAIN_MS = 20_000;
/** Hermes was asked for the end of a turn, said yes, and the turn goes on: after this it counts as stopped. */
const STOP_WITHIN_MS = 30_000;
/** What a way in says that nobody has ever come through. */
const NEVER_CONNECTED = "never_connected";
/** How often what is being said is looked through. */
const LOOK_THROUGH_MS = 100;
/** What is kept of the tools a turn uses. */
const MOST_ACTIVITY = 50;

/**
 * One turn from its beginning to its end: hands it to Hermes, shows what is seen of it, stores what it asks and how it
 * ended. The end is stored before the moving picture is let go, so that the closing one never depends on it.
 */
export async function runTurn(scope: Scope, turn: Turn, parts: TurnParts): Promise<void> {
  const session = await findSession(scope, turn.sessionId);
  if (session === undefined) throw new Error(`turn ${turn.id} without its session`);
  const { toolActivity } = await readSettings(scope);
  const request = await turnRequest(scope, turn, session);
  const watch = watchTurn(scope, turn, parts, toolActivity);
  const hurry = hurryUp(scope, turn, watch.stopping);
  parts.inHand.set(turn.id, { stop: hurry.stop });
  const holding = holdWhile(scope, turn);
  let end: TurnEnd | undefined;
  try {
    const result = await Promise.race([scope.turns.run(request, watch.on, parts.signal), hurry.late]);
    end = { result, pages: parts.pages };
  } catch (error) {
    end = { ...(await failedToBegin(scope, turn, error)), pages: parts.pages };
  } finally {
    hurry.done();
    const held = holding.done();
    await watch.settled();
    // This process goes: how the turn ends is for the next one to find out.
    if (parts.signal.aborted && (end === undefined || end.result.outcome === "lost")) await leaveTurn(scope, held);
    else if (end !== undefined) await finishTurn(scope, turn, end);
    parts.poke("sync-cards");
    await watch.end();
  }
}

async function failedToBegin(scope: Scope, turn: Turn, error: unknown): Promise<Omit<TurnEnd, "pages">> {
  if (isEngineError(error, "unavailable")) {
    const health = await scope.turns.health().catch(() => undefined);
    if (health?.why === NEVER_CONNECTED) return { result: { outcome: "failed", text: "" }, failure: "not_set_up" };
    scope.log.info("turn.hermes_away", { turn: turn.id, why: error.facts.why });
    const { why } = error.facts;
    return {
      result: { outcome: "failed", text: "", ...(typeof why === "string" && { why }) },
      failure: "hermes_away",
    };
  }
  const ref = scope.log.incident("turn.not_begun", error, { turn: turn.id });
  return { result: { outcome: "failed", text: "", why: ref }, failure: "internal" };
}

/** Renews the lease while the turn is in hand. */
export function holdWhile(scope: Scope, turn: Turn): { done: () => Turn; current: () => Turn } {
  let held = turn;
  const timer = setInterval(() => {
    holdTurn(scope, held).then(
      (again) => {
        if (again !== undefined) held = again;
      },
      (error: unknown) => scope.log.warn("turn.not_held", { turn: turn.id, error: String(error) }),
    );
  }, HOLD_AGAIN_MS);
  return {
    current: () => held,
    done: () => {
      clearInterval(timer);
      return held;
    },
  };
}

/** Asks for the end once, and does not wait for ever for a turn that was to end. */
export function hurryUp(
  scope: Scope,
  turn: Turn,
  told: () => void,
): { stop: () => void; late: Promise<TurnResult>; done: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let asked = false;
  let giveUp: (result: TurnResult) => void = () => {};
  const late = new Promise<TurnResult>((resolve) => {
    giveUp = resolve;
  });
  return {
    late,
    done: () => clearTimeout(timer),
    stop: () => {
      if (asked) return;
      asked = true;
      told();
      scope.turns.stop(turn.id).then(
        (taken) => {
          if (!taken) scope.log.info("turn.stop_not_taken", { turn: turn.id });
        },
        (error: unknown) => scope.log.warn("turn.stop_failed", { turn: turn.id, error: String(error) }),
      );
      timer = setTimeout(() => giveUp({ outcome: "stopped", text: "" }), STOP_WITHIN_MS);
    },
  };
}

interface Watch {
  on: (event: TurnEvent) => void;
  stopping: () => void;
  /** Resolves when everything that was seen has been stored. */
  settled: () => Promise<void>;
  end: () => Promise<void>;
}

function watchTurn(scope: Scope, turn: Turn, parts: TurnParts, showsTools: boolean): Watch {
  const live = parts.live.begin(turn);
  const partial = keepPartial(scope, turn);
  const tools: Activity[] = [];
  let over = false;
  // The whole text comes with every word of it: it is looked through for secrets a few times a second, not each time.
  const said = atIntervals(LOOK_THROUGH_MS, (raw: string) => {
    const text = maskSecrets(raw);
    partial.text(text);
    live.text(text);
  });
  // One after the other: a question must not be void before it was asked.
  let storing: Promise<void> = Promise.resolve();
  const store = (act: () => Promise<unknown>): void => {
    storing = storing.then(act).then(
      () => {},
      (error: unknown) => void scope.log.incident("turn.event", error, { turn: turn.id }),
    );
  };
  const on = (event: TurnEvent): void => {
    if (over) return;
    switch (event.kind) {
      case "accepted":
        if (event.sessionId !== undefined) store(() => noteAccepted(scope, turn, event.sessionId ?? ""));
        return;
      case "text":
        said.take(event.text);
        return;
      case "tool":
        if (!showsTools) return;
        noteTool(tools, event);
        partial.activity(tools);
        live.activity(tools);
        return;
      case "approval":
      case "question":
        store(async () => {
          await askPerson(scope, turn, event);
          parts.poke("sync-cards");
        });
        return;
      case "void":
        store(async () => {
          await inTransaction(scope.db, (tx) => voidQuestions(tx, scope, turn.id, "other_end", event.ref));
          parts.poke("sync-cards");
        });
    }
  };
  return {
    on,
    stopping: () => live.stopping(),
    async settled() {
      over = true;
      said.end();
      await storing;
      await partial.end();
    },
    end: () => live.end(),
  };
}

/** Acts on the first value at once, then on the latest of each interval, and on what is left at the end. */
function atIntervals<T>(ms: number, act: (value: T) => void): { take: (value: T) => void; end: () => void } {
  let waiting: { value: T } | undefined;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    const latest = waiting;
    waiting = undefined;
    timer = latest && setTimeout(flush, ms);
    if (latest) act(latest.value);
  };
  return {
    take(value) {
      waiting = { value };
      if (timer === undefined) flush();
    },
    end() {
      flush();
      clearTimeout(timer);
    },
  };
}

/** Hermes' name for the session is known as soon as the turn is taken: a crash must not begin a second session. */
async function noteAccepted(scope: Scope, turn: Turn, hermesSessionId: string): Promise<void> {
  await inTransaction(scope.db, async (tx) => {
    await tx.turn.updateMany({ where: { id: turn.id, agentId: scope.agent.id }, data: { hermesSessionId } });
    await tx.chatSession.updateMany({
      where: { id: turn.sessionId, agentId: scope.agent.id },
      data: { hermesSessionId },
    });
  });
}

function noteTool(tools: Activity[], event: Extract<TurnEvent, { kind: "tool" }>): void {
  const preview = event.preview === undefined ? undefined : cut(maskSecrets(event.preview), 200);
  const begun = tools.findLast((tool) => tool.name === event.name && tool.state === "started");
  if (event.state !== "started" && begun !== undefined) {
    begun.state = event.state;
    return;
  }
  tools.push({ name: cut(event.name, 80), state: event.state, ...(preview !== undefined && { preview }) });
  if (tools.length > MOST_ACTIVITY) tools.shift();
}
