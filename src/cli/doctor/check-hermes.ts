import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse as parseDotenv } from "dotenv";
import type { Config } from "../../config.ts";
import { EngineError } from "../../engine/errors.ts";
import { findHermesHome } from "../../hermes-bridge/find-hermes-home.ts";
import { pluginStatus } from "../../hermes-bridge/install-plugin.ts";
import { pingBridge } from "../../hermes-bridge/ping-bridge.ts";
import { StateDb } from "../../hermes-bridge/state-db.ts";
import { createLog } from "../../log.ts";
import { processClock } from "../../process-clock.ts";
import { projectRoot } from "../../project-root.ts";
import { type Finding, fail, leftOut, ok, warn } from "./finding.ts";

const SOURCE = join(projectRoot, "src", "hermes-bridge", "plugin", "herald");
const TIMEOUT_MS = 5_000;

/** Hermes on this machine: its home, its session store, our plugin in it; and its API server, here or elsewhere. */
export async function checkHermes(config: Config): Promise<Finding[]> {
  const { home } = config.hermes;
  if (!(statSync(home, { throwIfNoEntry: false })?.isDirectory() ?? false)) {
    const elsewhere = config.hermes.apiUrl !== undefined;
    // The playground has sample sessions: there, nothing is broken yet.
    const missing = (config.feishu === undefined ? warn : fail)("hermes", "noHermes", { home });
    return [elsewhere ? leftOut("hermes") : missing, leftOut("store"), leftOut("plugin"), await checkApi(config)];
  }
  return [ok("hermes", { home }), await checkStore(config), await checkPlugin(home), await checkApi(config)];
}

/**
 * Hermes' own Feishu adapter on the same app: the platform hands each event to one of the two connections, by chance
 * (Feishu: long connections of one app share the events, nothing is sent to all).
 */
export function checkRival(config: Config): Finding {
  if (config.feishu === undefined) return leftOut("rival");
  const { appId } = config.feishu;
  const { home } = config.hermes;
  const files = [home, ...profileHomes(home)].map((folder) => join(folder, ".env"));
  const texts = files.map((file) => ({ file, text: read(file) }));
  if (texts.every(({ text }) => text === undefined)) return leftOut("rival");
  const rival = texts.find(({ text }) => text !== undefined && parseDotenv(text).FEISHU_APP_ID === appId);
  return rival === undefined ? ok("rival") : fail("rival", "sameApp", { app: appId, file: rival.file });
}

/** Each profile may run an adapter of its own. */
function profileHomes(home: string): string[] {
  try {
    return readdirSync(join(home, "profiles")).map((name) => join(home, "profiles", name));
  } catch {
    return [];
  }
}

async function checkStore({ hermes }: Config): Promise<Finding> {
  const place = findHermesHome(hermes.home, hermes.profile);
  const path = join(place.home, "state.db");
  if (!existsSync(path)) return warn("store", "noStore", { path });
  const store = new StateDb({ ...place, clock: processClock(), log: createLog({ level: "silent" }) });
  try {
    await store.head();
    const found = await store.describe();
    return ok("store", { sessions: found.sessions ?? 0, schema: found.schemaVersion ?? "?" });
  } catch (error) {
    const why = error instanceof EngineError ? String((error.facts as { why?: unknown }).why ?? error.code) : "unknown";
    return fail("store", why === "malformed" ? "storeDamaged" : "storeUnreadable", { path, why });
  } finally {
    store.close();
  }
}

async function checkPlugin(home: string): Promise<Finding> {
  const { plugin, enabled, settings } = pluginStatus({ source: SOURCE, home });
  if (plugin === "somebody_elses") return fail("plugin", "pluginForeign", { home });
  if (plugin === "none" || plugin === undefined) return warn("plugin", "noPlugin");
  if (enabled !== "yes") return fail("plugin", "pluginOff");
  if (!plugin.same) return warn("plugin", "pluginOld", { version: plugin.version ?? "?" });
  if (settings === undefined) return fail("plugin", "pluginSettings");
  const ping = await pingBridge(settings.url, settings.token);
  if (ping === "wrong_token") return fail("plugin", "pluginToken", { url: settings.url });
  return ok("plugin", { version: plugin.version ?? "?", reaches: ping === "ok" ? settings.url : "–" });
}

/** The API server: there, in need of the key it should be in need of, and opened by ours. */
export async function checkApi({ hermes }: Pick<Config, "hermes">): Promise<Finding> {
  const { apiUrl, apiKey } = hermes;
  if (apiUrl === undefined) return leftOut("api");
  const health = await ask(`${apiUrl}/health`);
  if (health === undefined) return fail("api", "apiAway", { url: apiUrl });
  // Hermes behind an old aiohttp lets everybody in without a key: nothing is sent to such a server.
  const open = await ask(`${apiUrl}/v1/models`);
  if (open?.status !== 401) return fail("api", "apiOpen", { url: apiUrl, status: open?.status ?? "–" });
  if (apiKey === undefined) return fail("api", "apiNoKey", { url: apiUrl });
  const own = await ask(`${apiUrl}/v1/models`, apiKey);
  if (own?.status !== 200) return fail("api", "apiKey", { url: apiUrl, status: own?.status ?? "–" });
  return ok("api", { url: apiUrl, version: health.version ?? "?" });
}

async function ask(url: string, key?: string): Promise<{ status: number; version?: string } | undefined> {
  try {
    const response = await fetch(url, {
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } }),
    });
    const body = (await response.json().catch(() => ({}))) as { version?: unknown };
    return { status: response.status, ...(typeof body.version === "string" && { version: body.version }) };
  } catch {
    return undefined;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
