import { ageMs, readHeartbeats } from "./engine/heartbeat.ts";
import type { Scope } from "./engine/scope.ts";
import type { Metric } from "./metrics.ts";
import { VERSION } from "./version.ts";

type Reading = Metric["readings"][number];

const DAY_MS = 86_400_000;

/** How every agent of this process stands: ages of successes, what is owed, what jobs did, what models cost in a day. */
export async function readMetrics(scopes: readonly Scope[]): Promise<Metric[]> {
  const figures = await Promise.all(scopes.map(figuresOf));
  const all = (pick: (figures: Figures) => readonly Reading[]): Reading[] => figures.flatMap(pick);
  const { rss, heapUsed } = process.memoryUsage();
  return [
    gauge("herald_info", "The version that runs.", [{ labels: { version: VERSION }, value: 1 }]),
    gauge("herald_uptime_seconds", "Since the process began.", [{ value: Math.round(process.uptime()) }]),
    gauge("herald_memory_bytes", "Memory of the process.", [
      { labels: { kind: "rss" }, value: rss },
      { labels: { kind: "heap" }, value: heapUsed },
    ]),
    gauge(
      "herald_last_success_age_seconds",
      "Since something outside last answered.",
      all((each) => each.ages),
    ),
    gauge(
      "herald_failing",
      "1 while something outside does not answer.",
      all((each) => each.failing),
    ),
    gauge(
      "herald_job_age_seconds",
      "Since the latest run of a job began.",
      all((each) => each.jobs),
    ),
    gauge(
      "herald_job_failed",
      "1 when the latest run of a job failed.",
      all((each) => each.failed),
    ),
    gauge(
      "herald_cards_owed",
      "Cards whose latest state is not on the platform yet.",
      all((each) => each.owed),
    ),
    gauge(
      "herald_messages_waiting",
      "Messages stored and not handled yet.",
      all((each) => each.waiting),
    ),
    gauge(
      "herald_matters_open",
      "Matters that are still open.",
      all((each) => each.open),
    ),
    gauge(
      "herald_model_calls_day",
      "Questions to models within 24 hours.",
      all((each) => each.calls),
    ),
    gauge(
      "herald_model_tokens_day",
      "Tokens of models within 24 hours.",
      all((each) => each.tokens),
    ),
  ];
}

function gauge(name: string, help: string, readings: readonly Reading[]): Metric {
  return { name, help, type: "gauge", readings };
}

type Figures = Readonly<
  Record<"ages" | "failing" | "jobs" | "failed" | "owed" | "waiting" | "open" | "calls" | "tokens", readonly Reading[]>
>;

async function figuresOf(scope: Scope): Promise<Figures> {
  const { db, clock, agent } = scope;
  const now = clock.now();
  const ofAgent = { agentId: agent.id };
  const label = (more: Record<string, string> = {}): Record<string, string> => ({ agent: agent.id, ...more });
  const beats = await readHeartbeats(scope);
  const jobs = await db.jobRun.findMany({
    where: { ...ofAgent, startedAt: { gt: new Date(now.getTime() - 2 * DAY_MS) } },
    orderBy: { startedAt: "desc" },
    distinct: ["job"],
  });
  const calls = await db.modelCall.groupBy({
    by: ["outcome"],
    where: { ...ofAgent, at: { gte: new Date(now.getTime() - DAY_MS) } },
    _count: { _all: true },
    _sum: { inputTokens: true, outputTokens: true },
  });
  const tokens = (kind: "inputTokens" | "outputTokens"): number =>
    calls.reduce((sum, each) => sum + (each._sum[kind] ?? 0), 0);
  return {
    ages: beats.flatMap((beat) => {
      const age = ageMs(beat, now);
      return age === undefined ? [] : [{ labels: label({ name: beat.name }), value: Math.round(age / 1000) }];
    }),
    failing: beats.map((beat) => ({ labels: label({ name: beat.name }), value: beat.failure === null ? 0 : 1 })),
    jobs: jobs.map((job) => ({
      labels: label({ job: job.job }),
      value: Math.max(Math.round((now.getTime() - job.startedAt.getTime()) / 1000), 0),
    })),
    failed: jobs.map((job) => ({ labels: label({ job: job.job }), value: job.outcome === "failed" ? 1 : 0 })),
    owed: [{ labels: label(), value: await db.cardPost.count({ where: { ...ofAgent, stale: true } }) }],
    waiting: [{ labels: label(), value: await db.inboxEvent.count({ where: { ...ofAgent, status: "waiting" } }) }],
    open: [{ labels: label(), value: await db.trackingItem.count({ where: { ...ofAgent, status: "active" } }) }],
    calls: calls.map((each) => ({ labels: label({ outcome: each.outcome }), value: each._count._all })),
    tokens: [
      { labels: label({ kind: "input" }), value: tokens("inputTokens") },
      { labels: label({ kind: "output" }), value: tokens("outputTokens") },
    ],
  };
}
