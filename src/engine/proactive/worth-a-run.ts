import type { Silence, TickReason } from "./run.ts";

/** Everything that decides whether a tick becomes a run. Cheap to gather: no message is rendered and no model asked. */
export interface WorthFacts {
  hasOwner: boolean;
  paused: boolean;
  inActiveWindow: boolean;
  personIsTalking: boolean;
  newHumanMessages: number;
  itemsChanged: number;
  itemsDue: number;
  newlyFailedCrons: number;
  rolledBack: number;
  /** A person asked for this look. */
  asked: boolean;
}

/**
 * Go, and why, or silence, and why. A look a person asked for happens at any hour; only without an owner there is
 * nobody to speak to. The pause ends a scheduled tick before it reads anything.
 */
export function worthARun(facts: WorthFacts): { go: TickReason } | { silent: Silence } {
  if (!facts.hasOwner) return { silent: "no_owner" };
  if (!facts.asked) {
    if (facts.paused) return { silent: "paused" };
    if (!facts.inActiveWindow) return { silent: "outside_active_window" };
    if (facts.personIsTalking) return { silent: "person_is_talking" };
  }
  if (facts.rolledBack > 0) return { go: "delivery_rolled_back" };
  if (facts.newHumanMessages > 0) return { go: "new_messages" };
  if (facts.itemsDue > 0) return { go: "item_due" };
  if (facts.itemsChanged > 0) return { go: "item_changed" };
  if (facts.newlyFailedCrons > 0) return { go: "cron_failed" };
  return facts.asked ? { go: "asked_for" } : { silent: "nothing_new" };
}
