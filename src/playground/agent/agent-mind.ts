/** A message of the conversation as the agent gets it. */
export type Remembered = { role: string; content: string };

/** What an agent is given for one turn. */
export type MindTurn = {
  text: string;
  /** pictures that came with it */
  images: number;
  /** the conversation before it, as far as the way in told it */
  history: readonly Remembered[];
  instructions?: string;
  /** words put in while it runs, each handed out once */
  steered(): readonly string[];
};

export type Decision = "once" | "session" | "always" | "deny";

/** One step of a turn, in the order they happen. */
export type Thought =
  /** words of the reply, streamed word by word */
  | { say: string }
  | { tool: string; preview: string; ms: number; result: string; error?: boolean }
  /** a dangerous command: waits for the decision, which the next step of the generator gets */
  | { ask: string; description: string }
  | { pause: number }
  /** the turn fails here */
  | { fail: string };

/** Thinks a turn through. The value a `yield` of `ask` returns is the decision; undefined where nobody can be asked. */
export type Mind = (turn: MindTurn) => AsyncGenerator<Thought, void, Decision | undefined>;
