import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { processClock } from "../../src/process-clock.ts";
import { bundleEntry, Child } from "./child.ts";
import { DATA_END_SECONDS, historyHome } from "./history-data.ts";
import { type BenchOptions, median, quantile, type Result, type Target } from "./result.ts";
import { APP, type StandIn, startStandIn } from "./stand-in.ts";
import { makeTapDatabase } from "./tap-data.ts";
import {
  alone,
  atRate,
  ENCRYPT_KEY,
  flatOut,
  overHttp,
  overSocket,
  p,
  type Taken,
  type TapTarget,
} from "./tap-driver.ts";
import type { TapServerOptions } from "./tap-server.ts";

type Variant = TapServerOptions["variant"];
type Transport = TapServerOptions["transport"];

interface Server extends TapTarget {
  readonly name: string;
  readonly child: Child;
  readonly standIn: StandIn;
  /** the next matter nobody has tapped yet */
  next: number;
}

/** What the rounds of one variant gave. */
interface Measured {
  alone: Taken[];
  rate: Taken[];
  flat: Taken[];
  cpuUs: number[];
  rssMb: number;
  wrong: unknown[];
  /** answered in time with "working on it": right, but later than people like */
  late: number;
}

const started = z.object({ url: z.string() });
const usage = z.object({ cpuUs: z.number(), rssMb: z.number() });
const success = z.object({ toast: z.object({ type: z.literal("success") }) });
/** The product's answer when the result is not there within its time: the sweep brings the card. */
const working = z.strictObject({ toast: z.object({ type: z.literal("info") }) });
const successWithCard = success.extend({
  card: z.object({ type: z.literal("raw"), data: z.object({ body: z.unknown() }) }),
});

const HTTP: readonly Variant[] = ["koa", "sdk", "prisma7raw", "prisma7", "herald", "herald+redraw"];
const SOCKET: readonly Variant[] = ["sdk", "prisma7raw", "prisma7", "herald"];

/**
 * Bench (b): taps on *Done*, encrypted and signed over HTTP and over the long connection, beside what less would cost.
 * Every variant is a process of its own, the driver another; variants take turns and the first round does not count.
 * A wrong answer anywhere fails the bench.
 */
export async function bench({ quick, say }: BenchOptions): Promise<Result[]> {
  const size = quick
    ? { rounds: 2, alone: 60, rate: 50, flat: 120, busy: 150, old: 50_000, history: 10_000 }
    : { rounds: 5, alone: 150, rate: 150, flat: 500, busy: 600, old: 1_000_000, history: 1_000_000 };
  const folder = mkdtempSync(join(tmpdir(), "herald-bench-taps-"));
  const begin = new Date(DATA_END_SECONDS * 1000);
  const clock = processClock(begin);
  const items = (size.rounds + 1) * (size.alone + size.rate + size.flat) + 4 * size.busy + 100;
  const running: Server[] = [];
  const entry = await bundleEntry("scripts/bench/tap-server.ts");
  const template = join(folder, "template.db");
  await makeTapDatabase(template, items, begin);

  async function start(name: string, variant: Variant, transport: Transport, from = template): Promise<Server> {
    const dataDir = join(folder, `${transport}-${name}`);
    mkdirSync(dataDir);
    const database = join(dataDir, "herald.db");
    copyFileSync(from, database);
    const standIn = await startStandIn();
    const options: TapServerOptions = {
      variant,
      transport,
      database,
      dataDir,
      hermesHome: historyHome(size.history),
      platformUrl: standIn.url,
      ...APP,
      encryptKey: ENCRYPT_KEY,
      now: clock.now().toISOString(),
    };
    const child = new Child(entry, [JSON.stringify(options)]);
    const { url } = started.parse(await child.ask());
    if (transport === "websocket") await standIn.connected;
    const expected = variant.startsWith("herald") ? successWithCard : success;
    const server: Server = {
      name,
      child,
      standIn,
      next: 0,
      tap: transport === "webhook" ? overHttp(url, clock.now) : overSocket(standIn),
      fits: (answer) => expected.safeParse(answer).success,
      isLate: (answer) => working.safeParse(answer).success,
    };
    running.push(server);
    return server;
  }
  async function end(servers: readonly Server[]): Promise<void> {
    for (const { child, standIn } of servers) {
      await child.end();
      await standIn.close();
    }
  }

  try {
    const results: Result[] = [];
    say("over HTTP");
    const http: Server[] = [];
    for (const variant of HTTP) http.push(await start(variant, variant, "webhook"));
    const byHttp = await measure(http, size);
    results.push(httpResult(byHttp));

    say("over HTTP, beside long work");
    const herald = serverNamed(http, "herald");
    results.push(await besideWork(herald, size.busy));
    await end(http);

    say("over the long connection");
    const socket: Server[] = [];
    for (const variant of SOCKET) socket.push(await start(variant, variant, "websocket"));
    results.push(socketResult(await measure(socket, size)));
    await end(socket);

    say(`with ${size.old} old rows in each table`);
    const grown = join(folder, "grown.db");
    await makeTapDatabase(grown, items, begin, size.old);
    const pair = [await start("empty", "herald", "webhook"), await start("grown", "herald", "webhook", grown)];
    results.push(growthResult(await measure(pair, { ...size, rate: 0, flat: 0 }), size.old));
    await end(pair);
    return results;
  } finally {
    await end(running);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Rounds in which every server has its turn; the order moves on by one each round. */
async function measure(
  servers: readonly Server[],
  size: { rounds: number; alone: number; rate: number; flat: number },
): Promise<Map<string, Measured>> {
  const all = new Map<string, Measured>();
  for (const { name } of servers)
    all.set(name, { alone: [], rate: [], flat: [], cpuUs: [], rssMb: 0, wrong: [], late: 0 });
  for (let round = 0; round <= size.rounds; round++) {
    for (let turn = 0; turn < servers.length; turn++) {
      const server = servers[(turn + round) % servers.length];
      const measured = server && all.get(server.name);
      if (!server || !measured) continue;
      const before = await usageOf(server);
      const one = await alone(server, numbers(server, size.alone));
      const after = await usageOf(server);
      const rate = size.rate > 0 ? await atRate(server, numbers(server, size.rate), 50) : undefined;
      const flat = size.flat > 0 ? await flatOut(server, numbers(server, size.flat)) : undefined;
      measured.wrong.push(...one.wrong, ...(rate?.wrong ?? []), ...(flat?.wrong ?? []));
      measured.late += one.late + (rate?.late ?? 0) + (flat?.late ?? 0);
      if (round === 0) continue;
      measured.alone.push(one);
      if (rate) measured.rate.push(rate);
      if (flat) measured.flat.push(flat);
      measured.cpuUs.push((after.cpuUs - before.cpuUs) / size.alone);
      measured.rssMb = after.rssMb;
    }
  }
  for (const [name, { wrong }] of all) refuse(name, wrong);
  return all;
}

/** @throws Error for any wrong answer: a fast wrong one is worth nothing */
function refuse(where: string, wrong: readonly unknown[]): void {
  if (wrong.length === 0) return;
  throw new Error(`${where}: ${wrong.length} wrong answers, for example ${JSON.stringify(wrong[0])?.slice(0, 300)}`);
}

function httpResult(all: ReadonlyMap<string, Measured>): Result {
  const koa = summary(all, "koa");
  const prisma = summary(all, "prisma7");
  const raw = summary(all, "prisma7raw");
  const herald = summary(all, "herald");
  const targets: Target[] = [
    { id: "C1", what: "CPU of a tap ÷ prisma7", value: herald.cpu / prisma.cpu, atMost: 1.6, unit: "×" },
    { id: "C1+", what: "CPU of a tap ÷ prisma7raw (stretch)", value: herald.cpu / raw.cpu, atMost: 1.3, unit: "×" },
    { id: "C2", what: "p50 alone ÷ Koa", value: herald.p50 / koa.p50, atMost: 6, unit: "×" },
    { id: "C3", what: "p99 at 50/s ÷ Koa's", value: herald.rate99 / koa.rate99, atMost: 3, unit: "×" },
    { id: "C3", what: "p99 at 50/s", value: herald.rate99, atMost: 25, unit: "ms" },
    { id: "C3", what: "flat out", value: herald.perSecond, atLeast: 600, unit: "taps/s" },
  ];
  return { title: "Taps over HTTP, encrypted and signed", columns: COLUMNS, rows: rowsOf(all, "koa"), targets };
}

function socketResult(all: ReadonlyMap<string, Measured>): Result {
  const sdk = summary(all, "sdk");
  const prisma = summary(all, "prisma7");
  const herald = summary(all, "herald");
  const targets: Target[] = [
    { id: "C5", what: "p50 alone ÷ SDK", value: herald.p50 / sdk.p50, atMost: 7, unit: "×" },
    { id: "C5", what: "p99 alone ÷ SDK's", value: herald.p99 / sdk.p99, atMost: 15, unit: "×" },
    { id: "C5", what: "CPU of a tap ÷ prisma7", value: herald.cpu / prisma.cpu, atMost: 1.6, unit: "×" },
  ];
  return { title: "Taps over the long connection", columns: COLUMNS, rows: rowsOf(all, "sdk"), targets };
}

function growthResult(all: ReadonlyMap<string, Measured>, old: number): Result {
  const empty = summary(all, "empty");
  const grown = summary(all, "grown");
  return {
    title: `Taps over HTTP with ${old.toLocaleString("en-US")} old events, audit entries and card posts`,
    columns: ["database", "alone p50 µs", "CPU µs/tap"],
    rows: [
      ["few rows", empty.p50 * 1000, empty.cpu],
      ["grown", grown.p50 * 1000, grown.cpu],
    ],
    targets: [
      { id: "C1", what: "p50, grown ÷ empty", value: grown.p50 / empty.p50, atMost: 1.3, unit: "×" },
      { id: "C1", what: "CPU, grown ÷ empty", value: grown.cpu / empty.cpu, atMost: 1.3, unit: "×" },
    ],
  };
}

/** What people feel: taps at 50/s while the same process reads a big history. */
async function besideWork(server: Server, taps: number): Promise<Result> {
  const rows: (string | number)[][] = [];
  const targets: Target[] = [];
  let idle99 = 0;
  for (const work of ["none", "scan", "tick"] as const) {
    await server.child.ask({ work });
    const taken = await atRate(server, numbers(server, taps), 50);
    await server.child.ask({ work: "none" });
    refuse(`beside ${work}`, taken.wrong);
    const [p50, p95, p99, worst] = [p(taken, 0.5), p(taken, 0.95), p(taken, 0.99), Math.max(...taken.latencies)];
    rows.push([work, p50, p95, p99, worst, taken.latencies.filter((ms) => ms > 3000).length]);
    if (work === "none") {
      idle99 = p99;
      continue;
    }
    targets.push(
      { id: "C4", what: `worst tap beside a ${work}`, value: worst, atMost: 100, unit: "ms" },
      { id: "C4", what: `p99 beside a ${work} ÷ idle p99`, value: p99 / idle99, atMost: 4, unit: "×" },
    );
  }
  return {
    title: "Taps at 50/s while the same process works",
    columns: ["beside", "p50 ms", "p95", "p99", "worst", "over 3 s"],
    rows,
    targets,
  };
}

const COLUMNS = [
  "variant",
  "alone p50 µs",
  "p99 µs",
  "÷ floor",
  "50/s p50 ms",
  "p95",
  "p99",
  "max",
  "flat out /s",
  "CPU µs/tap",
  "RSS MB",
  "put off",
];

function rowsOf(all: ReadonlyMap<string, Measured>, floor: string): (string | number)[][] {
  const base = summary(all, floor).p50;
  return [...all.keys()].map((name) => {
    const s = summary(all, name);
    return [
      name,
      s.p50 * 1000,
      s.p99 * 1000,
      `×${(s.p50 / base).toFixed(2)}`,
      s.rate50,
      s.rate95,
      s.rate99,
      s.rateMax,
      s.perSecond,
      s.cpu,
      s.rssMb,
      s.late,
    ];
  });
}

function summary(all: ReadonlyMap<string, Measured>, name: string) {
  const measured = all.get(name);
  if (!measured) throw new Error(`no variant ${name}`);
  const rate = measured.rate.flatMap(({ latencies }) => latencies);
  const single = measured.alone.flatMap(({ latencies }) => latencies);
  const inRate = (q: number): number => (rate.length > 0 ? quantile(rate, q) : Number.NaN);
  return {
    p50: median(measured.alone.map((taken) => p(taken, 0.5))),
    p99: quantile(single, 0.99),
    rate50: inRate(0.5),
    rate95: inRate(0.95),
    rate99: inRate(0.99),
    rateMax: rate.length > 0 ? Math.max(...rate) : Number.NaN,
    perSecond:
      measured.flat.length > 0
        ? median(measured.flat.map(({ latencies, tookMs }) => (latencies.length * 1000) / tookMs))
        : Number.NaN,
    cpu: median(measured.cpuUs),
    rssMb: measured.rssMb,
    late: measured.late,
  };
}

function numbers(server: Server, count: number): number[] {
  const first = server.next;
  server.next += count;
  return Array.from({ length: count }, (_, i) => first + i);
}

async function usageOf(server: Server): Promise<z.infer<typeof usage>> {
  return usage.parse(await server.child.ask({ cpu: true }));
}

function serverNamed(servers: readonly Server[], name: string): Server {
  const server = servers.find((each) => each.name === name);
  if (!server) throw new Error(`no server ${name}`);
  return server;
}
