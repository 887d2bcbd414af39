import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { migrate } from "../../src/engine/migrate.ts";
import { projectRoot } from "../../src/project-root.ts";
import { bundleEntry } from "./child.ts";
import { installResult } from "./install-size.ts";
import { type BenchOptions, median, type Result } from "./result.ts";
import { APP, startStandIn } from "./stand-in.ts";
import { makeTapDatabase, OWNER } from "./tap-data.ts";

const VARIANTS = ["node:http", "Koa + SDK", "all of it", "herald", "herald, grown"] as const;
type Variant = (typeof VARIANTS)[number];

/** One start as seen from outside. */
interface Start {
  readyMs: number;
  cpuMs: number;
  rssMb: number;
  idleMsPerS: number;
}

const FLOORS: Readonly<Partial<Record<Variant, string>>> = {
  "node:http": "node",
  "Koa + SDK": "sdk",
  "all of it": "all",
};
const CLOCK_TICKS_PER_S = 100;
const START_WITHIN_MS = 60_000;

/**
 * Bench (c): from spawn until the port answers and the long connection is up (Herald: on a database made and migrated by
 * this very start, and on one of many rows), memory and CPU at rest, and the size of a production install.
 * Herald is started as people start it: `node bin/herald.mjs start`, its bundle built before. Reads /proc: Linux only.
 */
export async function bench({ quick, say }: BenchOptions): Promise<Result[]> {
  const size = quick
    ? { rounds: 2, settle: 1, idle: 3, old: 50_000 }
    : { rounds: 7, settle: 30, idle: 60, old: 1_000_000 };
  const folder = mkdtempSync(join(tmpdir(), "herald-bench-start-"));
  try {
    const floor = await bundleEntry("scripts/bench/start-floor.ts");
    const migrated = join(folder, "migrated.db");
    await migrate(migrated, { now: new Date() });
    say(`a database with ${size.old} rows in three tables`);
    const grown = join(folder, "grown.db");
    await makeTapDatabase(grown, 3, new Date(), size.old);

    const starts = new Map<Variant, Start[]>(VARIANTS.map((variant) => [variant, []]));
    for (let round = 0; round <= size.rounds; round++) {
      say(`starts, round ${round} of ${size.rounds}`);
      for (let turn = 0; turn < VARIANTS.length; turn++) {
        const variant = VARIANTS[(turn + round) % VARIANTS.length];
        if (variant === undefined) continue;
        const dataDir = join(folder, `${round}-${turn}`);
        mkdirSync(dataDir);
        const last = round === size.rounds;
        const measured = await startOnce(variant, { floor, migrated, grown, dataDir, rest: last ? size : undefined });
        if (round > 0) starts.get(variant)?.push(measured);
        rmSync(dataDir, { recursive: true, force: true });
      }
    }
    return [startResult(starts), await installResult(say)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startOnce(
  variant: Variant,
  at: {
    floor: string;
    migrated: string;
    grown: string;
    dataDir: string;
    /** seconds to wait, then seconds to watch; without it memory is read at once */
    rest: { settle: number; idle: number } | undefined;
  },
): Promise<Start> {
  const standIn = await startStandIn();
  const port = await freePort();
  const database = join(at.dataDir, "herald.db");
  if (variant === "herald, grown") copyFileSync(at.grown, database);
  if (variant === "all of it") copyFileSync(at.migrated, database);
  const connects = variant !== "node:http" && variant !== "Koa + SDK";
  const floor = FLOORS[variant];
  const begun = performance.now();
  const child: ChildProcess =
    floor === undefined
      ? spawn(process.execPath, [join(projectRoot, "bin", "herald.mjs"), "start"], {
          cwd: at.dataDir,
          stdio: "ignore",
          env: heraldEnv(standIn.url, port, at.dataDir, database),
        })
      : spawn(process.execPath, [at.floor, floor, String(port), standIn.url, database], { stdio: "ignore" });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${variant} did not start`);
  try {
    const answered = await answers(port, begun + START_WITHIN_MS);
    const up = connects ? await inTime(standIn.connected, variant) : answered;
    const readyMs = Math.max(answered, up) - begun;
    const cpuMs = cpuOf(pid);
    await sleep((at.rest?.settle ?? 0.3) * 1000);
    const before = cpuOf(pid);
    const watched = performance.now();
    await sleep((at.rest?.idle ?? 0) * 1000);
    const idleMsPerS = at.rest ? ((cpuOf(pid) - before) * 1000) / (performance.now() - watched) : Number.NaN;
    return { readyMs, cpuMs, rssMb: rssOf(pid), idleMsPerS };
  } finally {
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
    await standIn.close();
  }
}

function heraldEnv(platformUrl: string, port: number, dataDir: string, database: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    FEISHU_APP_ID: APP.appId,
    FEISHU_APP_SECRET: APP.appSecret,
    FEISHU_DOMAIN: platformUrl,
    HERALD_PORT: String(port),
    HERALD_DATA_DIR: dataDir,
    DATABASE_URL: `file:${database}`,
    HERALD_OWNER_OPEN_ID: OWNER,
    HERALD_TIME_ZONE: "Asia/Shanghai",
    HERMES_HOME: join(dataDir, "no-hermes"),
    LOG_LEVEL: "warn",
  };
}

function startResult(starts: ReadonlyMap<Variant, readonly Start[]>): Result {
  const of = (variant: Variant): Start => {
    const all = starts.get(variant) ?? [];
    return {
      readyMs: median(all.map(({ readyMs }) => readyMs)),
      cpuMs: median(all.map(({ cpuMs }) => cpuMs)),
      rssMb: all.at(-1)?.rssMb ?? Number.NaN,
      idleMsPerS: all.at(-1)?.idleMsPerS ?? Number.NaN,
    };
  };
  const floor = of("all of it");
  const herald = of("herald");
  const grown = of("herald, grown");
  return {
    title: "Start and rest",
    columns: ["program", "ready ms", "÷ all of it", "CPU ms", "RSS MB at rest", "idle CPU ms/s"],
    rows: VARIANTS.map((variant) => {
      const s = of(variant);
      return [variant, s.readyMs, `×${(s.readyMs / floor.readyMs).toFixed(2)}`, s.cpuMs, s.rssMb, s.idleMsPerS];
    }),
    targets: [
      { id: "U1", what: "ready ÷ all of it", value: herald.readyMs / floor.readyMs, atMost: 1.6, unit: "×" },
      { id: "U1", what: "ready, grown ÷ empty", value: grown.readyMs / herald.readyMs, atMost: 1.2, unit: "×" },
      { id: "U2", what: "RSS at rest ÷ all of it", value: herald.rssMb / floor.rssMb, atMost: 1.35, unit: "×" },
      { id: "U3", what: "idle CPU", value: herald.idleMsPerS, atMost: 5, unit: "ms/s" },
    ],
  };
}

async function inTime<Value>(wanted: Promise<Value>, what: string): Promise<Value> {
  const late = sleep(START_WITHIN_MS).then(() => {
    throw new Error(`${what}: no long connection within ${START_WITHIN_MS} ms`);
  });
  return Promise.race([wanted, late]);
}

/** The instant at which the port first answers. */
async function answers(port: number, until: number): Promise<number> {
  while (performance.now() < until) {
    const ok = await new Promise<boolean>((resolve) => {
      const call = request({ host: "127.0.0.1", port, path: "/healthz", agent: false }, (response) => {
        response.resume();
        resolve(true);
      });
      call.on("error", () => resolve(false));
      call.end();
    });
    if (ok) return performance.now();
    await sleep(5);
  }
  throw new Error(`port ${port} did not answer within ${START_WITHIN_MS} ms`);
}

function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / CLOCK_TICKS_PER_S;
}

function rssOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1000;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
