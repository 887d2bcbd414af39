/**
 * Herald in a process of its own that kills itself with SIGKILL at the N-th write to its database, or the N-th boundary
 * of a call to the platform, after a delivery was decided. Started by test/lives/crash.test.ts; N = 0 never kills.
 */
import { startApp } from "../../../src/app.ts";
import type { Lark } from "../../../src/bot/lark.ts";
import { readConfig } from "../../../src/config.ts";
import { loadSqlite } from "../../../src/engine/load-sqlite.ts";
import { createLog } from "../../../src/log.ts";
import { processClock } from "../../../src/process-clock.ts";

interface Orders {
  dataDir: string;
  hermesHome: string;
  platformUrl: string;
  appId: string;
  appSecret: string;
  ownerOpenId: string;
  now: string;
  killAt: number;
}

const orders = JSON.parse(process.argv[2] ?? "{}") as Orders;
let armed = false;
let steps = 0;

function step(what: string): void {
  if (!armed) return;
  steps++;
  if (steps === orders.killAt) {
    process.send?.({ killedAt: what });
    process.kill(process.pid, "SIGKILL");
  }
}

type Callable = (...args: unknown[]) => unknown;

/** Every write to the rows in question that stands by itself, and every end of a transaction, is a step before and after it. The library's class is read-only, so its users get a stand-in of it. */
function watchWrites(): void {
  const library = loadSqlite();
  const { DatabaseSync } = library;
  let inTransaction = false;
  const watched = (sql: string, act: () => unknown): unknown => {
    const verb = /^\s*(BEGIN|COMMIT|ROLLBACK|INSERT|UPDATE|DELETE)/i.exec(sql)?.[1]?.toUpperCase();
    if (verb === "BEGIN") inTransaction = true;
    // Within a transaction dying makes no difference until its end: either all of it stands or nothing.
    const matters = verb === "COMMIT" || (!inTransaction && /"(CardPost|Delivery|Checkpoint)"/.test(sql));
    if (verb === undefined || !matters) {
      const result = act();
      if (verb === "ROLLBACK") inTransaction = false;
      if (verb === "INSERT" && /"?Delivery"?\W/.test(sql)) armed = true;
      return result;
    }
    if (verb === "COMMIT") inTransaction = false;
    const name = sql.slice(0, 60);
    step(`before ${name}`);
    const result = act();
    step(`after ${name}`);
    return result;
  };
  const over = <T extends object>(target: T, wrap: (key: string, call: Callable, args: unknown[]) => unknown): T =>
    new Proxy(target, {
      get(of, key): unknown {
        const value = Reflect.get(of, key, of) as unknown;
        if (typeof value !== "function") return value;
        return (...args: unknown[]): unknown =>
          wrap(String(key), (...more) => (value as Callable).apply(of, more), args);
      },
    });
  const watchedDatabase = new Proxy(DatabaseSync, {
    construct(of, args: ConstructorParameters<typeof DatabaseSync>): object {
      return over(new of(...args), (key, call, given) => {
        if (key === "exec") return watched(String(given[0]), () => call(...given));
        if (key !== "prepare") return call(...given);
        return over(call(...given) as object, (name, run, more) =>
          ["run", "all", "get"].includes(name) ? watched(String(given[0]), () => run(...more)) : run(...more),
        );
      });
    },
  });
  Object.assign(library, { DatabaseSync: watchedDatabase });
}

/** Both ends of a call to the platform are steps: before it leaves, and after it was taken but before that is known here. */
function watchCalls(lark: Lark): Lark {
  return {
    ...lark,
    async send(...args) {
      step("before send");
      const sent = await lark.send(...args);
      step("after send");
      return sent;
    },
    async patch(...args) {
      step("before patch");
      await lark.patch(...args);
      step("after patch");
    },
  };
}

watchWrites();
const { config } = readConfig({
  env: {
    HERALD_PORT: "0",
    HERALD_DATA_DIR: orders.dataDir,
    HERALD_TIME_ZONE: "Asia/Shanghai",
    HERMES_HOME: orders.hermesHome,
    LOG_LEVEL: "silent",
  },
  cwd: orders.dataDir,
  home: orders.dataDir,
  hostZone: "Asia/Shanghai",
});
const app = await startApp(config, {
  clock: processClock(new Date(orders.now)),
  log: createLog({ level: "silent" }),
  hermesHome: orders.hermesHome,
  feishu: { appId: orders.appId, appSecret: orders.appSecret, baseUrl: orders.platformUrl, transport: "websocket" },
  ownerOpenId: orders.ownerOpenId,
  wrapLark: watchCalls,
});
for (;;) {
  await new Promise((resolve) => setTimeout(resolve, 50));
  await app.scheduler.runJob("sync-cards");
  await app.scheduler.idle();
  const open = await app.scope.db.delivery.count({ where: { status: "pending" } });
  const made = await app.scope.db.delivery.count();
  if (made > 0 && open === 0) break;
}
process.send?.({ settled: steps });
await app.release();
process.disconnect?.();
