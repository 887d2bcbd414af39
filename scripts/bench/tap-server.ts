import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Router from "@koa/router";
import * as sdk from "@larksuiteoapi/node-sdk";
import Koa from "koa";
import { z } from "zod";
import { type App, startApp } from "../../src/app.ts";
import type { Lark } from "../../src/bot/lark.ts";
import { webhook } from "../../src/bot/webhook.ts";
import { readConfig } from "../../src/config.ts";
import { type Db, inTransaction, openDb } from "../../src/engine/db.ts";
import type { Log } from "../../src/engine/ports.ts";
import { rehearseRules } from "../../src/engine/proactive/rehearse-rules.ts";
import { tick } from "../../src/engine/proactive/tick.ts";
import type { PrismaClient } from "../../src/generated/sqlite/client.ts";
import { processClock } from "../../src/process-clock.ts";
import { AGENT, OWNER } from "./tap-data.ts";

/** What the driver hands over as JSON in the first argument. */
export const tapServerOptions = z.object({
  variant: z.enum(["koa", "sdk", "prisma7", "prisma7raw", "herald", "herald+redraw"]),
  transport: z.enum(["webhook", "websocket"]),
  database: z.string(),
  dataDir: z.string(),
  hermesHome: z.string(),
  platformUrl: z.string(),
  appId: z.string(),
  appSecret: z.string(),
  encryptKey: z.string(),
  now: z.coerce.date(),
});
export type TapServerOptions = z.input<typeof tapServerOptions>;

const tapOf = z.object({
  event_id: z.string(),
  action: z.object({ value: z.object({ payload: z.object({ item: z.string() }) }) }),
});
const TOAST = { toast: { type: "success", content: "记下了" } };
const silent: Log = {
  debug() {},
  info() {},
  warn() {},
  incident: (event, error) => String(console.error(event, error)),
};
const quiet = { error() {}, warn() {}, info() {}, debug() {}, trace() {} };

const options = tapServerOptions.parse(JSON.parse(process.argv[2] ?? "{}"));
const clock = processClock(options.now);
let app: App | undefined;
let url = "";

switch (options.variant) {
  case "herald":
    app = await startHerald((lark) => ({ ...lark, patch: () => new Promise(() => {}) }));
    break;
  case "herald+redraw":
    app = await startHerald((lark) => lark);
    break;
  case "koa": {
    const keys = { appId: options.appId, encryptKey: options.encryptKey, verificationToken: undefined };
    const koa = new Koa();
    koa.use(webhook(keys, clock, async () => TOAST, silent));
    url = await serve(koa);
    break;
  }
  default:
    await startSdk(await handlerOf(options.variant));
}

let working = false;
process.on("message", (question: { cpu?: true; work?: "tick" | "scan" | "none" }) => {
  if (question.cpu) {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuUs: user + system, rssMb: process.memoryUsage.rss() / 1e6 });
  } else if (question.work) {
    working = question.work !== "none";
    if (question.work === "tick") void workOn("tick");
    if (question.work === "scan") void workOn("scan");
    process.send?.({ working });
  }
});
process.send?.({ url: app?.url ?? url });

async function startHerald(wrapLark: (lark: Lark) => Lark): Promise<App> {
  const { config } = readConfig({
    env: {
      HERALD_PORT: "0",
      HERALD_DATA_DIR: options.dataDir,
      DATABASE_URL: `file:${options.database}`,
      HERALD_TIME_ZONE: "Asia/Shanghai",
      HERMES_HOME: options.hermesHome,
    },
    cwd: options.dataDir,
    home: options.dataDir,
    hostZone: "Asia/Shanghai",
  });
  const started = await startApp(config, {
    clock,
    log: silent,
    hermesHome: options.hermesHome,
    feishu: {
      appId: options.appId,
      appSecret: options.appSecret,
      baseUrl: options.platformUrl,
      transport: options.transport,
      encryptKey: options.encryptKey,
    },
    ownerOpenId: OWNER,
    wrapLark,
    wake: () => () => {},
  });
  // As main does a moment after the start.
  await rehearseRules(options.now, "Asia/Shanghai");
  return started;
}

async function startSdk(handle: (raw: unknown) => Promise<object>): Promise<void> {
  const dispatcher = new sdk.EventDispatcher({
    encryptKey: options.encryptKey,
    logger: quiet,
    loggerLevel: sdk.LoggerLevel.error,
  }).register({ "card.action.trigger": handle } as Record<string, (raw: unknown) => Promise<object>>);
  if (options.transport === "webhook") {
    const router = new Router();
    router.post("/feishu/webhook", sdk.adaptKoaRouter(dispatcher));
    const koa = new Koa();
    koa.use(router.routes());
    url = await serve(koa);
    return;
  }
  const client = new sdk.WSClient({
    appId: options.appId,
    appSecret: options.appSecret,
    domain: options.platformUrl,
    logger: quiet,
    loggerLevel: sdk.LoggerLevel.error,
  });
  await client.start({ eventDispatcher: dispatcher });
}

/** The three statements every honest handler of a tap needs: the event once, the change if nobody was faster, the record. */
async function handlerOf(variant: "sdk" | "prisma7" | "prisma7raw"): Promise<(raw: unknown) => Promise<object>> {
  if (variant === "sdk") return async () => TOAST;
  const { db } = await openDb(options.database);
  const statements = variant === "prisma7" ? interactive : rawBatch;
  return async (raw) => {
    const tap = tapOf.parse(raw);
    await statements(db, tap.event_id, tap.action.value.payload.item);
    return TOAST;
  };
}

async function interactive(db: Db, eventId: string, item: string): Promise<void> {
  const now = clock.now();
  await inTransaction(db, async (tx) => {
    await tx.inboxEvent.create({
      data: {
        agentId: AGENT,
        dedupeKey: eventId,
        kind: "tap",
        payload: {},
        status: "done",
        answer: TOAST,
        receivedAt: now,
      },
      select: { seq: true },
    });
    const { count } = await tx.trackingItem.updateMany({
      where: { id: item, agentId: AGENT, status: "active" },
      data: { status: "closed", closedAt: now, closedBy: OWNER, closedWhy: "done", revision: { increment: 1 } },
    });
    if (count !== 1) throw new Error(`${item} was closed`);
    await tx.auditEntry.create({
      data: {
        agentId: AGENT,
        at: now,
        actorKind: "person",
        actorId: OWNER,
        what: "item.done",
        subjectKind: "item",
        subjectId: item,
      },
      select: { id: true },
    });
  });
}

async function rawBatch(db: Db, eventId: string, item: string): Promise<void> {
  const client = db as PrismaClient;
  const now = clock.now();
  const [, changed] = await client.$transaction([
    client.$executeRaw`INSERT INTO "InboxEvent" ("agentId","dedupeKey","kind","payload","status","answer","receivedAt")
      VALUES (${AGENT}, ${eventId}, 'tap', '{}', 'done', '{"toast":{"type":"success"}}', ${now})`,
    client.$executeRaw`UPDATE "TrackingItem" SET "status" = 'closed', "closedAt" = ${now}, "closedBy" = ${OWNER},
      "closedWhy" = 'done', "revision" = "revision" + 1 WHERE "id" = ${item} AND "agentId" = ${AGENT} AND "status" = 'active'`,
    client.$executeRaw`INSERT INTO "AuditEntry" ("agentId","at","actorKind","actorId","what","subjectKind","subjectId")
      SELECT ${AGENT}, ${now}, 'person', ${OWNER}, 'item.done', 'item', ${item} WHERE changes() = 1`,
  ]);
  if (changed !== 1) throw new Error(`${item} was closed`);
}

/** Long work beside the taps, over and over, until told to stop. */
async function workOn(kind: "tick" | "scan"): Promise<void> {
  const scope = app?.scope;
  if (!scope) return;
  while (working) {
    if (kind === "tick") {
      await tick(scope, { dry: true, asked: true });
    } else {
      let page = await scope.history.readSince(await scope.history.cursorBefore(new Date(randomInt(1000))), 500);
      for (let pages = 0; page.more && working && pages < 200; pages++) {
        page = await scope.history.readSince(page.cursor, 500);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

async function serve(koa: Koa): Promise<string> {
  const handle = koa.callback();
  const server: Server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
