import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";
import { type Db, openDb } from "./engine/db.ts";
import type { HermesFiles } from "./engine/evolution/target-files.ts";
import { migrate } from "./engine/migrate.ts";
import type {
  CronList,
  HermesGoals,
  HiddenQueues,
  History,
  Llm,
  Log,
  MemoryStore,
  Preferences,
} from "./engine/ports.ts";
import type { Scope } from "./engine/scope.ts";
import { ApiTurns } from "./hermes-bridge/api-turns.ts";
import { chooseTurns, type WaysIn } from "./hermes-bridge/choose-turns.ts";
import { HermesCronList } from "./hermes-bridge/cron-list.ts";
import { findApiServer } from "./hermes-bridge/find-api-server.ts";
import { findHermesHome } from "./hermes-bridge/find-hermes-home.ts";
import { type ApiAddress, HermesApi } from "./hermes-bridge/hermes-api.ts";
import { HermesHomeFiles, noHermesFiles } from "./hermes-bridge/hermes-files.ts";
import { HermesGoalStore } from "./hermes-bridge/hermes-goals.ts";
import { HermesHiddenQueues } from "./hermes-bridge/hidden-queues.ts";
import { HistoryApi } from "./hermes-bridge/history-api.ts";
import { HermesMemoryStore } from "./hermes-bridge/memory-store.ts";
import { noCronList, noHistory, noMemory, noPreferences, noQueues } from "./hermes-bridge/no-hermes.ts";
import { PreferencesFile } from "./hermes-bridge/preferences-file.ts";
import { StateDb } from "./hermes-bridge/state-db.ts";
import { TurnNotes } from "./hermes-bridge/turn-notes.ts";
import { createModelChain } from "./llm/model-chain.ts";
import { noModel } from "./llm/no-model.ts";
import { createOpenAiEndpoint } from "./llm/openai-endpoint.ts";
import { recordModelCall } from "./llm/record-model-call.ts";
import { makeDataFolder } from "./make-data-folder.ts";
import type { ProcessClock } from "./process-clock.ts";
import { processIds } from "./process-ids.ts";
import { StartRefused } from "./start-refused.ts";
import { textsFor } from "./text/pick.ts";

/** The agent of a configuration that lists none. */
export const AGENT_ID = "main";

export interface ScopeParts {
  clock: ProcessClock;
  log: Log;
  /** Hermes' home; undefined = there is none, and nothing is read */
  hermesHome: string | undefined;
  /** Hermes' API server when the configuration and Hermes' home are not to be asked: the playground's stand-in */
  hermesApi?: ApiAddress | "none";
  /** Herald's adapter in Hermes' gateway, where there is one */
  platform?: (scope: Scope) => WaysIn["platform"];
  /** a database that is open already and is let go by whoever opened it */
  db?: Db;
}

/**
 * Migrates and opens the database, and puts the real adapters around it: what the server and the commands share.
 * @throws StartRefused when the data folder cannot be written to or no database answers
 * @throws Error when the database cannot be opened or is newer than this version
 */
export async function openScope(
  config: Config,
  parts: ScopeParts,
): Promise<{ scope: Scope; close: () => Promise<void> }> {
  const { clock, log } = parts;
  makeDataFolder(config.dataDir, config.terminal ?? config.language);
  const database = parts.db === undefined ? await openDatabase(config, parts) : { db: parts.db, close: async () => {} };
  const scope: Scope = {
    agent: {
      id: config.agentId ?? AGENT_ID,
      zone: config.zone,
      language: config.language,
      ...(config.exclude && { exclude: config.exclude }),
    },
    db: database.db,
    clock,
    ids: processIds(clock),
    random: Math.random,
    log,
    llm: noModel,
    turns: chooseTurns({}),
    ...hermesPorts(config, parts),
  };
  scope.llm = modelFor(config, scope);
  const judge = judgeFor(config, scope);
  if (judge !== undefined) scope.judge = judge;
  scope.turns = chooseTurns({ platform: parts.platform?.(scope), api: apiTurns(config, parts, scope) });
  return { scope, close: () => database.close() };
}

/**
 * Migrates and opens the database.
 * @throws StartRefused when none answers
 */
export async function openDatabase(
  config: Config,
  { clock, log }: Pick<ScopeParts, "clock" | "log">,
): Promise<{ db: Db; close: () => Promise<void> }> {
  const migrated = await migrate(config.databaseUrl, {
    now: clock.now(),
    backupsDir: join(config.dataDir, "backups"),
    driver: config.sqliteDriver,
  }).catch((error: unknown) => {
    throw asUnreachable(error, config);
  });
  if (migrated.applied.length > 0) {
    log.info("database.migrated", { applied: migrated.applied.length, backup: migrated.backup });
  }
  return openDb(config.databaseUrl, { driver: config.sqliteDriver });
}

/** What the network says when there is no database to be reached, and what PostgreSQL says to a wrong account. */
const AWAY = /^(?:ECONN\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|28P01|28000|3D000|57P03)$/;

function asUnreachable(error: unknown, { databaseUrl, language }: Config): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code !== "string" || !AWAY.test(code) || !URL.canParse(databaseUrl)) return error;
  const { host, pathname } = new URL(databaseUrl);
  // An address with several tries has no message of its own.
  const why = typeof message === "string" && message !== "" ? message : code;
  return new StartRefused(textsFor(language).cli.databaseAway(`${host}${pathname}`, why), 1);
}

/** The home whose sessions are read: the configured one, or the sample that the playground wrote, when it stands there. */
export function hermesHomeOf(config: Config): string {
  const sample = sampleHomeOf(config);
  const own = existsSync(join(config.hermes.home, "state.db"));
  return config.mode === "playground" && !own && existsSync(sample) ? sample : config.hermes.home;
}

/** Where the playground keeps its sample. */
export function sampleHomeOf(config: Config): string {
  return join(config.dataDir, "sample-home");
}

function hermesPorts(
  config: Config,
  parts: ScopeParts,
): {
  history: History;
  crons: CronList;
  memory: MemoryStore;
  queues: HiddenQueues;
  preferences: Preferences;
  files: HermesFiles;
  hermesGoals?: HermesGoals;
} {
  const { clock, log, hermesHome } = parts;
  if (hermesHome === undefined) {
    return {
      history: noHistory,
      crons: noCronList,
      memory: noMemory,
      preferences: noPreferences,
      queues: noQueues,
      files: noHermesFiles,
    };
  }
  // The sample knows no profiles.
  const place = findHermesHome(hermesHome, hermesHome === config.hermes.home ? config.hermes.profile : undefined);
  const { home } = place;
  const crons = new HermesCronList(home);
  return {
    history: historyElsewhere(config, parts, home) ?? new StateDb({ ...place, clock, log }),
    crons,
    queues: new HermesHiddenQueues(home, crons),
    memory: new HermesMemoryStore(home),
    preferences: new PreferencesFile(home),
    hermesGoals: new HermesGoalStore(place),
    files: new HermesHomeFiles(home),
  };
}

/** The sessions of a Hermes on another machine: an API server is named, and no store of sessions stands here. */
function historyElsewhere(config: Config, { clock, log, hermesApi }: ScopeParts, home: string): History | undefined {
  const isNamed = config.hermes.apiUrl !== undefined && hermesApi === undefined;
  if (!isNamed || existsSync(join(home, "state.db"))) return undefined;
  const address = findApiServer(home, config.hermes);
  return address && new HistoryApi({ api: new HermesApi(address), clock, log });
}

/** The API server of the configuration, of Hermes' home, or the one that is lent. */
function apiServer(config: Config, { hermesApi, hermesHome }: ScopeParts): ApiAddress | undefined {
  if (hermesApi !== undefined) return hermesApi === "none" ? undefined : hermesApi;
  return findApiServer(hermesHome, config.hermes);
}

function apiTurns(config: Config, parts: ScopeParts, { clock, ids, log }: Scope): ApiTurns | undefined {
  const address = apiServer(config, parts);
  if (address === undefined) return undefined;
  const notes = new TurnNotes(join(config.dataDir, "hermes-turns.json"));
  const turns = new ApiTurns({ api: new HermesApi(address), clock, ids, log, notes });
  // What it can do is known before the first person asks.
  void turns.health().catch((error: unknown) => log.warn("hermes.api_not_used", { why: String(error) }));
  return turns;
}

/** Who judges goals, when that is another model; the main chain stands behind it. */
function judgeFor(config: Config, scope: Scope): Llm | undefined {
  if (config.judge === undefined) return undefined;
  const endpoints = [config.judge, ...config.llm].map((endpoint, i) =>
    createOpenAiEndpoint({ name: i === 0 ? "judge" : i === 1 ? "primary" : "fallback", ...endpoint }),
  );
  return createModelChain({ endpoints, record: (call) => recordModelCall(scope, call) });
}

function modelFor(config: Config, scope: Scope): Llm {
  if (config.llm.length === 0) return noModel;
  const endpoints = config.llm.map((endpoint, i) =>
    createOpenAiEndpoint({ name: i === 0 ? "primary" : "fallback", ...endpoint }),
  );
  return createModelChain({ endpoints, record: (call) => recordModelCall(scope, call) });
}
