import type { HistoryCursor, Log } from "../../src/engine/ports.ts";
import type { Scope } from "../../src/engine/scope.ts";
import { noHermesFiles } from "../../src/hermes-bridge/hermes-files.ts";
import { noCronList, noMemory, noPreferences, noQueues, noTurns } from "../../src/hermes-bridge/no-hermes.ts";
import { StateDb } from "../../src/hermes-bridge/state-db.ts";
import { DATA_END_SECONDS } from "./history-data.ts";

const log: Log = { debug() {}, info() {}, warn() {}, incident: () => "" };

/** An agent that reads this history, with everything else left out. */
export function scopeFor(db: Scope["db"], home: string, size: number): Scope {
  const clock = { now: () => new Date(DATA_END_SECONDS * 1000) };
  return {
    agent: { id: `bench-${size}`, zone: "Asia/Shanghai", language: "zh" },
    db,
    clock,
    ids: { id: (prefix) => prefix, opaque: () => "" },
    random: () => 0,
    log,
    llm: {
      configured: false,
      ask: () => {
        throw new Error("no model in a bench");
      },
    },
    history: new StateDb({ home, clock }),
    crons: noCronList,
    memory: noMemory,
    preferences: noPreferences,
    queues: noQueues,
    turns: noTurns,
    files: noHermesFiles,
  };
}

/** As if a run had read up to there, so that the watermark is looked up as in everyday life. */
export async function afterACommittedRun(scope: Scope, cursor: HistoryCursor): Promise<void> {
  const at = scope.clock.now();
  const runId = `run of ${scope.agent.id}`;
  const run = {
    agentId: scope.agent.id,
    windowStart: new Date(at.getTime() - 60_000),
    windowEnd: at,
    cursorStart: cursor,
    cursorEnd: cursor,
    status: "committed",
    reason: "new_messages",
    counts: {},
    startedAt: at,
  };
  await scope.db.checkpoint.upsert({ where: { runId }, create: { runId, ...run }, update: run });
}
