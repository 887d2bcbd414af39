import { createHash } from "node:crypto";

/** The PostgreSQL schema made from the SQLite one: provider and output swapped, instants kept with their zone. */
export function postgresSchema(source) {
  const swapped = source
    .replace('provider = "sqlite"', 'provider = "postgresql"')
    .replace('"../src/generated/sqlite"', '"../../src/generated/postgres"')
    .replace(/^(\s+\w+\s+DateTime\??)(?=\s|$)/gm, "$1 @db.Timestamptz(3)");
  if (!swapped.includes('provider = "postgresql"') || !swapped.includes("generated/postgres")) {
    throw new Error('Expected provider = "sqlite" and output = "../src/generated/sqlite" in prisma/schema.prisma');
  }
  return `// Made from prisma/schema.prisma by npm run prisma:generate. Do not edit.\n\n${swapped}`;
}

/** Says which schema text a generated client was made from. */
export function schemaStamp(schema) {
  return createHash("sha256").update(schema).digest("hex");
}
