import type { CardPost } from "../engine/card-posts.ts";

/** A card that changes by itself while work goes on is changed at most this often; what a tap answers is not held back. */
export const REST_MS = 2_000;
const RESTS: ReadonlySet<string> = new Set<CardPost["subjectKind"]>(["goal", "watched-goal"]);

/**
 * Which living cards were changed a moment ago. They are passed over and come up again when they have rested, so that a
 * burst of changes is one picture and the last state always lands. Monotonic time: the clock of the agent may jump.
 */
export class CardRest {
  readonly #until = new Map<string, number>();
  readonly #nowMs: () => number;
  readonly #later: (ms: number) => void;
  #waking = Number.NEGATIVE_INFINITY;

  constructor(world: { nowMs: () => number; later: (ms: number) => void }) {
    this.#nowMs = world.nowMs;
    this.#later = world.later;
  }

  /** A picture of the post has reached the screen. */
  shown(post: Pick<CardPost, "id" | "subjectKind">): void {
    const now = this.#nowMs();
    for (const [id, until] of this.#until) if (until <= now) this.#until.delete(id);
    if (RESTS.has(post.subjectKind)) this.#until.set(post.id, now + REST_MS);
  }

  /** True when the post is to be passed over now; a look at it later is arranged. */
  readonly rests = ({ id }: Pick<CardPost, "id">): boolean => {
    const now = this.#nowMs();
    const until = this.#until.get(id) ?? 0;
    if (until <= now) return false;
    // One wake-up for all that rest now.
    if (this.#waking <= now || this.#waking > until) {
      this.#waking = until;
      this.#later(until - now);
    }
    return true;
  };
}
