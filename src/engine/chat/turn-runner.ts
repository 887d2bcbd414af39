import type { Scope } from "../scope.ts";
import { claimTurn, leftRunning, turnsInLine } from "./claim-turn.ts";
import { followTurn } from "./follow-turn.ts";
import type { LiveReply } from "./live-reply.ts";
import { runTurn } from "./run-turn.ts";
import { steerTurn } from "./steer-turn.ts";
import type { Turn } from "./turn.ts";

export interface RunnerParts {
  live: LiveReply;
  /** On how many cards a reply is shown. */
  pages: (reply: string) => number;
  /** Wakes a sweep. */
  poke: (job: string) => void;
  /** How often the other end is asked about a turn whose beginning this process did not see; tests are in a hurry. */
  askAgainMs?: number;
}

/** A turn in this process' hands. */
export interface TurnInHand {
  /** Asks Hermes for its end. */
  stop(): void;
}

/** Turns at work in one process at the same time; what is over waits. */
const AT_ONCE = 20;

/**
 * The turns this process runs. The sweep begins what may begin, takes over what was left, passes on stops and words for
 * running turns, and returns at once: a turn that takes an hour holds up neither the sweep nor another chat.
 */
export class TurnRunner {
  readonly #parts: RunnerParts;
  readonly #inHand = new Map<string, TurnInHand>();
  readonly #works = new Set<Promise<void>>();
  readonly #leaving = new AbortController();

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#works.size;
  }

  /** @returns how many turns were begun or taken over */
  async sweep(scope: Scope): Promise<number> {
    if (this.#leaving.signal.aborted) return 0;
    let begun = 0;
    for (const turn of await leftRunning(scope)) {
      if (this.#inHand.has(turn.id) || this.#full()) continue;
      this.#take(scope, turn, followTurn);
      begun++;
    }
    for (const turn of await turnsInLine(scope)) {
      if (this.#leaving.signal.aborted) break;
      if (turn.manner === "steer" && (await steerTurn(scope, turn))) {
        this.#parts.poke("sync-cards");
        continue;
      }
      if (this.#full()) break;
      const claimed = await claimTurn(scope, turn);
      if (claimed === undefined) continue;
      this.#parts.poke("sync-cards");
      this.#take(scope, claimed, runTurn);
      begun++;
    }
    await this.#passStopsOn(scope);
    return begun;
  }

  /** Resolves when nothing is in hand. */
  async idle(): Promise<void> {
    while (this.#works.size > 0) await Promise.all(this.#works);
  }

  /** This process goes: nothing more is begun, and what runs is left to whoever comes next. */
  async leave(): Promise<void> {
    this.#leaving.abort();
    await this.idle();
  }

  #full(): boolean {
    return this.#works.size >= AT_ONCE;
  }

  #take(scope: Scope, turn: Turn, work: typeof runTurn): void {
    const parts = { ...this.#parts, signal: this.#leaving.signal, inHand: this.#inHand };
    const running = work(scope, turn, parts)
      .catch((error: unknown) => void scope.log.incident("turn.failed", error, { turn: turn.id }))
      .finally(() => {
        this.#inHand.delete(turn.id);
        this.#works.delete(running);
        for (const job of ["sync-cards", "run-waiting-turns", "advance-goals"]) this.#parts.poke(job);
      });
    this.#works.add(running);
  }

  /** Stops are stored by whoever takes the tap; the process that runs the turn asks Hermes. */
  async #passStopsOn(scope: Scope): Promise<void> {
    const ids = [...this.#inHand.keys()];
    if (ids.length === 0) return;
    const rows = await scope.db.turn.findMany({
      where: { id: { in: ids }, agentId: scope.agent.id, stopAskedAt: { not: null } },
      select: { id: true },
    });
    for (const { id } of rows) this.#inHand.get(id)?.stop();
  }
}
