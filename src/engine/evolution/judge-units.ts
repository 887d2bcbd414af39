import { recordAudit } from "../audit.ts";
import { inTransaction } from "../db.ts";
import { jsonColumn } from "../json-column.ts";
import type { Actor, Scope } from "../scope.ts";
import { touchProposal } from "./find-proposal.ts";
import { evaluationsSchema, judge, scoreOf, unitCategoriesSchema } from "./improvement-unit.ts";
import { holdFailingKinds } from "./kind-holds.ts";
import { revertProposal } from "./revert-proposal.ts";

const JUDGE: Actor = { kind: "job", name: "judge-units" };
/** Sessions looked at for one change: the newest say most. */
const MOST_SESSIONS = 1_000;
/** Judgings kept with a unit. */
const MOST_EVALUATIONS = 60;

/**
 * Looks at every running trial: better → promoted, worse → the change is taken back by the same way as by hand, neither for
 * too long → inconclusive. Judging twice on one day adds nothing.
 */
export async function judgeUnits(scope: Scope): Promise<{ judged: number; promoted: number; reverted: number }> {
  const now = scope.clock.now();
  const agentId = scope.agent.id;
  const units = await scope.db.improvementUnit.findMany({
    where: { agentId, status: "active" },
    orderBy: { openedAt: "asc" },
  });
  const done = { judged: 0, promoted: 0, reverted: 0 };
  for (const unit of units) {
    const baseline = unitCategoriesSchema.parse(unit.categories);
    const names = new Set(baseline.map(({ category }) => category));
    const rows = await scope.db.sessionScore.findMany({
      where: { agentId, startedAt: { gt: unit.openedAt, lte: now }, taskCategory: { in: [...names] } },
      orderBy: { startedAt: "desc" },
      take: MOST_SESSIONS,
      select: { taskCategory: true, composite: true },
    });
    const current = rows.map((row) => ({ category: row.taskCategory, score: row.composite }));
    const evaluations = evaluationsSchema.parse(unit.evaluations);
    const verdict = judge({ openedAt: unit.openedAt, baseline, evaluations, current }, now);
    done.judged++;
    const score = current.length === 0 ? null : scoreOf(current, names);
    const isNew = current.length > 0 && current.length !== evaluations.at(-1)?.samples;
    const next = isNew ? [...evaluations, { at: now, samples: current.length, score: score ?? 0 }] : evaluations;
    await inTransaction(scope.db, async (tx) => {
      const ends = verdict.verdict === "promoted" || verdict.verdict === "inconclusive";
      const { count } = await tx.improvementUnit.updateMany({
        where: { id: unit.id, agentId, status: "active" },
        data: {
          currentScore: score,
          samples: current.length,
          evaluations: jsonColumn(next.slice(-MOST_EVALUATIONS)),
          ...(ends && { status: verdict.verdict, judgedAt: now }),
        },
      });
      if (count === 0) return;
      const proposal = await tx.evolutionProposal.findUnique({
        where: { id: unit.proposalId },
        select: { id: true, date: true },
      });
      if (!proposal) return;
      if (ends) {
        if (verdict.verdict === "promoted") done.promoted++;
        await recordAudit(tx, scope, {
          who: JUDGE,
          what: "unit.judge",
          subject: { kind: "proposal", id: unit.proposalId },
          after: { ...verdict },
        });
      }
      if (verdict.verdict === "reverted") {
        const because = [verdict.because, verdict.category ?? "", verdict.by].join(":");
        const asked = await revertProposal({ ...scope, db: tx }, JUDGE, { id: unit.proposalId, because });
        if (asked.outcome === "asked") done.reverted++;
      }
      await touchProposal(tx, scope, proposal);
    });
  }
  await holdFailingKinds(scope);
  return done;
}
