import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { databasePlace } from "./db.ts";
import type { SqliteDriver } from "./load-sqlite.ts";

/** One committed migration. `checksum` is the SHA-256 of its SQL in hex, as Prisma keeps it. */
export type Migration = { readonly name: string; readonly sql: string; readonly checksum: string };

/** A row of `_prisma_migrations`, as far as it decides what is left to do. */
export type AppliedMigration = {
  readonly name: string;
  readonly checksum: string;
  readonly finished: boolean;
  readonly rolledBack: boolean;
};

export type MigrateOptions = {
  readonly now: Date;
  /** Where the copy of an SQLite file goes before it is changed. Default: the folder `backups` beside the file. */
  readonly backupsDir?: string;
  readonly driver?: SqliteDriver | undefined;
};

/** `applied` holds the names of the migrations this call applied; `backup` the path of the copy, when one was made. */
export type MigrateResult = { readonly applied: readonly string[]; readonly backup?: string };

/**
 * Brings a database to the state this version of Herald expects. Repeating it does nothing; of several processes that
 * start at once, one applies and the others wait for it. The record is kept in Prisma's own table and form.
 *
 * @throws Error when the database is newer than this version, an applied migration was edited, an earlier one stopped
 *   half way, or the file belongs to something else. Nothing is changed then.
 */
export async function migrate(url: string, options: MigrateOptions): Promise<MigrateResult> {
  const place = databasePlace(url);
  if (place.provider === "sqlite") {
    const { migrateSqlite } = await import("./migrate-sqlite.ts");
    return migrateSqlite(place.path, readMigrations("sqlite"), options);
  }
  const { migratePostgres } = await import("./migrate-postgres.ts");
  return migratePostgres(url, readMigrations("postgresql"), options);
}

/** The committed migrations in the order they are applied. */
export function readMigrations(provider: "sqlite" | "postgresql"): Migration[] {
  const folder = join(prismaFolder(), provider === "sqlite" ? "migrations" : join("postgres", "migrations"));
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const sql = readFileSync(join(folder, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The code runs from src/ in tests and from a bundle in dist/ otherwise: the folder is found by walking up. */
function prismaFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "prisma", "migrations"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error("The folder prisma/migrations is missing from this installation of Herald.");
    folder = parent;
  }
  return join(folder, "prisma");
}

/** What is left to apply. @throws Error when the database and the committed migrations do not fit each other */
export function pendingMigrations(all: readonly Migration[], rows: readonly AppliedMigration[]): Migration[] {
  const known = new Map(all.map((migration) => [migration.name, migration]));
  const applied = new Set<string>();
  for (const row of rows) {
    if (row.rolledBack) continue;
    const migration = known.get(row.name);
    if (!migration) {
      throw new Error(
        `The database is newer than this version of Herald: it holds the migration ${row.name}. Update Herald, or restore a backup made before that update.`,
      );
    }
    if (!row.finished) {
      throw new Error(`The migration ${row.name} stopped half way. Restore the newest backup and start again.`);
    }
    if (row.checksum !== migration.checksum) {
      throw new Error(
        `The migration ${row.name} is not the one the database was made with. Expected its file unchanged; add a new migration instead of editing one.`,
      );
    }
    applied.add(row.name);
  }
  return all.filter(({ name }) => !applied.has(name));
}
