import { z } from "zod";
import type { Tx } from "../db.ts";
import { jsonColumn } from "../json-column.ts";
import type { Scope } from "../scope.ts";
import { type Strategy, strategySchema } from "./rule.ts";

/** Rules at once: more would be noise to a model, and no person could keep them in mind. */
export const MOST_STRATEGIES = 200;

export interface StrategySet {
  /** 0 = none was ever made */
  version: number;
  strategies: readonly Strategy[];
}

/** The set in force; rules of a newer release that cannot be read are left out. */
export async function readStrategies(scope: Scope): Promise<StrategySet> {
  const row = await scope.db.strategyVersion.findFirst({
    where: { agentId: scope.agent.id, activeUntil: null },
    orderBy: { version: "desc" },
  });
  return row ? { version: row.version, strategies: parseStrategies(row.strategies) } : { version: 0, strategies: [] };
}

export function parseStrategies(column: unknown): Strategy[] {
  const list = z.array(z.unknown()).catch([]).parse(column);
  return list.flatMap((each) => strategySchema.safeParse(each).data ?? []);
}

/** Puts a new version in force and ends the one before. Versions are never changed. */
export async function putStrategies(
  tx: Tx,
  scope: Scope,
  { strategies, because }: { strategies: readonly Strategy[]; because: string },
): Promise<StrategySet> {
  const now = scope.clock.now();
  const last = await tx.strategyVersion.findFirst({
    where: { agentId: scope.agent.id },
    orderBy: { version: "desc" },
    select: { version: true },
  });
  const version = (last?.version ?? 0) + 1;
  const since = await tx.strategyVersion.findFirst({
    where: { agentId: scope.agent.id, activeUntil: null },
    orderBy: { version: "desc" },
    select: { version: true, activeFrom: true },
  });
  if (since) {
    const { _avg: average } = await tx.sessionScore.aggregate({
      where: { agentId: scope.agent.id, startedAt: { gte: since.activeFrom, lt: now } },
      _avg: { composite: true },
    });
    await tx.strategyVersion.updateMany({
      where: { agentId: scope.agent.id, activeUntil: null },
      data: { activeUntil: now, avgScore: average.composite },
    });
  }
  await tx.strategyVersion.create({
    data: { agentId: scope.agent.id, version, strategies: jsonColumn([...strategies]), activeFrom: now, because },
    select: { version: true },
  });
  return { version, strategies };
}
