import type { Change } from "./change-kinds.ts";
import type { Measure, Risk } from "./proposal.ts";
import type { WeighedCause } from "./weigh-causes.ts";

/** A proposal in the making. */
export interface Draft {
  change: Change;
  title: string;
  description: string;
  expectedEffect: string;
  risk: Risk;
  cause: WeighedCause;
  measure: Measure;
  draftedBy: "model" | "rules";
}

const ORDER: readonly Risk[] = ["low", "medium", "high"];

/** No draft may call itself safer than its kind of change is. */
export function riskOf(change: Change, claimed: Risk = "low"): Risk {
  const floor = floorOf(change);
  return ORDER.indexOf(claimed) > ORDER.indexOf(floor) ? claimed : floor;
}

function floorOf(change: Change): Risk {
  switch (change.type) {
    case "skill_create":
      return change.payload.action === "create" && change.payload.files.length > 0 ? "high" : "medium";
    case "strategy_adjust":
      return change.payload.add.some(({ level }) => level === "block") ? "high" : "low";
    case "memory_update":
      return change.payload.action === "add" ? "low" : "medium";
    case "tool_preference":
      return "low";
  }
}
