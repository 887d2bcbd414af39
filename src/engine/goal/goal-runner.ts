import type { Scope } from "../scope.ts";
import { claimGoal, goalsInLine } from "./begin-turn.ts";
import type { Goal } from "./goal.ts";
import { workOnGoal } from "./work-on-goal.ts";

export interface GoalRunnerParts {
  /** Wakes a sweep. */
  poke: (job: string) => void;
}

/** Goals at work in one process at the same time; what is over waits. */
const AT_ONCE = 10;

/**
 * The goals this process works on. The sweep claims what may go on and returns at once: a turn that takes an hour holds up
 * neither the sweep nor another goal.
 */
export class GoalRunner {
  readonly #parts: GoalRunnerParts;
  readonly #works = new Map<string, Promise<void>>();
  readonly #leaving = new AbortController();

  constructor(parts: GoalRunnerParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#works.size;
  }

  /** @returns how many goals were taken up */
  async sweep(scope: Scope): Promise<number> {
    let taken = 0;
    for (const goal of await goalsInLine(scope)) {
      if (this.#leaving.signal.aborted || this.#works.size >= AT_ONCE) break;
      if (this.#works.has(goal.id)) continue;
      const claimed = await claimGoal(scope, goal);
      if (claimed === undefined) continue;
      this.#take(scope, claimed);
      taken++;
    }
    return taken;
  }

  /** Resolves when nothing is in hand. */
  async idle(): Promise<void> {
    while (this.#works.size > 0) await Promise.all(this.#works.values());
  }

  /** This process goes: nothing more is begun, and what runs is left to whoever comes next. */
  async leave(): Promise<void> {
    this.#leaving.abort();
    await this.idle();
  }

  #take(scope: Scope, goal: Goal): void {
    const work = workOnGoal(scope, goal, this.#leaving.signal, this.#parts.poke)
      .then((goesOn) => {
        this.#works.delete(goal.id);
        this.#parts.poke("sync-cards");
        // A person's message that waited goes first: the turns' sweep is woken before the goals'.
        this.#parts.poke("run-waiting-turns");
        if (goesOn && !this.#leaving.signal.aborted) this.#parts.poke("advance-goals");
      })
      .catch((error: unknown) => {
        this.#works.delete(goal.id);
        scope.log.incident("goal.failed", error, { goal: goal.id });
      });
    this.#works.set(goal.id, work);
  }
}
