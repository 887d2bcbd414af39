import { isEngineError } from "../errors.ts";
import type { Scope } from "../scope.ts";
import type { Strategy } from "../strategy/rule.ts";
import { parseStrategies, readStrategies } from "../strategy/strategy-set.ts";
import { type Change, changeSchema, type FileChange, planChange, targetName, targetOf } from "./change-kinds.ts";
import type { Clash } from "./changes/planned.ts";
import { planStrategies } from "./changes/strategy-set.ts";
import { readSnapshot } from "./execute-approved.ts";
import { type DiffLine, lineDiff, stateDiff } from "./line-diff.ts";
import type { Proposal } from "./proposal.ts";

export interface DescribedChange {
  /** undefined: the set of strategies */
  target?: string;
  diff: DiffLine[];
  /** why it could not be executed as things stand */
  clash?: Clash | "unavailable" | "unreadable";
  /** when a lesson of what not to do ends */
  lessonEndsAt?: Date;
}

/**
 * The exact change as a person sees it, from the same plan that execution follows: against what stands there now, and for a
 * change that was executed against what stood there before.
 */
export async function describeChange(scope: Scope, proposal: Proposal): Promise<DescribedChange> {
  const read = changeSchema.safeParse({ type: proposal.type, payload: proposal.payload });
  if (!read.success) return { diff: [], clash: "unreadable" };
  return read.data.type === "strategy_adjust"
    ? describeStrategies(scope, proposal, read.data)
    : describeFiles(scope, proposal, read.data);
}

async function describeStrategies(
  scope: Scope,
  proposal: Proposal,
  { payload }: Extract<Change, { type: "strategy_adjust" }>,
): Promise<DescribedChange> {
  const kept = await scope.db.changeSnapshot.findFirst({ where: { proposalId: proposal.id, agentId: scope.agent.id } });
  const before = kept
    ? parseStrategies((kept.before as { strategies?: unknown } | null)?.strategies)
    : (await readStrategies(scope)).strategies;
  const planned = planStrategies(payload, before);
  const endsAt = payload.add.find(({ expiresAt }) => expiresAt)?.expiresAt;
  const next = planned.ok ? planned.next : before;
  return {
    diff: lineDiff(before.map(written).join("\n"), next.map(written).join("\n")),
    ...(!planned.ok && { clash: planned.clash }),
    ...(endsAt && { lessonEndsAt: endsAt }),
  };
}

/** A rule as lines of text. */
function written({ title, hint, level, when, scope, enabled }: Strategy): string {
  const conditions = when.map(({ on, op, any }) => `  ${on} ${op} ${any.join(" | ")}`);
  return [`[${level}] ${title}${enabled ? "" : " (off)"}`, `  ${scope}`, ...conditions, `  → ${hint}`].join("\n");
}

async function describeFiles(scope: Scope, proposal: Proposal, change: FileChange): Promise<DescribedChange> {
  const target = targetOf(change);
  const name = targetName(target);
  try {
    const kept = await readSnapshot(scope, proposal.id);
    const before = kept?.before ?? (await scope.files.read(target));
    const limits = await scope.files.memoryLimits();
    const planned = planChange(change, before, { proposalId: proposal.id, limits });
    if (!planned.ok) return { target: name, diff: [], clash: planned.clash };
    return { target: name, diff: stateDiff(before, planned.next, name) };
  } catch (error) {
    if (!isEngineError(error, "unavailable")) throw error;
    return { target: name, diff: [], clash: "unavailable" };
  }
}
