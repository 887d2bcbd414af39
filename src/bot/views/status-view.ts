import { DateTime } from "luxon";
import type { HealthRowView, StatusView } from "../../cards/status-card.ts";
import { readHeartbeats } from "../../engine/heartbeat.ts";
import type { Scope } from "../../engine/scope.ts";
import { readSettings } from "../../engine/settings.ts";
import { FEISHU_CALLS } from "../check-health.ts";
import { HERMES } from "../check-hermes.ts";
import { runListView } from "./run-view.ts";
import type { ViewContext } from "./view-context.ts";

/** After how many minutes without a success each of these counts as down; the pulse asks them every minute. */
const SILENT_MINUTES = { feishu: 10, history: 10 } as const;
/** A look is due every tickMinutes; after so many that did not come it counts as down. */
const TICKS_MISSED = 3;
const TICK_JOB = "proactive-tick";
const RUNS_SHOWN = 3;
const MACHINE: readonly string[] = ["disk", "clock"];
/** A job whose turn came so long ago, without running, is not merely slow. */
const LATE_MS = 60 * 60_000;
/** Far enough back that a daily job that stopped stays in sight. */
const JOBS_SEEN_MS = 4 * 86_400_000;

/** Health, jobs, latest runs and today's costs, all from the rows. */
export async function statusView(context: ViewContext): Promise<StatusView> {
  const { scope, server } = context;
  const { db, agent } = scope;
  const now = scope.clock.now();
  const settings = await readSettings(scope);
  const jobs = await db.jobRun.findMany({
    where: { agentId: agent.id, startedAt: { gt: new Date(now.getTime() - JOBS_SEEN_MS) } },
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
  const tick = jobs.find((job) => job.job === TICK_JOB);
  return {
    // This very answer came out of the database.
    health: [
      { name: "database", state: "ok", lastSuccessAt: now },
      ...(await outside(context)),
      await hermesRow(context),
      await modelRow(context),
      tickRow(tick, now, settings.tickMinutes),
    ],
    jobs: jobs.map((job) => {
      const nextAt = server.nextRunAt(job.job, settings, now);
      const dueAt = server.nextRunAt(job.job, settings, job.startedAt);
      const isLate = dueAt !== undefined && now.getTime() - dueAt.getTime() > LATE_MS;
      return {
        name: job.job,
        outcome: isLate ? "late" : (job.outcome ?? "running"),
        at: job.startedAt,
        ...(nextAt === undefined ? {} : { nextAt }),
        ...(job.error === null ? {} : { error: job.error }),
      };
    }),
    runs: runs.slice(0, RUNS_SHOWN),
    usage: {
      calls: calls._count._all,
      inputTokens: calls._sum.inputTokens ?? 0,
      outputTokens: calls._sum.outputTokens ?? 0,
    },
    paused: settings.paused !== false && settings.paused > now,
    // "Until further notice" is kept as an instant far away.
    ...(settings.paused !== false && settings.paused > now && settings.paused.getUTCFullYear() < 9999
      ? { pausedUntil: settings.paused }
      : {}),
    ...(settings.activeUntil === settings.activeFrom
      ? {}
      : { quiet: `${settings.activeUntil}–${settings.activeFrom}` }),
    remindersToday: { sent, limit: settings.dailyMessages },
    version: server.version,
  };
}

/** Feishu and Hermes' history by their heartbeats. Feishu is also down when it refuses calls although it is connected. */
async function outside({ scope }: ViewContext): Promise<HealthRowView[]> {
  const now = scope.clock.now();
  const beats = await readHeartbeats(scope);
  const rows = Object.entries(SILENT_MINUTES).map(([name, minutes]): HealthRowView => {
    const beat = beats.find((each) => each.name === name);
    if (beat === undefined) return { name, state: "waiting" };
    const refused =
      name === "feishu" ? beats.find((each) => each.name.startsWith(FEISHU_CALLS) && each.failure) : undefined;
    const { lastSuccessAt } = beat;
    const old = lastSuccessAt === null || now.getTime() - lastSuccessAt.getTime() > minutes * 60_000;
    const failure = beat.failure ?? refused?.failure;
    return {
      name,
      state: old || failure ? "down" : "ok",
      ...(lastSuccessAt === null ? {} : { lastSuccessAt }),
      ...(failure ? { detail: failure } : {}),
    };
  });
  // The machine itself is worth a row only when something is wrong with it.
  const machine = beats.filter(({ name, failure }) => MACHINE.includes(name) && failure !== null);
  return [
    ...rows,
    ...machine.map(
      ({ name, failure, lastSuccessAt }): HealthRowView => ({
        name,
        state: "down",
        ...(lastSuccessAt && { lastSuccessAt }),
        ...(failure && { detail: failure }),
      }),
    ),
  ];
}

/** The way into Hermes and how the last question to it went. */
async function hermesRow({ scope }: ViewContext): Promise<HealthRowView> {
  const { way } = scope.turns;
  if (way === "none") return { name: HERMES, state: "off" };
  const beat = (await readHeartbeats(scope)).find((each) => each.name === HERMES);
  const lastSuccessAt = beat?.lastSuccessAt ?? undefined;
  const failure = beat?.failure;
  return {
    name: HERMES,
    state: beat === undefined ? "waiting" : failure ? "down" : "ok",
    ...(lastSuccessAt && { lastSuccessAt }),
    detail: [way, failure ?? (way === "platform" ? await gatewayVersion(scope) : undefined)]
      .filter(Boolean)
      .join(" · "),
  };
}

/** Which Hermes the plugin in its gateway found itself in. */
async function gatewayVersion({ db, agent }: Scope): Promise<string | undefined> {
  const link = await db.gatewayLink.findFirst({ where: { agentId: agent.id }, orderBy: { lastSeenAt: "desc" } });
  return link?.hermesVersion ?? undefined;
}

/** The latest answer of the model chain decides. Never asked = waiting. */
async function modelRow({ scope }: ViewContext): Promise<HealthRowView> {
  const { db, agent, llm } = scope;
  if (!llm.configured) return { name: "model", state: "off" };
  const last = await db.modelCall.findFirst({ where: { agentId: agent.id }, orderBy: { at: "desc" } });
  if (last === null) return { name: "model", state: "waiting" };
  if (last.outcome === "ok") return { name: "model", state: "ok", lastSuccessAt: last.at, detail: last.model };
  const good = await db.modelCall.findFirst({ where: { agentId: agent.id, outcome: "ok" }, orderBy: { at: "desc" } });
  return {
    name: "model",
    state: "down",
    ...(good === null ? {} : { lastSuccessAt: good.at }),
    detail: `${last.model} · ${last.outcome}`,
  };
}

function tickRow(
  tick: { startedAt: Date; outcome: string | null } | undefined,
  now: Date,
  tickMinutes: number,
): HealthRowView {
  if (tick === undefined) return { name: "tick", state: "waiting" };
  const late = now.getTime() - tick.startedAt.getTime() > TICKS_MISSED * tickMinutes * 60_000;
  return { name: "tick", state: late || tick.outcome === "failed" ? "down" : "ok", lastSuccessAt: tick.startedAt };
}
