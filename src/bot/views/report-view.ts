import { z } from "zod";
import type { ReportView } from "../../cards/report-card.ts";
import type { WeekView } from "../../cards/week-card.ts";
import { dayFiguresSchema } from "../../engine/evolution/day-figures.ts";
import { daysBefore } from "../../engine/evolution/day-of.ts";
import { proposalSchema } from "../../engine/evolution/proposal.ts";
import { may } from "../../engine/people/person.ts";
import { hiddenQueuesView } from "./hidden-queues-view.ts";
import { proposalRows } from "./proposal-view.ts";
import type { ViewContext } from "./view-context.ts";

const TREND_DAYS = 14;
const MOST_SHOWN = 10;
const texts = z.array(z.string()).catch([]);

/** The report of a date with what is proposed now: its own proposals, and older ones that still wait. */
export async function reportView(context: ViewContext, date: string): Promise<ReportView | undefined> {
  const { scope, reader, look } = context;
  const agentId = scope.agent.id;
  const report = await scope.db.reflectionReport.findUnique({ where: { agentId_date: { agentId, date } } });
  const figures = dayFiguresSchema.safeParse(report?.figures);
  if (!report || !figures.success) return undefined;
  const past = await scope.db.reflectionReport.findMany({
    where: { agentId, date: { gte: daysBefore(date, TREND_DAYS), lte: date } },
    orderBy: { date: "asc" },
    select: { date: true, avgScore: true },
  });
  const trend = past.flatMap((each) => (each.avgScore === null ? [] : [{ date: each.date, score: each.avgScore }]));
  const newest = await scope.db.reflectionReport.findFirst({
    where: { agentId },
    orderBy: { date: "desc" },
    select: { date: true },
  });
  const rows = await scope.db.evolutionProposal.findMany({
    where: {
      agentId,
      OR: [
        { date, status: { not: "expired" } },
        // What older reports have left open comes with the newest one.
        ...(newest?.date === date ? [{ status: "pending_approval", date: { lt: date } }] : []),
      ],
    },
    orderBy: { number: "asc" },
    take: MOST_SHOWN,
  });
  // What waits now belongs to the newest report, and to nobody but its own reader.
  const asksNow = newest?.date === date && context.readerOpenId !== undefined;
  const pending = asksNow ? await scope.files.pendingWrites() : [];
  const before = trend.filter((each) => each.date < date).at(-1)?.score;
  return {
    date,
    figures: figures.data as ReportView["figures"],
    ...(before !== undefined && { before }),
    trend,
    ...(report.writtenBy !== null && {
      words: {
        errors: report.errorSummary ?? "",
        waste: report.wasteSummary ?? "",
        recommendations: texts.parse(report.recommendations),
        by: report.writtenBy,
      },
    }),
    ...(report.reflectionError !== null && { figuresOnly: report.reflectionError }),
    proposals: await proposalRows(
      context,
      rows.flatMap((row) => proposalSchema.safeParse(row).data ?? []),
    ),
    heldBack: z.array(z.unknown()).catch([]).parse(report.heldBack).length,
    pending: pending.map(({ id, what, about, at, memory }) => ({
      id,
      what,
      about,
      ...(at && at < look.now && { at }),
      adoptable: memory !== undefined,
    })),
    ...(asksNow && { queues: await hiddenQueuesView(context) }),
    mayDecide:
      reader !== undefined && may({ kind: "person", openId: reader.openId, role: reader.role }, "proposal.decide"),
  };
}

/** The seven days up to a date. */
export async function weekView(context: ViewContext, until: string): Promise<WeekView> {
  const { scope } = context;
  const agentId = scope.agent.id;
  const from = daysBefore(until, 6);
  const reports = await scope.db.reflectionReport.findMany({
    where: { agentId, date: { gte: from, lte: until } },
    orderBy: { date: "asc" },
    select: { date: true, avgScore: true, sessionsAnalyzed: true },
  });
  const since = new Date(`${from}T00:00:00Z`);
  const byStatus = await scope.db.evolutionProposal.groupBy({
    by: ["status"],
    where: { agentId, updatedAt: { gte: since } },
    _count: { _all: true },
  });
  const count = (status: string): number => byStatus.find((each) => each.status === status)?._count._all ?? 0;
  return {
    from,
    until,
    days: reports.map(({ date, avgScore, sessionsAnalyzed }) => ({
      date,
      sessions: sessionsAnalyzed,
      ...(avgScore !== null && { score: avgScore }),
    })),
    executed: count("executed"),
    rejected: count("rejected"),
    reverted: count("reverted"),
  };
}
