import { cut } from "./clean-text.ts";
import type { Scope } from "./scope.ts";

/** When something outside last answered, and what it said when it did not. */
export interface Heartbeat {
  name: string;
  /** null = never */
  lastSuccessAt: Date | null;
  /** When it failed last; while it fails, when that began. */
  lastFailureAt: Date | null;
  /** Why it failed last; null since the last success. */
  failure: string | null;
}

/** A success sooner than this after another is not written down again: a busy connection costs one write a minute. */
const WRITE_AGAIN_AFTER_MS = 60_000;

/** It answered. Ends a failure and allows the next one a notice of its own. */
export async function noteSuccess(scope: Scope, name: string): Promise<void> {
  const now = scope.clock.now();
  const where = { agentId_name: { agentId: scope.agent.id, name } };
  const known = await scope.db.heartbeat.findUnique({ where });
  const fresh = known?.lastSuccessAt && Math.abs(now.getTime() - known.lastSuccessAt.getTime()) < WRITE_AGAIN_AFTER_MS;
  if (known && fresh && known.failure === null) return;
  const data = { lastSuccessAt: now, failure: null, noticedAt: null };
  await scope.db.heartbeat.upsert({ where, update: data, create: { agentId: scope.agent.id, name, ...data } });
}

/** It did not answer, and why in one line. Failing on writes nothing, unless the reason is another one. */
export async function noteFailure(scope: Scope, name: string, why: string): Promise<void> {
  const where = { agentId_name: { agentId: scope.agent.id, name } };
  const known = await scope.db.heartbeat.findUnique({ where });
  const failure = cut(why, 300);
  if (known?.failure === failure) return;
  const began = known?.failure != null ? known.lastFailureAt : null;
  const data = { lastFailureAt: began ?? scope.clock.now(), failure };
  await scope.db.heartbeat.upsert({ where, update: data, create: { agentId: scope.agent.id, name, ...data } });
}

/** These answered: a failure of theirs is over. Writes nothing for what did not fail. */
export async function endFailures(scope: Scope, names: readonly string[]): Promise<void> {
  await scope.db.heartbeat.updateMany({
    where: { agentId: scope.agent.id, name: { in: [...names] }, failure: { not: null } },
    data: { lastSuccessAt: scope.clock.now(), failure: null, noticedAt: null },
  });
}

/**
 * True for one caller per failure, over all replicas: then a notice about it is due. Before `afterMs` of failing nothing
 * is due, so that a hiccup troubles nobody.
 */
export async function takeNotice(scope: Scope, name: string, afterMs: number): Promise<boolean> {
  const now = scope.clock.now();
  const known = await scope.db.heartbeat.findUnique({ where: { agentId_name: { agentId: scope.agent.id, name } } });
  if (!known || known.failure === null || known.noticedAt !== null) return false;
  const since = known.lastSuccessAt ?? known.lastFailureAt;
  if (since !== null && now.getTime() - since.getTime() < afterMs) return false;
  const { count } = await scope.db.heartbeat.updateMany({
    where: { agentId: scope.agent.id, name, noticedAt: null, failure: { not: null } },
    data: { noticedAt: now },
  });
  return count === 1;
}

/** All that is known, for /status and /readyz. */
export async function readHeartbeats(scope: Scope): Promise<Heartbeat[]> {
  const rows = await scope.db.heartbeat.findMany({ where: { agentId: scope.agent.id }, orderBy: { name: "asc" } });
  return rows.map(({ name, lastSuccessAt, lastFailureAt, failure }) => ({
    name,
    lastSuccessAt,
    lastFailureAt,
    failure,
  }));
}

/** Milliseconds since the last success; undefined = never. A clock that was set back counts as zero. */
export function ageMs(beat: Pick<Heartbeat, "lastSuccessAt">, now: Date): number | undefined {
  return beat.lastSuccessAt === null ? undefined : Math.max(now.getTime() - beat.lastSuccessAt.getTime(), 0);
}
