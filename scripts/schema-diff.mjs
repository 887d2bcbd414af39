import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import * as engineModule from "@prisma/schema-engine-wasm/schema_engine_bg";

const wasmFile = join(
  dirname(createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm")),
  "schema_engine_bg.wasm",
);
let started = false;

function start() {
  if (started) return;
  const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(wasmFile)), {
    "./schema_engine_bg.js": engineModule,
  });
  engineModule.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  started = true;
}

/** A connection to nothing: comparing two schema files asks a database no more than PostgreSQL's version. */
function noDatabase(provider) {
  const connection = {
    provider,
    adapterName: "offline",
    executeRaw: async () => 0,
    executeScript: async () => {},
    dispose: async () => {},
    queryRaw: async () => ({
      columnNames: ["exists", "version", "numeric_version"],
      columnTypes: [5, 7, 0],
      rows: [[true, "PostgreSQL 15.0", 150000]],
    }),
    getConnectionInfo: () => ({
      schemaName: provider === "postgres" ? "public" : undefined,
      supportsRelationJoins: false,
    }),
    startTransaction: async () => {
      throw new Error("offline");
    },
  };
  return {
    provider,
    adapterName: "offline",
    connect: async () => connection,
    connectToShadowDb: async () => connection,
  };
}

/**
 * The SQL that leads from one schema text to another ("" when they are the same), as `prisma migrate diff` would write
 * it, but without a database and without Prisma's engine binary.
 *
 * @param {"sqlite" | "postgres"} provider
 * @param {string | undefined} from undefined = an empty database
 * @param {string} to
 * @returns {Promise<string>}
 */
export async function schemaDiff(provider, from, to) {
  start();
  const files = (content) => [{ path: "schema.prisma", content }];
  const engine = await engineModule.SchemaEngine.new(
    { datamodels: [["schema.prisma", to]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(noDatabase(provider)),
  );
  try {
    const { exitCode, stdout } = await engine.diff({
      from: from === undefined ? { tag: "empty" } : { tag: "schemaDatamodel", files: files(from) },
      to: { tag: "schemaDatamodel", files: files(to) },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
      shadowDatabaseUrl: null,
    });
    return exitCode === 0 ? "" : stdout;
  } finally {
    engine.free();
  }
}
