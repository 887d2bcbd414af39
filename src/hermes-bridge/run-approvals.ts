import { EngineError } from "../engine/errors.ts";
import type { TurnEvent } from "../engine/ports.ts";
import { ApiAway, type HermesApi } from "./hermes-api.ts";

const CHOICES = ["once", "session", "always", "deny"] as const;
type Choice = (typeof CHOICES)[number];

/** A question of Hermes as its stream tells it. */
export interface AskedApproval {
  command: string;
  description?: string;
  choices?: readonly string[];
  /** newer versions name each question */
  requestId?: string;
}

interface Waiting extends AskedApproval {
  ref: string;
  choices: readonly Choice[];
}

/**
 * The open approvals of one run. Hermes 0.16 answers them in the order they were asked and knows no names for them, so
 * there only the oldest is shown: a person must never approve another command than the one they see.
 */
export class RunApprovals {
  readonly #api: HermesApi;
  readonly #runId: string;
  readonly #emit: (event: TurnEvent) => void;
  readonly #newRef: () => string;
  readonly #waiting: Waiting[] = [];
  readonly #shown = new Set<string>();
  readonly #known = new Set<string>();
  /** answers of ours that Hermes has yet to tell of */
  #echoes = 0;

  constructor(parts: { api: HermesApi; runId: string; emit: (event: TurnEvent) => void; newRef: () => string }) {
    this.#api = parts.api;
    this.#runId = parts.runId;
    this.#emit = parts.emit;
    this.#newRef = parts.newRef;
  }

  get open(): boolean {
    return this.#waiting.length > 0;
  }

  has(ref: string): boolean {
    return this.#shown.has(ref);
  }

  ask(asked: AskedApproval): void {
    if (asked.requestId !== undefined) {
      if (this.#known.has(asked.requestId)) return;
      this.#known.add(asked.requestId);
    }
    const offered = CHOICES.filter((choice) => asked.choices?.includes(choice));
    this.#waiting.push({ ...asked, choices: offered.length > 0 ? offered : ["once", "deny"], ref: this.#newRef() });
    this.#show();
  }

  /**
   * Carries an answer to Hermes. False: the question is void there.
   * @throws EngineError unavailable when Hermes does not answer (the question stays open), invalid_input
   */
  async answer(ref: string, choice: string): Promise<boolean> {
    const asked = this.#waiting.find((each) => each.ref === ref);
    if (asked === undefined || !this.#shown.has(ref)) return false;
    if (!asked.choices.some((each) => each === choice)) {
      throw new EngineError("invalid_input", { path: "choice", expected: "other", given: choice, example: "once" });
    }
    const answered = await this.#send(choice, asked.requestId);
    if (!this.#waiting.includes(asked)) return answered;
    this.#waiting.splice(this.#waiting.indexOf(asked), 1);
    if (!answered) this.#emit({ kind: "void", ref });
    this.#show();
    return answered;
  }

  /** Says no to everything: for turns nobody watches. */
  async denyAll(): Promise<void> {
    for (const asked of this.#waiting.splice(0)) {
      this.#shown.delete(asked.ref);
      await this.#send("deny", asked.requestId).catch(() => false);
    }
  }

  /** Hermes tells of an answer: ours, or one that was given elsewhere. Without a name it is the oldest question's. */
  responded(requestId: string | undefined): void {
    if (this.#echoes > 0) {
      this.#echoes--;
      return;
    }
    const index = requestId === undefined ? 0 : this.#waiting.findIndex((each) => each.requestId === requestId);
    const [gone] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (gone && this.#shown.has(gone.ref)) this.#emit({ kind: "void", ref: gone.ref });
    this.#show();
  }

  /** Hermes waits for none of them any more. */
  voidAll(): void {
    for (const { ref } of this.#waiting.splice(0)) if (this.#shown.has(ref)) this.#emit({ kind: "void", ref });
  }

  #show(): void {
    for (const [index, asked] of this.#waiting.entries()) {
      if (index > 0 && asked.requestId === undefined) return;
      if (this.#shown.has(asked.ref)) continue;
      this.#shown.add(asked.ref);
      const { ref, command, description, choices } = asked;
      this.#emit({ kind: "approval", ref, command, choices, ...(description && { description }) });
    }
  }

  async #send(choice: string, requestId: string | undefined): Promise<boolean> {
    this.#echoes++;
    try {
      const answer = await this.#api.call("POST", `/v1/runs/${encodeURIComponent(this.#runId)}/approval`, {
        body: { choice, ...(requestId !== undefined && { request_id: requestId }) },
      });
      if (answer.status >= 500) throw new ApiAway(`http_${answer.status}`, true);
      const { resolved } = (answer.body ?? {}) as { resolved?: unknown };
      const taken = answer.status < 300 && resolved !== 0 && resolved !== false;
      if (!taken) this.#echoes--;
      return taken;
    } catch (error) {
      this.#echoes--;
      if (!(error instanceof ApiAway)) throw error;
      throw new EngineError("unavailable", { what: "hermes", why: "unreachable" }, { cause: error });
    }
  }
}
