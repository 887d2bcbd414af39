import { type ErrorChain, errorChains, type RetryLoop, retryLoops } from "./find-errors.ts";
import {
  type RedundantChain,
  type RepeatedReads,
  redundantChains,
  repeatedReads,
  repeatedSearches,
} from "./find-waste.ts";
import type { SessionFacts, ToolCall } from "./session-facts.ts";

/** What is found in a session's calls, worked out once for all who count it. */
export interface SessionFindings {
  loops: readonly RetryLoop[];
  chains: readonly ErrorChain[];
  reads: { same: readonly RepeatedReads[]; changed: readonly RepeatedReads[] };
  searches: readonly { query: string; calls: readonly ToolCall[] }[];
  redundant: readonly RedundantChain[];
}

const NOTHING: SessionFindings = {
  loops: [],
  chains: [],
  reads: { same: [], changed: [] },
  searches: [],
  redundant: [],
};

export function findingsOf({ calls }: SessionFacts): SessionFindings {
  if (calls.length < 2) return NOTHING;
  return {
    loops: retryLoops(calls),
    chains: errorChains(calls),
    reads: repeatedReads(calls),
    searches: repeatedSearches(calls),
    redundant: redundantChains(calls),
  };
}
