import type { TimeMention } from "../../natural-time.ts";
import type { Grain, MatterKind, Momentum } from "../../tracking/item.ts";

/** Why a matter is brought up: the caller words it. */
export type WhyNow =
  | "asked_to_remind"
  | "due_soon"
  | "overdue"
  | "dated"
  | "waiting"
  | "put_off"
  | "interrupted"
  | "stuck"
  | "agent_promised"
  | "asks_for_decision"
  | "open";

/** A matter while it is being put together from what was said. */
export interface Matter {
  title: string;
  summary: string;
  kind: MatterKind;
  /** The time it hangs on, as read where it was said. */
  time: TimeMention | undefined;
  /** Ids of the messages that speak of it, oldest first. */
  evidence: string[];
  sessionId: string;
  /** When it was last spoken of. */
  at: Date;
  /** What it is about. */
  terms: Set<string>;
  why: WhyNow;
  /** A mere appointment: over when its time is over. */
  occasion: boolean;
  /** Speaks of "it" or "their": leans on what was said just before. */
  leans: boolean;
  /** An order to the agent about work in hand ("明天你再补两个案例"). */
  toAgent?: true;
  /** Its own clause names hardly anything ("晚点再弄"). */
  thin: boolean;
  goalId?: string;
  /** The date a tracked item has by its own record. */
  wasDue?: Date;
  claimedDone?: boolean;
}

/** What the rules found. Same meaning as a worker's answer; `whyNow` is a key, not a sentence. */
export interface FoundByRules {
  title: string;
  summary: string;
  kind: MatterKind;
  dueAt: Date | null;
  dueGrain: Grain | null;
  momentum: Momentum;
  /** Ids of messages; never empty unless `goalId` is set. */
  evidence: string[];
  goalId?: string;
  whyNow: WhyNow;
  /** Only the agent said that it is done. */
  claimedDone?: boolean;
}
