import type { Tx } from "../db.ts";
import { jsonColumn } from "../json-column.ts";
import type { Scope } from "../scope.ts";
import { BASELINE_DAYS, type UnitCategory } from "./improvement-unit.ts";
import type { Proposal } from "./proposal.ts";

/** Begins the trial of an executed change: its baseline are the sessions of the same kinds of work in the weeks before. */
export async function openUnit(tx: Tx, scope: Scope, proposal: Proposal): Promise<void> {
  const now = scope.clock.now();
  const since = new Date(now.getTime() - BASELINE_DAYS * 86_400_000);
  const { metric, categories } = proposal.measure;
  const groups = await tx.sessionScore.groupBy({
    by: ["taskCategory"],
    where: {
      agentId: scope.agent.id,
      startedAt: { gte: since, lt: now },
      ...(categories.length > 0 && { taskCategory: { in: categories } }),
    },
    _avg: { composite: true },
    _count: { _all: true },
  });
  const baseline: UnitCategory[] = groups.map(({ taskCategory, _avg, _count }) => ({
    category: taskCategory,
    baseline: _avg.composite ?? 0,
    samples: _count._all,
  }));
  const samples = baseline.reduce((sum, each) => sum + each.samples, 0);
  const score = baseline.reduce((sum, each) => sum + each.baseline * each.samples, 0) / Math.max(1, samples);
  const data = {
    metric,
    categories: jsonColumn(baseline),
    baselineScore: samples === 0 ? null : score,
    baselineSamples: samples,
    currentScore: null,
    samples: 0,
    status: "active",
    evaluations: jsonColumn([]),
    openedAt: now,
    judgedAt: null,
    because: null,
  };
  await tx.improvementUnit.upsert({
    where: { proposalId: proposal.id },
    update: data,
    create: { id: scope.ids.id("unit"), agentId: scope.agent.id, proposalId: proposal.id, ...data },
  });
}
