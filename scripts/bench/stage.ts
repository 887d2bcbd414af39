import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDb } from "../../src/engine/db.ts";
import { loadSqlite } from "../../src/engine/load-sqlite.ts";
import { migrate } from "../../src/engine/migrate.ts";
import { beginRun, giveWay, supersedeLeftOvers } from "../../src/engine/proactive/keep-run.ts";
import { lookAround } from "../../src/engine/proactive/look-around.ts";
import { SourceNumbers } from "../../src/engine/proactive/number-sources.ts";
import { readSent, renderContext } from "../../src/engine/proactive/render-context.ts";
import { settleDeliveries } from "../../src/engine/proactive/settle-deliveries.ts";
import type { Scope } from "../../src/engine/scope.ts";
import type { StateDb } from "../../src/hermes-bridge/state-db.ts";
import { historyHome } from "./history-data.ts";
import { afterACommittedRun, scopeFor } from "./history-scope.ts";
import { RAW_EARLIER } from "./raw-since.ts";
import { type BenchOptions, median, type Result } from "./result.ts";
import { OWNER } from "./tap-data.ts";

const NEW = 20;

/**
 * Stage 1 of a tick, whole, with 20 new messages: receipts, left-overs, everything that decides whether to become a run,
 * the six documents, and the transaction that stores them. Each round is superseded, so that the next reads the same.
 */
export async function bench({ quick, say }: BenchOptions): Promise<Result[]> {
  const sizes = quick ? [10_000, 100_000] : [10_000, 1_000_000, 2_000_000];
  const rounds = quick ? 10 : 31;
  const folder = mkdtempSync(join(tmpdir(), "herald-bench-stage-"));
  const rows: (string | number)[][] = [];
  const medians: number[] = [];
  try {
    for (const size of sizes) {
      say(`${size} messages`);
      const path = join(folder, `${size}.db`);
      await migrate(path, { now: new Date(0) });
      const database = await openDb(path);
      const home = historyHome(size);
      const scope = scopeFor(database.db, home, size);
      const { agent, clock } = scope;
      await database.db.person.create({
        data: {
          id: "o",
          agentId: agent.id,
          openId: OWNER,
          role: "owner",
          directChatId: "oc_1",
          createdAt: clock.now(),
        },
      });
      await afterACommittedRun(scope, { ...(await scope.history.head()), id: idBefore(join(home, "state.db")) });
      const wall: number[] = [];
      const cpu: number[] = [];
      for (let round = 0; round <= rounds; round++) {
        const usage = process.cpuUsage();
        const begun = performance.now();
        await stageOne(scope, `run-${round}`);
        const took = performance.now() - begun;
        const { user, system } = process.cpuUsage(usage);
        await giveWay(scope, `run-${round}`);
        if (round === 0) continue;
        wall.push(took);
        cpu.push((user + system) / 1000);
      }
      rows.push([size.toLocaleString("en"), median(wall), median(cpu)]);
      medians.push(median(wall));
      (scope.history as StateDb).close();
      await database.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return [
    {
      title: `Stage 1 whole, ${NEW} new messages, six documents stored`,
      columns: ["messages", "median ms", "CPU ms"],
      rows,
      targets: [
        { id: "S4", what: "stage 1, largest history", value: medians.at(-1) ?? Number.NaN, atMost: 40, unit: "ms" },
        { id: "S4", what: "growth", value: (medians.at(-1) ?? 0) / (medians[0] ?? 1), atMost: 1.3, unit: "×" },
      ],
    },
  ];
}

async function stageOne(scope: Scope, runId: string): Promise<void> {
  await settleDeliveries(scope);
  await supersedeLeftOvers(scope);
  const around = await lookAround(scope, { asked: true });
  if ("silent" in around) throw new Error(`the tick is silent: ${around.silent}`);
  const { facts, window, crons, reason } = around;
  const { newMessages, earlierMessages, cuts } = window;
  const sent = await readSent(scope, facts.owner?.openId);
  const parts = { facts, newMessages, earlierMessages, cuts, crons, sent };
  const documents = await renderContext(scope, parts, new SourceNumbers());
  const begun = await beginRun(scope, { runId, reason, startedAt: scope.clock.now(), window, documents });
  if (!begun) throw new Error("another run stands");
}

function idBefore(path: string): number {
  const db = new (loadSqlite().DatabaseSync)(path, { readOnly: true });
  const statement = db.prepare(RAW_EARLIER);
  statement.setReturnArrays(true);
  const rows = statement.all(Number.MAX_SAFE_INTEGER, NEW + 1) as [number][];
  db.close();
  return rows[NEW]?.[0] ?? 0;
}
