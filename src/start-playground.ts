import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DateTime } from "luxon";
import { type App, startApp } from "./app.ts";
import type { Config } from "./config.ts";
import { nextOpening } from "./engine/active-window.ts";
import { databasePlace } from "./engine/db.ts";
import type { Log } from "./engine/ports.ts";
import type { Scope } from "./engine/scope.ts";
import { settingsTable } from "./engine/settings.ts";
import { writeSampleHome } from "./hermes-bridge/sample-home.ts";
import { inspect } from "./inspect.ts";
import { makeDataFolder } from "./make-data-folder.ts";
import { sampleHomeOf } from "./open-scope.ts";
import { DEMO_CHATS, DEMO_PEOPLE } from "./playground/demo-people.ts";
import { DEMO_APP, type Platform, startPlatform } from "./playground/platform.ts";
import { type ProcessClock, processClock } from "./process-clock.ts";
import { StartRefused } from "./start-refused.ts";
import { startStandIn } from "./start-stand-in.ts";
import { textsFor } from "./text/pick.ts";

/** Where the playground's clock begins when Herald starts in the quiet hours: a while after the window opens. */
const AFTER_OPENING_MS = 30 * 60_000;

const KEEP_TIME_MS = 2_000;

export interface Playground {
  app: App;
  platform: Platform;
  release(): Promise<void>;
}

/**
 * The real server against the local stand-in of Feishu's cloud, with a sample Hermes home or the user's own. Chat, sample
 * and clock are kept beside the database, so that a restart goes on where it was; `fresh` begins anew.
 * @param options.say tells the person at the terminal
 */
export async function startPlayground(
  config: Config,
  options: { log: Log; say: (line: string) => void; fresh?: boolean; clock?: ProcessClock },
): Promise<Playground> {
  const { log, say } = options;
  const t = textsFor(config.terminal ?? config.language).cli;
  const folder = join(config.dataDir, "playground");
  if (options.fresh) beginAnew(config, folder);
  makeDataFolder(folder, config.terminal ?? config.language);
  const clockFile = join(folder, "clock.txt");
  const wakeful = wakefulStart(config, new Date());
  const clock = options.clock ?? processClock(later(wakeful, keptTime(clockFile)));
  const keepTime = (): void => writeFileSync(clockFile, clock.now().toISOString());
  if (options.clock === undefined && clock.now().getTime() - Date.now() > 60_000) {
    const when = DateTime.fromJSDate(clock.now(), { zone: config.zone }).toFormat("yyyy-MM-dd HH:mm");
    // A minute more than the wakeful start: an earlier life's time machine was further on.
    say(clock.now().getTime() - wakeful.getTime() > 60_000 ? t.clockKept(when) : t.clockMoved(when));
  }
  const hermesHome = homeFor(config, clock, say);
  // Whoever names an API server wants to talk to it; nobody's real Hermes is spoken to without being asked for.
  const standIn =
    config.hermes.apiUrl === undefined
      ? await startStandIn({
          sampleHome: hermesHome === sampleHomeOf(config) ? hermesHome : undefined,
          folder,
          now: () => clock.now(),
        })
      : undefined;

  let app: App | undefined;
  const platform = await startPlatform({
    port: config.port === 0 ? 0 : config.port + 1,
    now: () => clock.now(),
    timeZone: config.zone,
    memoryFile: join(folder, "platform.json"),
    playground: {
      clock: {
        now: () => clock.now(),
        set: async (to) => {
          await app?.jump(to);
          keepTime();
          platform.clockMoved();
        },
      },
      inspect: async (what, query) => app && inspect(app.scope, what, query),
      ...(standIn && { agent: { up: () => standIn.up, setUp: (up) => standIn.setUp(up) } }),
    },
  }).catch(async (error: NodeJS.ErrnoException) => {
    await standIn?.close();
    if (error.code !== "EADDRINUSE") throw error;
    // The playground's port is the one after Herald's.
    throw new StartRefused(t.portTaken(config.port + 1, "127.0.0.1", config.port + 10), 1);
  });
  try {
    app = await startApp(config, {
      clock,
      log,
      hermesHome,
      ...(standIn && { hermesApi: { url: standIn.url, key: standIn.key } }),
      feishu: {
        appId: DEMO_APP.appId,
        appSecret: DEMO_APP.appSecret,
        baseUrl: platform.url,
        transport: "websocket",
      },
      ownerOpenId: DEMO_PEOPLE.owner.openId,
      home: () => platform.url,
      prepare: (scope) => moveIn(scope),
    });
  } catch (error) {
    await platform.close();
    await standIn?.close();
    throw error;
  }
  const running = app;
  // A process that is killed comes back at about the time it was at; a full disk is no reason to stop.
  const keeping = setInterval(() => {
    try {
      keepTime();
    } catch (error) {
      log.warn("playground.clock_not_kept", { why: String(error) });
    }
  }, KEEP_TIME_MS).unref();
  return {
    app: running,
    platform,
    release: async () => {
      clearInterval(keeping);
      keepTime();
      await running.release();
      await standIn?.close();
      await platform.close();
    },
  };
}

/** Now, or half an hour after the next opening when nobody is to be disturbed now. */
function wakefulStart(config: Config, now: Date): Date {
  const window = { activeFrom: settingsTable.activeFrom.default, activeUntil: settingsTable.activeUntil.default };
  const opening = nextOpening(now, config.zone, window);
  return opening > now ? new Date(opening.getTime() + AFTER_OPENING_MS) : now;
}

/** The time an earlier start left the clock at: what was said then must not lie ahead of now. */
function keptTime(file: string): Date | undefined {
  const at = existsSync(file) ? new Date(readFileSync(file, "utf8").trim()) : undefined;
  return at === undefined || Number.isNaN(at.getTime()) ? undefined : at;
}

function later(one: Date, other: Date | undefined): Date {
  return other !== undefined && other > one ? other : one;
}

/** Forgets chat, sample and database of earlier starts. Only what the playground itself made in its data folder. */
function beginAnew(config: Config, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  rmSync(sampleHomeOf(config), { recursive: true, force: true });
  const place = databasePlace(config.databaseUrl);
  if (place.provider !== "sqlite" || dirname(place.path) !== config.dataDir) return;
  for (const end of ["", "-wal", "-shm"]) rmSync(`${place.path}${end}`, { force: true });
}

/** The user's own Hermes when it stands there, else a sample written afresh so that its times are near. */
function homeFor(config: Config, clock: ProcessClock, say: (line: string) => void): string {
  const t = textsFor(config.terminal ?? config.language).cli;
  if (existsSync(join(config.hermes.home, "state.db"))) {
    say(t.ownHome(config.hermes.home));
    return config.hermes.home;
  }
  const home = sampleHomeOf(config);
  if (!existsSync(join(home, "state.db"))) {
    mkdirSync(home, { recursive: true });
    writeSampleHome(home, { now: clock.now(), zone: config.zone });
  }
  say(t.sample);
  return home;
}

/** The demo's owner has a name and a direct chat from the start. */
async function moveIn(scope: Scope): Promise<void> {
  await scope.db.person.updateMany({
    where: { agentId: scope.agent.id, openId: DEMO_PEOPLE.owner.openId },
    data: { name: DEMO_PEOPLE.owner.name, directChatId: DEMO_CHATS.owner },
  });
}
