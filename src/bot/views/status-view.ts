import { DateTime } from "luxon";
import type { HealthRowView, StatusView } from "../../cards/status-card.ts";
import { readSettings } from "../../engine/settings.ts";
import { runListView } from "./run-view.ts";
import type { ViewContext } from "./view-context.ts";

/** What must have succeeded lately, and after how long silence counts as down. A heartbeat of another name is shown too. */
const EXPECTED = { database: 5, feishu: 10, history: 90, model: Number.POSITIVE_INFINITY, tick: 90 } as const;

const RUNS_SHOWN = 3;

/** Health, jobs, latest runs and today's costs, all from the rows. */
export async function statusView(context: ViewContext): Promise<StatusView> {
  const { scope } = context;
  const { db, agent } = scope;
  const now = scope.clock.now();
  const settings = await readSettings(scope);
  const beats = await db.heartbeat.findMany({ where: { agentId: agent.id } });
  const jobs = await db.jobRun.findMany({
    where: { agentId: agent.id, startedAt: { gt: new Date(now.getTime() - 2 * 86_400_000) } },
    orderBy: { startedAt: "desc" },
    distinct: ["job"],
  });
  const today = DateTime.fromJSDate(now, { zone: settings.zone }).startOf("day").toJSDate();
  const calls = await db.modelCall.aggregate({
    where: { agentId: agent.id, at: { gte: today } },
    _count: { _all: true },
    _sum: { inputTokens: true, outputTokens: true },
  });
  const sent = await db.delivery.count({ where: { agentId: agent.id, createdAt: { gte: today }, withdrawnAt: null } });
  const { runs } = await runListView(context, 1);
  const known = new Map(beats.map((beat) => [beat.name, beat]));
  const health: HealthRowView[] = Object.entries(EXPECTED).map(([name, minutes]) => {
    // This very answer came out of the database.
    if (name === "database") return { name, state: "ok", lastSuccessAt: now };
    const beat = known.get(name);
    if (name === "model" && !scope.llm.configured) return { name, state: "off" };
    if (beat === undefined) return { name, state: "waiting" };
    const { lastSuccessAt, lastFailureAt, failure } = beat;
    const old = lastSuccessAt === null || now.getTime() - lastSuccessAt.getTime() > minutes * 60_000;
    const failing = lastFailureAt !== null && (lastSuccessAt === null || lastFailureAt > lastSuccessAt);
    return {
      name,
      state: failing || old ? "down" : "ok",
      ...(lastSuccessAt === null ? {} : { lastSuccessAt }),
      ...(failing && failure !== null ? { detail: failure } : {}),
    };
  });
  return {
    health,
    jobs: jobs.map((job) => ({
      name: job.job,
      outcome: job.outcome ?? "running",
      at: job.startedAt,
      ...(job.error === null ? {} : { error: job.error }),
    })),
    runs: runs.slice(0, RUNS_SHOWN),
    usage: {
      calls: calls._count._all,
      inputTokens: calls._sum.inputTokens ?? 0,
      outputTokens: calls._sum.outputTokens ?? 0,
    },
    paused: settings.paused !== false && settings.paused > now,
    quiet: `${settings.activeUntil}–${settings.activeFrom}`,
    remindersToday: { sent, limit: settings.dailyMessages },
  };
}
