import { randomBytes } from "node:crypto";
import type { Decision, Mind, Remembered } from "./agent-mind.ts";
import type { AgentStore, NewAgentRow } from "./agent-store.ts";

/** What happens in a turn, as the streams tell it. */
export type TurnNews =
  | { kind: "delta"; text: string }
  | { kind: "tool_started"; tool: string; preview: string }
  | { kind: "tool_completed"; tool: string; seconds: number; error: boolean }
  | { kind: "approval"; id: string; command: string; description: string }
  | { kind: "end"; end: TurnEnding };

export type TurnEnding = {
  status: "completed" | "failed" | "cancelled";
  output: string | null;
  error?: string;
  /** the session's name after the turn */
  sessionId: string;
  usage: { input_tokens: number; output_tokens: number; total_tokens: number };
  undelivered?: string;
};

export type TurnParts = {
  sessionId: string;
  text: string;
  images: number;
  history: readonly Remembered[];
  instructions?: string;
  /** somebody can be asked about commands */
  canAsk: boolean;
};

export type TurnWorld = {
  store: AgentStore;
  mind: Mind;
  nowSeconds: () => number;
  wordMs: () => number;
  compressAfter: () => boolean;
};

/** One turn of the stand-in at work. The user's row is written at its start, everything else at its end, as Hermes does. */
export class AgentRun {
  readonly #listeners = new Set<(news: TurnNews) => void>();
  readonly #asked: { id: string; decide: (choice: Decision) => void }[] = [];
  readonly #steered: string[] = [];
  readonly #stop = new AbortController();
  readonly done: Promise<TurnEnding>;
  ending: TurnEnding | undefined;

  constructor(parts: TurnParts, world: TurnWorld) {
    this.done = this.#live(parts, world);
  }

  listen(listener: (news: TurnNews) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get waiting(): boolean {
    return this.#asked.length > 0;
  }

  /** Ends it at its next step. */
  stop(): void {
    this.#stop.abort();
    this.release();
  }

  /** Questions are given up: the agent goes on as if denied. */
  release(): void {
    for (const { decide } of this.#asked.splice(0)) decide("deny");
  }

  /** @returns how many questions were decided; without a name the oldest one is */
  decide(choice: Decision, id?: string): number {
    const at = id === undefined ? 0 : this.#asked.findIndex((each) => each.id === id);
    const [asked] = at < 0 ? [] : this.#asked.splice(at, 1);
    asked?.decide(choice);
    return asked ? 1 : 0;
  }

  steer(text: string): boolean {
    if (this.ending) return false;
    this.#steered.push(text);
    return true;
  }

  #tell(news: TurnNews): void {
    for (const listener of [...this.#listeners]) listener(news);
  }

  async #live(parts: TurnParts, world: TurnWorld): Promise<TurnEnding> {
    const { store, nowSeconds } = world;
    const { sessionId, text } = parts;
    store.append(sessionId, { role: "user", content: text }, nowSeconds());
    // Whoever begins the turn is answered before its first word.
    await pause(1);
    const rows: NewAgentRow[] = [];
    let said = "";
    let error: string | undefined;
    try {
      const thoughts = world.mind({ ...parts, steered: () => this.#steered.splice(0) });
      for (let step = await thoughts.next(undefined); !step.done && !this.#stop.signal.aborted && !error; ) {
        const thought = step.value;
        let decision: Decision | undefined;
        if ("say" in thought) {
          for (const word of words(thought.say)) {
            if (this.#stop.signal.aborted) break;
            said += word;
            this.#tell({ kind: "delta", text: word });
            if (world.wordMs() > 0) await pause(world.wordMs(), this.#stop.signal);
          }
        } else if ("tool" in thought) {
          const call = `call_${randomBytes(6).toString("hex")}`;
          this.#tell({ kind: "tool_started", tool: thought.tool, preview: thought.preview });
          await pause(thought.ms, this.#stop.signal);
          this.#tell({
            kind: "tool_completed",
            tool: thought.tool,
            seconds: thought.ms / 1000,
            error: thought.error === true,
          });
          const given = { name: thought.tool, arguments: JSON.stringify({ query: thought.preview }) };
          rows.push(
            {
              role: "assistant",
              content: said.trim(),
              tool_calls: [{ id: call, type: "function", function: given }],
              finish_reason: "tool_calls",
            },
            { role: "tool", content: thought.result, tool_call_id: call, tool_name: thought.tool },
          );
          said = "";
        } else if ("ask" in thought) decision = parts.canAsk ? await this.#ask(thought) : undefined;
        else if ("pause" in thought) await pause(thought.pause, this.#stop.signal);
        else error = thought.fail;
        if (!error) step = await thoughts.next(decision);
      }
    } catch (thrown) {
      error = String(thrown);
    }
    const stopped = this.#stop.signal.aborted;
    const reply = error !== undefined || stopped ? null : said.trim();
    if (reply !== null) {
      for (const row of rows) store.append(sessionId, row, nowSeconds());
      store.append(sessionId, { role: "assistant", content: reply, finish_reason: "stop" }, nowSeconds());
    }
    const input = Math.ceil((text.length + parts.history.reduce((sum, { content }) => sum + content.length, 0)) / 2);
    const output = Math.ceil((reply ?? said).length / 2);
    this.ending = {
      status: stopped ? "cancelled" : error === undefined ? "completed" : "failed",
      output: reply,
      sessionId: reply !== null && world.compressAfter() ? store.compress(sessionId, nowSeconds()) : sessionId,
      usage: { input_tokens: input, output_tokens: output, total_tokens: input + output },
      ...(error !== undefined && { error }),
      ...(this.#steered.length > 0 && { undelivered: this.#steered.join("\n") }),
    };
    this.release();
    this.#tell({ kind: "end", end: this.ending });
    return this.ending;
  }

  #ask({ ask, description }: { ask: string; description: string }): Promise<Decision> {
    return new Promise((resolve) => {
      const id = `appr_${randomBytes(8).toString("hex")}`;
      this.#asked.push({ id, decide: resolve });
      this.#tell({ kind: "approval", id, command: ask, description });
    });
  }
}

/** Words with what separates them; Chinese by two characters at a time. */
function words(text: string): string[] {
  return text.match(/[\u2e80-\u9fff\uff00-\uffef]{1,2}|[^\s\u2e80-\u9fff\uff00-\uffef]+\s*|\s+/gu) ?? [];
}

function pause(ms: number, stop?: AbortSignal): Promise<void> {
  if (ms <= 0 || stop?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stop?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    stop?.addEventListener("abort", end);
  });
}
