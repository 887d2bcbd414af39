import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { type BackupHeader, digestFile, writeBackupFile } from "./backup-file.ts";
import { databasePlace } from "./db.ts";
import { loadSqlite, type SqliteDriver } from "./load-sqlite.ts";
import { type Environment, postgresPlace, runTool } from "./run-tool.ts";

export interface BackupParts {
  databaseUrl: string;
  /** the file to write; a file of this name is replaced once the new one is whole */
  target: string;
  now: Date;
  version: string;
  driver?: SqliteDriver | undefined;
  bridgeToken?: string | undefined;
  /** what PostgreSQL's tools find around them */
  environment: Environment;
}

/** What is counted, so that a person sees at a glance that it is the right one, and restoring can be checked. */
const COUNTED = ["Person", "TrackingItem", "Delivery", "AuditEntry"] as const;

/**
 * Writes everything Herald knows into one file. The server may run: SQLite copies one committed state while others write,
 * PostgreSQL dumps in one snapshot (`pg_dump`). On SQLite the copy is synchronous: call it in a process of its own.
 * @throws Error when the database cannot be read or the target not written; nothing half written remains
 * @throws ToolMissing when PostgreSQL's own tools are not installed
 */
export async function makeBackup(parts: BackupParts): Promise<{ file: string; header: BackupHeader }> {
  const place = databasePlace(parts.databaseUrl);
  mkdirSync(dirname(parts.target), { recursive: true, mode: 0o700 });
  const copy = `${parts.target}.database`;
  rmSync(copy, { force: true });
  try {
    const { migrations, counts } =
      place.provider === "sqlite" ? copySqlite(place.path, copy, parts.driver) : await dumpPostgres(parts, copy);
    const header: BackupHeader = {
      herald: "backup",
      format: 1,
      version: parts.version,
      provider: place.provider,
      createdAt: parts.now.toISOString(),
      migrations,
      counts,
      ...(await digestFile(copy)),
      ...(parts.bridgeToken !== undefined && { bridgeToken: parts.bridgeToken }),
    };
    await writeBackupFile(parts.target, header, copy);
    return { file: parts.target, header };
  } finally {
    rmSync(copy, { force: true });
  }
}

type Standing = Pick<BackupHeader, "migrations" | "counts">;

const MIGRATIONS = `SELECT "migration_name" AS name FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL ORDER BY "migration_name"`;

function copySqlite(path: string, copy: string, driver: SqliteDriver | undefined): Standing {
  const { DatabaseSync } = loadSqlite(driver);
  const db = new DatabaseSync(path, { timeout: 30_000, readOnly: true });
  try {
    db.prepare("VACUUM INTO ?").run(copy);
  } finally {
    db.close();
  }
  return standingOf(copy, driver);
}

/** Reads the copy, not the original: what is said of it must be true of the file. */
export function standingOf(path: string, driver: SqliteDriver | undefined): Standing {
  const { DatabaseSync } = loadSqlite(driver);
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const migrations = (db.prepare(MIGRATIONS).all() as { name: string }[]).map((row) => row.name);
    const counts = COUNTED.map((table) => {
      const row = db.prepare(`SELECT COUNT(*) AS n FROM "${table}"`).get() as { n: number | bigint };
      return [table, Number(row.n)] as const;
    });
    return { migrations, counts: Object.fromEntries(counts) };
  } finally {
    db.close();
  }
}

async function dumpPostgres({ databaseUrl, environment }: BackupParts, copy: string): Promise<Standing> {
  const place = postgresPlace(databaseUrl, environment);
  const args = ["--format=custom", "--no-owner", "--no-privileges", `--file=${copy}`, place.url];
  await runTool("pg_dump", args, place.environment);
  return postgresStanding(databaseUrl);
}

/** The same two of a PostgreSQL database as it stands now. */
export async function postgresStanding(url: string): Promise<Standing> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(MIGRATIONS);
    const counts: [string, number][] = [];
    for (const table of COUNTED) {
      const counted = await client.query<{ n: string }>(`SELECT COUNT(*) AS n FROM "${table}"`);
      counts.push([table, Number(counted.rows[0]?.n ?? 0)]);
    }
    return { migrations: rows.map((row) => row.name), counts: Object.fromEntries(counts) };
  } finally {
    await client.end();
  }
}
