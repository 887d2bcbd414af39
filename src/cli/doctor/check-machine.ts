import { accessSync, constants, existsSync, mkdirSync, statfsSync, statSync } from "node:fs";
import type { Config } from "../../config.ts";
import { databasePlace, openDb } from "../../engine/db.ts";
import { loadSqlite } from "../../engine/load-sqlite.ts";
import { readMigrations } from "../../engine/migrate.ts";
import { lastBridgeUrl } from "../../hermes-bridge/bridge-url.ts";
import { type Finding, fail, leftOut, ok, warn } from "./finding.ts";

const MEGABYTE = 1_048_576;
const DISK_FAIL_MB = 200;
const DISK_WARN_MB = 1_000;
const LEAST_NODE = [20, 19] as const;

/** This version of Node, as `process.versions.node` has it. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const old = major < LEAST_NODE[0] || (major === LEAST_NODE[0] && minor < LEAST_NODE[1]);
  return old ? fail("node", "nodeOld", { version }) : ok("node", { version });
}

/** The data folder can be written to, by us only, and has room. */
export function checkFolder({ dataDir }: Config): Finding[] {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    return [fail("folder", "folderUnwritable", { path: dataDir, why: codeOf(error) }), leftOut("disk")];
  }
  const open = (statSync(dataDir).mode & 0o004) !== 0;
  const { bavail, bsize } = statfsSync(dataDir);
  const free = Math.floor((bavail * bsize) / MEGABYTE);
  const disk =
    free < DISK_FAIL_MB
      ? fail("disk", "diskFull", { free, path: dataDir })
      : free < DISK_WARN_MB
        ? warn("disk", "diskFull", { free, path: dataDir })
        : ok("disk", { free });
  return [open ? warn("folder", "folderOpen", { path: dataDir }) : ok("folder", { path: dataDir }), disk];
}

/** The database opens, is whole, and is not newer than this version. Makes and migrates nothing. */
export async function checkDatabase(config: Config): Promise<Finding> {
  const place = databasePlace(config.databaseUrl);
  try {
    if (place.provider === "sqlite") return checkSqlite(place.path, config);
    const database = await openDb(config.databaseUrl);
    try {
      const rows = await database.db.$queryRawUnsafe<{ name: string }[]>(
        `SELECT "migration_name" AS name FROM "_prisma_migrations"`,
      );
      return checkAge(
        rows.map((row) => row.name),
        "postgresql",
      );
    } catch {
      return ok("database", { kind: "PostgreSQL", state: "new" });
    } finally {
      await database.close();
    }
  } catch (error) {
    const where = place.provider === "sqlite" ? place.path : new URL(config.databaseUrl).host;
    return fail("database", "databaseAway", { where, why: codeOf(error) });
  }
}

function checkSqlite(path: string, { sqliteDriver }: Config): Finding {
  if (!existsSync(path)) return ok("database", { kind: "SQLite", state: "new" });
  const { DatabaseSync } = loadSqlite(sqliteDriver);
  const db = new DatabaseSync(path, { readOnly: true, timeout: 2_000 });
  try {
    const row = db.prepare("PRAGMA quick_check(1)").get() as { quick_check?: string } | undefined;
    if (row?.quick_check !== "ok") return fail("database", "databaseDamaged", { where: path });
    const known = db.prepare(`SELECT 1 FROM sqlite_master WHERE name = '_prisma_migrations'`).get();
    if (known === undefined) return fail("database", "databaseForeign", { where: path });
    const rows = db.prepare(`SELECT "migration_name" AS name FROM "_prisma_migrations"`).all() as { name: string }[];
    return checkAge(
      rows.map((each) => each.name),
      "sqlite",
    );
  } catch (error) {
    if (/malformed|not a database/i.test(error instanceof Error ? error.message : "")) {
      return fail("database", "databaseDamaged", { where: path });
    }
    throw error;
  } finally {
    db.close();
  }
}

function checkAge(applied: readonly string[], provider: "sqlite" | "postgresql"): Finding {
  const all = readMigrations(provider);
  const newer = applied.find((name) => !all.some((migration) => migration.name === name));
  if (newer !== undefined) return fail("database", "databaseNewer", { migration: newer });
  const pending = all.length - applied.length;
  return ok("database", {
    kind: provider === "sqlite" ? "SQLite" : "PostgreSQL",
    state: pending > 0 ? "pending" : "current",
  });
}

/** Whether a server of this data folder runs, and is ready. */
export async function checkServer({ dataDir, agentId }: Config): Promise<Finding> {
  const url = lastBridgeUrl(dataDir);
  if (url === undefined) return leftOut("server");
  try {
    const response = await fetch(`${url}/readyz${agentId === undefined ? "" : `/${agentId}`}`, {
      signal: AbortSignal.timeout(3_000),
    });
    const body = (await response.json()) as { ready?: boolean; checks?: Record<string, { ok?: boolean }> };
    if (body.ready === true) return ok("server", { url });
    const down = Object.entries(body.checks ?? {}).flatMap(([name, check]) => (check.ok === true ? [] : [name]));
    return fail("server", "serverNotReady", { url, parts: down.join(" ") });
  } catch {
    return leftOut("server");
  }
}

function codeOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === "string" ? code : typeof message === "string" ? message.slice(0, 120) : "unknown";
}
