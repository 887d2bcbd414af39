#!/usr/bin/env node
// Writes the next migration of both databases: `npm run prisma:migration add-notes`. It compares prisma/schema.prisma
// with the snapshot kept beside the last migration, needs no database, and changes none: Herald applies it at start.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { postgresSchema } from "./postgres-schema.mjs";
import { schemaDiff } from "./schema-diff.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const name = process.argv[2] ?? "";
if (!/^[a-z0-9]+([_-][a-z0-9]+)*$/.test(name)) {
  console.error(
    `Expected a name of small letters, digits and dashes, got "${name}". Example: npm run prisma:migration add-notes`,
  );
  process.exit(2);
}

const source = readFileSync(join(root, "prisma", "schema.prisma"), "utf8");
const folder = `${new Date().toISOString().replace(/\D/g, "").slice(0, 14)}_${name.replaceAll("-", "_")}`;
let written = 0;

for (const [provider, schema, dir] of [
  ["sqlite", source, join(root, "prisma", "migrations")],
  ["postgres", postgresSchema(source), join(root, "prisma", "postgres", "migrations")],
]) {
  const snapshot = join(dir, "snapshot.prisma");
  const sql = await schemaDiff(provider, existsSync(snapshot) ? readFileSync(snapshot, "utf8") : undefined, schema);
  if (sql.trim() !== "") {
    mkdirSync(join(dir, folder), { recursive: true });
    writeFileSync(join(dir, folder, "migration.sql"), sql.endsWith("\n") ? sql : `${sql}\n`);
    console.log(`${join(dir, folder, "migration.sql").slice(root.length + 1)}`);
    written++;
  }
  mkdirSync(dir, { recursive: true });
  writeFileSync(snapshot, schema);
}
console.log(
  written
    ? "Read the SQL before you commit it, then run: npm run prisma:generate"
    : "Nothing has changed since the last migration.",
);
