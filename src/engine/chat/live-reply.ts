import type { Activity, Turn } from "./turn.ts";

/**
 * The moving picture of a turn while it runs. Never the truth, and allowed to fail in silence: the text is stored first,
 * and the closing picture comes from the row.
 */
export interface LiveReply {
  begin(turn: Turn): LiveTurn;
}

export interface LiveTurn {
  /** The whole of what has been said so far. */
  text(text: string): void;
  /** The tools used so far, when they are shown. */
  activity(tools: readonly Activity[]): void;
  /** Somebody has asked for its end. */
  stopping(): void;
  /** Nothing more is written; resolves when what is on its way has arrived. */
  end(): Promise<void>;
}

/** Nobody watches: for turns whose beginning this process did not see. */
export const nobodyWatches: LiveReply = {
  begin: () => ({ text: () => {}, activity: () => {}, stopping: () => {}, end: async () => {} }),
};
