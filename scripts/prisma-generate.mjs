#!/usr/bin/env node
// Makes what is derived from prisma/schema.prisma: prisma/postgres/schema.prisma and the two clients in src/generated.
// They are committed, so that neither installing nor starting Herald needs the Prisma CLI (about 230 MB).
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { postgresSchema, schemaStamp } from "./postgres-schema.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const tool = join(root, "tools", "prisma");

if (!existsSync(join(tool, "node_modules", "prisma"))) {
  console.log("Installing the Prisma CLI into tools/prisma …");
  // Its install script would download an engine that generation does not need.
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  execFileSync(npm, ["install", "--ignore-scripts", "--no-fund", "--no-audit"], { cwd: tool, stdio: "inherit" });
}

const source = readFileSync(join(root, "prisma", "schema.prisma"), "utf8");
mkdirSync(join(root, "prisma", "postgres"), { recursive: true });
writeFileSync(join(root, "prisma", "postgres", "schema.prisma"), postgresSchema(source));

for (const [provider, schema] of [
  ["sqlite", "prisma/schema.prisma"],
  ["postgres", "prisma/postgres/schema.prisma"],
]) {
  const out = join(root, "src", "generated", provider);
  rmSync(out, { recursive: true, force: true });
  execFileSync(
    process.execPath,
    [join(tool, "node_modules", "prisma", "build", "index.js"), "generate", "--schema", join(root, schema)],
    {
      // The CLI insists on an engine binary at every command and never runs it to generate: any existing file will do.
      env: {
        ...process.env,
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PRISMA_HIDE_UPDATE_MESSAGE: "1",
        CHECKPOINT_DISABLE: "1",
      },
      cwd: root,
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  writeFileSync(join(out, "schema.sha256"), `${schemaStamp(readFileSync(join(root, schema), "utf8"))}\n`);
  console.log(`src/generated/${provider}`);
}
