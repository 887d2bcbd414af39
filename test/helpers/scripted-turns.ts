import { EngineError } from "../../src/engine/errors.ts";
import type { AgentTurns, TurnAbilities, TurnEvent, TurnRequest, TurnResult } from "../../src/engine/ports.ts";

/** What the scripted agent does with a turn: a reply, a result, or something it goes through step by step. */
export type TurnScript =
  | string
  | Partial<TurnResult>
  | ((request: TurnRequest, turn: RunningTurn) => Promise<Partial<TurnResult> | string>);

/** A turn in the hands of the test. */
export interface RunningTurn {
  readonly request: TurnRequest;
  /** shows something of it */
  emit(event: TurnEvent): void;
  /** ends it; later calls do nothing */
  end(result: Partial<TurnResult> | string): void;
  /** resolves with the choice when somebody answers this ref; undefined when it became void */
  answered(ref: string): Promise<string | undefined>;
  /** resolves when somebody asks for its end */
  readonly stopped: Promise<void>;
  /** what was put into it so far */
  readonly steered: readonly string[];
}

export interface ScriptedTurns extends AgentTurns {
  /** every turn that was begun, in order */
  readonly requests: readonly TurnRequest[];
  /** turns that run now, by our turn id */
  readonly running: ReadonlyMap<string, RunningTurn>;
  /** answers that arrived, whether they were taken or not */
  readonly answers: readonly { ref: string; choice: string; taken: boolean }[];
  readonly stops: readonly string[];
  /** what the next turns do, in order; the last one repeats */
  script(...next: TurnScript[]): void;
  /** cannot be reached: turns are refused before they begin */
  down: boolean;
  /** The process at the other end dies: running turns are lost, refs are void, nothing is remembered of them. */
  restart(): void;
  /** Our process dies: nobody listens any more. The other end goes on, and remembers how it ended. */
  abandon(): void;
  /** the turn of this id, once it has been begun. @throws Error after 45 s */
  begun(turnId?: string): Promise<RunningTurn>;
}

const ALL: TurnAbilities = { stop: true, steer: true, approvals: true, questions: true, commands: true, images: true };

/**
 * Hermes as a test has it: answers by script, or waits for the test to end each turn (script "hold"). Holds others to the
 * port: a second turn in a session that is busy fails the test, and so does a turn id that was begun before.
 */
export function scriptedTurns(
  options: { abilities?: Partial<TurnAbilities>; way?: AgentTurns["way"] } = {},
): ScriptedTurns {
  const requests: TurnRequest[] = [];
  const running = new Map<string, Live>();
  const ended = new Map<string, TurnResult>();
  const answers: { ref: string; choice: string; taken: boolean }[] = [];
  const stops: string[] = [];
  let scripts: TurnScript[] = [(request) => Promise.resolve(`好的：${request.text}`)];
  let sessions = 0;

  const turns: ScriptedTurns = {
    way: options.way ?? "platform",
    requests,
    running,
    answers,
    stops,
    down: false,
    abilities: () => ({ ...ALL, ...options.abilities }),
    script: (...next) => {
      scripts = next;
    },
    async run(request, on, signal) {
      if (turns.down) throw new EngineError("unavailable", { what: "hermes", why: "not_reachable" });
      if (requests.some((each) => each.turnId === request.turnId)) throw new Error(`begun twice: ${request.turnId}`);
      const key = request.sessionId ?? request.sessionKey;
      for (const live of running.values()) {
        if (live.sessionId === key || live.request.sessionKey === request.sessionKey)
          throw new Error(`two turns at once in ${key}`);
      }
      requests.push(request);
      const sessionId = request.sessionId ?? `hermes_${++sessions}`;
      const live = new Live(request, sessionId, on);
      running.set(request.turnId, live);
      void live.ends.then((result) => {
        running.delete(request.turnId);
        if (result.outcome !== "lost") ended.set(request.turnId, result);
      });
      live.emit({ kind: "accepted", sessionId });
      const script = scripts.length > 1 ? scripts.shift() : scripts[0];
      if (script !== HOLD) {
        if (typeof script === "function") {
          void script(request, live).then(
            (result) => live.end(result),
            (error: unknown) => live.end({ outcome: "failed", why: String(error) }),
          );
        } else live.end(script ?? "");
      }
      const left = new Promise<TurnResult>((resolve) => {
        const lost = (): void => resolve({ outcome: "lost", text: "", sessionId });
        if (signal?.aborted) lost();
        else signal?.addEventListener("abort", lost, { once: true });
      });
      return Promise.race([live.ends, left]);
    },
    async whatBecameOf({ turnId }) {
      return running.has(turnId) ? "running" : (ended.get(turnId) ?? "unknown");
    },
    async stop(turnId) {
      stops.push(turnId);
      const live = running.get(turnId);
      if (!live) return false;
      live.askForEnd();
      return true;
    },
    async steer(turnId, text) {
      const live = running.get(turnId);
      if (!live || !turns.abilities().steer) return false;
      live.steered.push(text);
      return true;
    },
    async answer(ref, choice) {
      const live = [...running.values()].find((each) => each.asked.has(ref));
      const taken = live?.take(ref, choice) ?? false;
      answers.push({ ref, choice, taken });
      return taken;
    },
    health: async () =>
      turns.down ? { ok: false, why: "not_reachable" } : { ok: turns.way !== "none", version: "0.16.0" },
    restart() {
      for (const live of [...running.values()]) live.die();
      ended.clear();
    },
    abandon() {
      for (const live of running.values()) live.deafen();
    },
    async begun(turnId) {
      for (let i = 0; i < 1800; i++) {
        const live = turnId === undefined ? [...running.values()].at(-1) : running.get(turnId);
        if (live) return live;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error(`no such turn was begun: ${turnId ?? "any"}`);
    },
  };
  return turns;
}

/** As a script: the turn runs until the test ends it. */
export const HOLD: TurnScript = "\u0000hold";

class Live implements RunningTurn {
  readonly request: TurnRequest;
  readonly sessionId: string;
  readonly ends: Promise<TurnResult>;
  readonly stopped: Promise<void>;
  readonly steered: string[] = [];
  readonly asked = new Map<string, (choice: string | undefined) => void>();
  readonly #answers = new Map<string, Promise<string | undefined>>();
  #on: ((event: TurnEvent) => void) | undefined;
  #resolve: (result: TurnResult) => void = () => {};
  #stop: () => void = () => {};

  constructor(request: TurnRequest, sessionId: string, on: (event: TurnEvent) => void) {
    this.request = request;
    this.sessionId = sessionId;
    this.#on = on;
    this.ends = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.stopped = new Promise((resolve) => {
      this.#stop = resolve;
    });
  }

  emit(event: TurnEvent): void {
    if (event.kind === "approval" || event.kind === "question") {
      this.#answers.set(
        event.ref,
        new Promise((resolve) => {
          this.asked.set(event.ref, resolve);
        }),
      );
    }
    if (event.kind === "void") this.#settle(event.ref, undefined);
    this.#on?.(event);
  }

  end(result: Partial<TurnResult> | string): void {
    const given = typeof result === "string" ? { text: result } : result;
    this.#resolve({ outcome: "completed", text: "", sessionId: this.sessionId, ...given });
  }

  answered(ref: string): Promise<string | undefined> {
    return this.#answers.get(ref) ?? Promise.resolve(undefined);
  }

  take(ref: string, choice: string): boolean {
    return this.#settle(ref, choice);
  }

  askForEnd(): void {
    this.#stop();
  }

  deafen(): void {
    this.#on = undefined;
  }

  die(): void {
    for (const ref of [...this.asked.keys()]) this.#settle(ref, undefined);
    this.end({ outcome: "lost" });
  }

  #settle(ref: string, choice: string | undefined): boolean {
    const resolve = this.asked.get(ref);
    this.asked.delete(ref);
    resolve?.(choice);
    return resolve !== undefined;
  }
}
