import type { TextProblem } from "../safe-text.ts";
import type { TargetState } from "../target-files.ts";

/** Why a change cannot be made to what stands at its target now. */
export const clashes = [
  "not_ours",
  "already_there",
  "not_there",
  "no_room",
  "odd_file",
  "changed_since",
  "bad_name",
  "too_many",
  "bad_rule",
] as const;
export type Clash = (typeof clashes)[number] | TextProblem;

/** What a target would hold, or why it may not be changed. */
export type Planned = { ok: true; next: TargetState } | { ok: false; clash: Clash };

export function clash(why: Clash): Planned {
  return { ok: false, clash: why };
}
