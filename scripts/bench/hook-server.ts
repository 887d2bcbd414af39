import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createSocket } from "node:net";
import Koa from "koa";
import { openDb } from "../../src/engine/db.ts";
import { migrate } from "../../src/engine/migrate.ts";
import type { Scope } from "../../src/engine/scope.ts";
import { noHermesFiles } from "../../src/hermes-bridge/hermes-files.ts";
import {
  noCronList,
  noHistory,
  noMemory,
  noPreferences,
  noQueues,
  noTurns,
} from "../../src/hermes-bridge/no-hermes.ts";
import { telemetryRoute } from "../../src/hermes-bridge/telemetry-route.ts";
import { bridgeRoutes } from "../../src/hermes-bridge/tool-routes.ts";
import { noModel } from "../../src/llm/no-model.ts";
import { mountBridge } from "../../src/mount-bridge.ts";
import { processClock } from "../../src/process-clock.ts";
import { processIds } from "../../src/process-ids.ts";

// The bridge over a database of its own: what the plugin talks to in the bench. Arguments: state, database, token, rules.
const [, , state = "up", database = "", token = "", rules = "50"] = process.argv;
let oldestMs = 0;

if (state === "hanging") {
  const silent = createSocket(() => {});
  silent.listen(0, "127.0.0.1", () => process.send?.({ port: (silent.address() as AddressInfo).port }));
} else {
  await serve();
}

async function serve(): Promise<void> {
  const clock = processClock(new Date());
  await migrate(database, { now: clock.now() });
  const { db } = await openDb(database);
  const scope: Scope = {
    agent: { id: "main", zone: "Asia/Shanghai", language: "zh" },
    db,
    clock,
    ids: processIds(clock),
    random: Math.random,
    log: {
      debug() {},
      info() {},
      warn() {},
      incident: (event, error) => String(console.error(event, error)),
    },
    llm: noModel,
    turns: noTurns,
    history: noHistory,
    crons: noCronList,
    memory: noMemory,
    preferences: noPreferences,
    queues: noQueues,
    files: noHermesFiles,
  };
  const handle = bridgeRoutes({
    scope,
    token,
    version: "bench",
    changed: () => {},
    routes: [
      {
        ...telemetryRoute,
        async handle(of, request) {
          const body = (await request.read(4_000_000)) ?? Buffer.alloc(0);
          const { events } = JSON.parse(body.toString()) as { events: { at: number; tool?: string }[] };
          for (const { at, tool } of events) {
            if (tool === "counted") oldestMs = Math.max(oldestMs, Date.now() - at * 1000);
          }
          return telemetryRoute.handle(of, { ...request, read: async () => body });
        },
      },
      {
        method: "GET",
        path: "/bridge/advice",
        handle: async () => ({
          status: 200,
          body: { sections: [], rules: rulesOf(Number(rules)), budget: 600, most: 3 },
        }),
      },
    ],
  });
  const koa = new Koa();
  koa.use(mountBridge(handle));
  const answer = koa.callback();
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
  const count = async (): Promise<void> => {
    process.send?.({ rows: await db.toolInvocation.count({ where: { toolName: "counted" } }), oldestMs });
  };
  process.on("message", () => void count());
}

/** Every second one a hint on words that hardly ever occur, the others hold back calls; one of each fits. */
function rulesOf(count: number): object[] {
  return Array.from({ length: count }, (_, n) => {
    const rare = n > 1 ? `word${n}` : "报价单";
    return n % 2 === 0
      ? {
          id: `h${n}`,
          level: "warn",
          say: `Remember ${n}.`,
          priority: n,
          when: [{ on: "text", op: "contains", any: [rare] }],
        }
      : {
          id: `b${n}`,
          level: "block",
          say: `Not ${n}.`,
          priority: n,
          when: [
            { on: "tool", op: "equals", any: ["terminal"] },
            { on: "input", op: "pattern", any: [["rm", `word${n}`]] },
          ],
        };
  });
}
