import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkHealth } from "./bot/check-health.ts";
import { checkHermes } from "./bot/check-hermes.ts";
import type { ConnectionState } from "./bot/connection-state.ts";
import { InHand } from "./bot/in-hand.ts";
import type { Lark } from "./bot/lark.ts";
import { larkClient } from "./bot/lark-client.ts";
import { liveReplies } from "./bot/live-reply.ts";
import { startLongConnection } from "./bot/long-connection.ts";
import { tapHandler } from "./bot/on-tap.ts";
import { receiver } from "./bot/receive.ts";
import { createServer, type ReadinessCheck, type ServerParts } from "./bot/server.ts";
import type { ServerFacts } from "./bot/server-facts.ts";
import type { ServerTools } from "./bot/server-tools.ts";
import { webhook } from "./bot/webhook.ts";
import { agentMessageParts } from "./cards/agent-message-card.ts";
import { chatPages } from "./cards/chat-card.ts";
import { machineHealth } from "./check-machine-health.ts";
import type { Config, FeishuConfig } from "./config.ts";
import { devState } from "./dev-state.ts";
import { nextSlot } from "./due-slots.ts";
import { TurnRunner } from "./engine/chat/turn-runner.ts";
import { GoalRunner } from "./engine/goal/goal-runner.ts";
import { makeConfiguredOwner, openPairing } from "./engine/people/pair-owner.ts";
import type { AgentTurns } from "./engine/ports.ts";
import type { Scope } from "./engine/scope.ts";
import { fileFolders } from "./file-folders.ts";
import { adviceRoute } from "./hermes-bridge/advice-route.ts";
import { bridgeToken } from "./hermes-bridge/bridge-token.ts";
import { bridgeUrl, keepBridgeUrl } from "./hermes-bridge/bridge-url.ts";
import { type Gateway, openGateway } from "./hermes-bridge/gateway.ts";
import { telemetryRoute } from "./hermes-bridge/telemetry-route.ts";
import { bridgeRoutes } from "./hermes-bridge/tool-routes.ts";
import { wakeRoute } from "./hermes-bridge/wake-route.ts";
import type { Job } from "./job.ts";
import { jobTable } from "./jobs.ts";
import { knowBot } from "./know-bot.ts";
import { listenAt } from "./listen-at.ts";
import { mountMetrics } from "./metrics.ts";
import { mountBridge } from "./mount-bridge.ts";
import { mountMcp } from "./mount-mcp.ts";
import { openScope, type ScopeParts } from "./open-scope.ts";
import { runHerald } from "./run-herald.ts";
import { createScheduler, type Scheduler } from "./scheduler.ts";
import { VERSION } from "./version.ts";

export interface AppParts extends ScopeParts {
  feishu: FeishuConfig;
  /** open_id that owns the agent without a pairing code */
  ownerOpenId?: string | undefined;
  /** where `/` leads */
  home?: () => string;
  /** runs once the database is open and before anything is received or sent */
  prepare?: (scope: Scope) => Promise<void>;
  /** receives nothing from the platform by itself and runs no jobs: for replaying a recorded event */
  offline?: boolean;
  /** stands between the app and the platform: the tests' way to make things go wrong */
  wrapLark?: (lark: Lark) => Lark;
  /** another way into Hermes than the one that is found: the tests' scripted agent */
  turns?: AgentTurns;
  /** how the scheduler is woken; tests put their own here */
  wake?: (tick: () => void) => () => void;
  /** what /doctor and /backup start; tests put their own here */
  tools?: ServerTools;
  /** a server that stands already takes this agent's part of it, and says where it listens */
  serve?: (parts: ServerParts) => string;
}

export interface App {
  /** of the one agent this is the app of; a server may run several */
  scope: Scope;
  scheduler: Scheduler;
  /** http://host:port of Herald's own server */
  url: string;
  /** the one way in for events, as a transport would call it */
  receive(raw: unknown): Promise<object>;
  connection(): ConnectionState;
  /** events and taps being worked on at this moment */
  inHand(): number;
  /** The one clock jumps; resolves when the jobs that became due have run. */
  jump(to: Date): Promise<void>;
  /** Finishes what runs, then lets everything go, in reverse order. Twice does no harm. */
  release(): Promise<void>;
}

/**
 * Builds and starts Herald: the only place where real adapters are chosen.
 * @throws Error when the database cannot be opened or the port is taken; everything opened until then is let go
 */
export async function startApp(config: Config, parts: AppParts): Promise<App> {
  const releasers: (() => Promise<void> | void)[] = [];
  let released: Promise<void> | undefined;
  const release = (): Promise<void> => {
    released ??= (async () => {
      for (const letGo of releasers.reverse()) {
        try {
          await letGo();
        } catch (error) {
          parts.log.incident("release.failed", error);
        }
      }
    })();
    return released;
  };
  try {
    return { ...(await build(config, parts, (letGo) => releasers.push(letGo))), release };
  } catch (error) {
    await release();
    throw error;
  }
}

async function build(
  config: Config,
  parts: AppParts,
  atEnd: (letGo: () => Promise<void> | void) => void,
): Promise<Omit<App, "release">> {
  const { clock, log, feishu } = parts;
  const gateways: Gateway[] = [];
  const { scope, close } = await openScope(config, {
    ...parts,
    platform: (of) => {
      const gateway = openGateway({ scope: of, split: agentMessageParts, owed: () => wake("sync-cards") });
      gateways.push(gateway);
      return { turns: gateway.turns, connected: gateway.turns.connected };
    },
  });
  atEnd(close);
  if (parts.turns !== undefined) scope.turns = parts.turns;
  // Begun work ends before the database is let go.
  const inHand = new InHand();
  atEnd(async () => {
    if (!(await inHand.settled(IN_HAND_MS))) log.warn("stop.work_left");
  });
  if (parts.ownerOpenId !== undefined) await makeConfiguredOwner(scope, parts.ownerOpenId);
  else await openPairing(scope);
  await parts.prepare?.(scope);

  const plain = larkClient({ appId: feishu.appId, appSecret: feishu.appSecret, baseUrl: feishu.baseUrl }, log);
  const lark = parts.wrapLark?.(plain) ?? plain;
  const bot = knowBot(lark, clock, log);
  let connection: () => ConnectionState = () => ({ ok: false, lastSuccessAt: undefined, why: "not_connected" });
  let lastEventAt: Date | undefined;

  const checkMachine = machineHealth({ dataDir: config.dataDir, baseUrl: feishu.baseUrl });
  const server: ServerFacts = {
    version: VERSION,
    nextRunAt: (name, settings, now) => {
      const job = jobs.find((each) => each.name === name);
      return job && nextSlot(job.when(settings), now, settings.zone);
    },
  };
  const turns = new TurnRunner({
    live: liveReplies({ scope, lark, poke: wake }),
    pages: chatPages,
    poke: wake,
  });
  // What runs is left to the next process: it asks Hermes how it ended.
  atEnd(() => turns.leave());
  const goals = new GoalRunner({ poke: wake });
  atEnd(() => goals.leave());
  const jobs: readonly Job[] = jobTable({
    lark,
    server,
    botOpenId: bot.openId,
    poke: wake,
    turns,
    goals,
    tools: parts.tools ?? (parts.offline ? undefined : runHerald(config)),
    chat: { lark, inboxFolder: join(config.dataDir, "inbox-files") },
    fileFolders: [...fileFolders(config.dataDir, parts.hermesHome), ...(config.sendFilesFrom ?? [])],
    pulse: async (of) => {
      await checkHealth(of, connection());
      await checkHermes(of);
      await checkMachine(of);
      if (bot.openId() === undefined) await bot.ask();
    },
  });
  const scheduler = createScheduler({
    scopes: () => [scope],
    jobs,
    ...(parts.wake === undefined ? {} : { wake: parts.wake }),
  });
  atEnd(async () => {
    const late = await scheduler.stop();
    if (late.length > 0) log.warn("scheduler.stopped_late", { jobs: late });
  });
  /** Sweeps are poked; any other job is run, and one that runs already stays alone. */
  function wake(job: string): void {
    if (jobs.find((each) => each.name === job)?.sweep) scheduler.poke(job);
    else void scheduler.runJob(job);
  }

  const receive = receiver({
    scope,
    appId: feishu.appId,
    inHand,
    onTap: tapHandler({ scope, server, inHand, poke: wake }),
    poke: wake,
    seen: () => {
      lastEventAt = clock.now();
    },
  });
  const jump = async (to: Date): Promise<void> => {
    clock.set(to);
    await scheduler.runDue();
    await scheduler.idle();
  };

  const { encryptKey, verificationToken } = feishu;
  const token = bridgeToken(config.dataDir, config.bridgeToken);
  const cardsChanged = (): void => wake("sync-cards");
  const served: ServerParts = {
    clock,
    log,
    readiness: () => readiness(scope, connection()),
    ...(feishu.transport === "webhook" && encryptKey !== undefined
      ? { webhook: webhook({ appId: feishu.appId, encryptKey, verificationToken }, clock, receive, log) }
      : {}),
    mcp: mountMcp({ scope, token, version: VERSION, changed: cardsChanged }),
    bridge: mountBridge(
      bridgeRoutes({
        scope,
        token,
        version: VERSION,
        changed: cardsChanged,
        routes: [
          adviceRoute,
          telemetryRoute,
          wakeRoute(cardsChanged),
          ...gateways.flatMap((gateway) => gateway.routes),
        ],
      }),
    ),
    ...(config.dev
      ? {
          dev: {
            setClock: jump,
            runJob: async (name: string) => {
              if (!jobs.some((job) => job.name === name)) return undefined;
              const [report] = await scheduler.runJob(name, scope.agent.id);
              await scheduler.idle();
              return report?.result;
            },
            jobNames: () => jobs.map((job) => job.name),
            state: () => devState(scope),
          },
        }
      : {}),
    metrics: mountMetrics({ token: config.metricsToken, scopes: () => [scope], log }),
    ...(parts.home === undefined ? {} : { home: parts.home }),
  };
  const url = parts.serve?.(served) ?? (await listenAt(config, createServer(served), atEnd));
  // Before the server waits for its last answers: the plugin's question for orders would keep it waiting.
  atEnd(() => {
    for (const gateway of gateways) gateway.close();
  });

  if (parts.offline) {
    return { scope, scheduler, url, receive, connection: () => connection(), inHand: () => inHand.size, jump };
  }
  let connected: Promise<void> = Promise.resolve();
  keepBridgeUrl(config.dataDir, bridgeUrl(config.host, Number(new URL(url).port)));
  if (feishu.transport === "websocket") {
    const ws = startLongConnection(feishu, receive, log);
    connected = ws.firstUp;
    atEnd(async () => {
      // Whoever has just tapped still gets the answer.
      await inHand.settled(LAST_ANSWERS_MS);
      await ws.stop();
    });
    connection = () => {
      const { state, lastInboundMs } = ws.health();
      const ageMs = lastInboundMs === undefined ? undefined : performance.now() - lastInboundMs;
      return {
        ok: state === "connected",
        lastSuccessAt: ageMs === undefined ? undefined : new Date(clock.now().getTime() - ageMs),
        why: state === "connected" ? undefined : state,
      };
    };
  } else {
    // Nothing to connect: a call that was answered shows that credentials and network are right.
    connection = () => ({
      ok: bot.openId() !== undefined,
      lastSuccessAt: lastEventAt ?? bot.answeredAt(),
      why: bot.openId() === undefined ? "no_answer_from_feishu" : undefined,
    });
  }
  void bot.ask();
  // Jobs have time; whoever has just restarted it wants to be heard. Without a connection they run all the same.
  await Promise.race([connected, sleep(JOBS_WAIT_MS, undefined, { ref: false })]);
  scheduler.start();
  // Goals of Hermes' own show within seconds; the minute is the safety net.
  const watching = setInterval(() => wake("watch-hermes-goals"), WATCH_GOALS_MS);
  watching.unref();
  atEnd(() => clearInterval(watching));
  return { scope, scheduler, url, receive, connection: () => connection(), inHand: () => inHand.size, jump };
}

/** How long the first jobs wait for the connection to come up. */
const JOBS_WAIT_MS = 1_000;
const WATCH_GOALS_MS = 5_000;
/** Longer than a tap may take to be answered. */
const LAST_ANSWERS_MS = 1_500;
const IN_HAND_MS = 5_000;

async function readiness(scope: Scope, feishu: ConnectionState): Promise<readonly ReadinessCheck[]> {
  const ask = async (name: "database" | "history", question: () => Promise<unknown>): Promise<ReadinessCheck> => {
    try {
      await question();
      return { name, ok: true, lastSuccessAt: scope.clock.now() };
    } catch (error) {
      const beat = await scope.db.heartbeat
        .findUnique({ where: { agentId_name: { agentId: scope.agent.id, name } } })
        .catch(() => null);
      return { name, ok: false, lastSuccessAt: beat?.lastSuccessAt ?? undefined, why: String(error).slice(0, 200) };
    }
  };
  return [
    await ask("database", () => scope.db.person.count({ where: { agentId: scope.agent.id } })),
    { name: "feishu", ok: feishu.ok, lastSuccessAt: feishu.lastSuccessAt, why: feishu.why },
    await ask("history", () => scope.history.head()),
  ];
}
