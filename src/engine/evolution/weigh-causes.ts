import { z } from "zod";
import { inTransaction } from "../db.ts";
import { jsonColumn } from "../json-column.ts";
import type { Scope } from "../scope.ts";
import { type Cause, fingerprintOf } from "./causes.ts";
import { type Day, daysBefore } from "./day-of.ts";
import { passingKinds } from "./failure-kind.ts";

/** Dates looked back at for evidence. */
export const EVIDENCE_DAYS = 14;
/** Causes remembered of a date. */
const MOST_KEPT = 200;
/** From so many dates on even what comes from outside counts as lasting. */
const LASTING_DATES = 3;

/** A cause with what is known of it from the dates before. */
export interface WeighedCause extends Cause {
  fingerprint: string;
  /** on which dates it was seen, this one first */
  dates: string[];
  /** sessions over those dates */
  allSessions: string[];
  total: number;
  /** it will come again by itself: seen repeatedly, or no thing that passes */
  lasting: boolean;
}

const sessionsSchema = z.array(z.string()).catch([]);

/**
 * Remembers the causes of a date (replacing what a former run found) and joins them with the dates before: what happened once
 * is no rule, and an hour without network is no lesson.
 */
export async function weighCauses(scope: Scope, day: Day, causes: readonly Cause[]): Promise<WeighedCause[]> {
  const agentId = scope.agent.id;
  const kept = causes.slice(0, MOST_KEPT).map((cause) => ({ ...cause, fingerprint: fingerprintOf(cause.key) }));
  const earlier = await scope.db.causeDay.findMany({
    where: {
      agentId,
      date: { gte: daysBefore(day.date, EVIDENCE_DAYS), lt: day.date },
      fingerprint: { in: kept.map(({ fingerprint }) => fingerprint) },
    },
    orderBy: { date: "desc" },
  });
  const weighed = kept.map((cause): WeighedCause => {
    const before = earlier.filter(({ fingerprint }) => fingerprint === cause.fingerprint);
    const dates = [day.date, ...before.map(({ date }) => date)];
    const allSessions = [
      ...new Set([...cause.sessions, ...before.flatMap(({ sessions }) => sessionsSchema.parse(sessions))]),
    ];
    return {
      ...cause,
      dates,
      allSessions,
      total: cause.count + before.reduce((sum, { count }) => sum + count, 0),
      lasting: isLasting(cause, dates.length, allSessions.length),
    };
  });
  await inTransaction(scope.db, async (tx) => {
    await tx.causeDay.deleteMany({ where: { agentId, date: day.date } });
    await tx.causeDay.createMany({
      data: weighed.map((cause) => ({
        agentId,
        fingerprint: cause.fingerprint,
        date: day.date,
        sessions: jsonColumn(cause.sessions),
        count: cause.count,
        successes: cause.successes,
        lasting: cause.lasting ? "lasting" : "passing",
      })),
    });
  });
  return weighed;
}

function isLasting(cause: Cause, dates: number, sessions: number): boolean {
  if (cause.failure !== undefined && passingKinds.has(cause.failure)) {
    // Also while it worked elsewhere the same day it is the weather, not the climate.
    return dates >= LASTING_DATES && cause.successes < cause.sessions.length;
  }
  return dates >= 2 || sessions >= 3;
}
