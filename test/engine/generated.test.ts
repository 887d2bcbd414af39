import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { postgresSchema, schemaStamp } from "../../scripts/postgres-schema.mjs";
import { schemaDiff } from "../../scripts/schema-diff.mjs";
import { loadSqlite, type SqliteDatabase } from "../../src/engine/load-sqlite.ts";
import { readMigrations } from "../../src/engine/migrate.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const schema = read("prisma/schema.prisma");

describe("what is made from prisma/schema.prisma is up to date", () => {
  it("the PostgreSQL schema is the SQLite one with provider, output and instants swapped (npm run prisma:generate)", () => {
    expect(read("prisma/postgres/schema.prisma")).toBe(postgresSchema(schema));
  });

  it.each([
    ["sqlite", schema],
    ["postgres", postgresSchema(schema)],
  ])("the %s client was generated from this schema (npm run prisma:generate)", (provider, source) => {
    expect(read(`src/generated/${provider}/schema.sha256`).trim()).toBe(schemaStamp(source));
  });

  it.each([
    ["sqlite", "prisma/migrations", schema],
    ["postgres", "prisma/postgres/migrations", postgresSchema(schema)],
  ] as const)(
    "every change of the %s schema has its migration (npm run prisma:migration NAME)",
    async (provider, folder, source) => {
      expect(await schemaDiff(provider, read(`${folder}/snapshot.prisma`), source)).toBe("");
    },
  );

  it("the migrations lead from an empty SQLite file to the schema", async () => {
    const migrated = shapeOf(readMigrations("sqlite").map(({ sql }) => sql));
    const wanted = shapeOf([await schemaDiff("sqlite", undefined, schema)]);
    expect(migrated).toEqual(wanted);
  });
});

/** Tables, columns, keys and indexes that a list of scripts leaves behind, in an order that does not depend on theirs. */
function shapeOf(scripts: readonly string[]): unknown {
  const { DatabaseSync } = loadSqlite();
  const db = new DatabaseSync(":memory:");
  try {
    for (const script of scripts) db.exec(script);
    const tables = all<{ name: string }>(db, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
    return tables.map(({ name }) => ({
      name,
      columns: all<{ cid: number; name: string }>(db, `PRAGMA table_info("${name}")`)
        .map(({ cid, ...column }) => column)
        .sort((a, b) => a.name.localeCompare(b.name)),
      keys: all<{ id: number; seq: number }>(db, `PRAGMA foreign_key_list("${name}")`)
        .map(({ id, seq, ...key }) => JSON.stringify(key))
        .sort(),
      indexes: all<{ sql: string | null }>(
        db,
        `SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = '${name}' AND sql IS NOT NULL ORDER BY name`,
      ),
    }));
  } finally {
    db.close();
  }
}

function all<Row>(db: SqliteDatabase, sql: string): Row[] {
  return db.prepare(sql).all() as Row[];
}
