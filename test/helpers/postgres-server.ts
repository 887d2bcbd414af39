import { execFileSync, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { migrate, readMigrations } from "../../src/engine/migrate.ts";

/** Set by postgres-for-run.ts: all test files of a run share one server, which the first that needs it starts. */
const SHARED_DIR = "HERALD_TEST_POSTGRES_DIR";
const USER = "herald";
const START_TIMEOUT_MS = 30_000;

/** Whether tests on PostgreSQL can run here: TEST_POSTGRES_URL is set, or a postgres binary can be started. */
export function postgresAtHand(): boolean {
  return Boolean(process.env.TEST_POSTGRES_URL) || binaries() !== undefined;
}

/** Folder holding `postgres` and `initdb`. */
function binaries(): string | undefined {
  const versions = (folder: string): string[] =>
    existsSync(folder)
      ? readdirSync(folder)
          .sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10))
          .map((version) => join(folder, version, "bin"))
      : [];
  const folders = [...versions("/usr/lib/postgresql"), ...(process.env.PATH ?? "").split(delimiter)];
  return folders.find((folder) => existsSync(join(folder, "postgres")) && existsSync(join(folder, "initdb")));
}

/** A new database, migrated unless it is to be `empty`, and the way to drop it. */
export async function createPostgresDatabase(
  options: { empty?: boolean } = {},
): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = process.env.TEST_POSTGRES_URL ?? (await sharedServer());
  const source = options.empty ? "template0" : await migratedTemplate(server);
  const name = `herald_test_${randomBytes(6).toString("hex")}`;
  await withClient(server, (client) => client.query(`CREATE DATABASE "${name}" TEMPLATE "${source}"`));
  return {
    url: databaseUrl(server, name),
    drop: async () => {
      await withClient(server, (client) => client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`));
    },
  };
}

let template: Promise<string> | undefined;

/** The database all others are copied from, made once for each state of the migrations. */
function migratedTemplate(server: string): Promise<string> {
  template ??= (async () => {
    const state = createHash("sha256")
      .update(JSON.stringify(readMigrations("postgresql")))
      .digest("hex")
      .slice(0, 16);
    const name = `herald_template_${state}`;
    await withClient(server, async (client) => {
      await client.query("SELECT pg_advisory_lock(hashtext($1))", [name]);
      const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [name]);
      if (rowCount) return;
      const unfinished = `${name}_${process.pid}`;
      await client.query(`DROP DATABASE IF EXISTS "${unfinished}"`);
      await client.query(`CREATE DATABASE "${unfinished}"`);
      await migrate(databaseUrl(server, unfinished), { now: new Date("2026-11-30T00:00:00Z") });
      await client.query(`ALTER DATABASE "${unfinished}" RENAME TO "${name}"`);
    });
    return name;
  })();
  return template;
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function withClient<Result>(url: string, act: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

let shared: Promise<string> | undefined;

function sharedServer(): Promise<string> {
  shared ??= startOrJoin(process.env[SHARED_DIR] ?? mkdtempSync(join(tmpdir(), "herald-pg-")));
  return shared;
}

/** The first test file to come starts the server, the others wait for its address. */
async function startOrJoin(dir: string): Promise<string> {
  const address = join(dir, "url");
  try {
    mkdirSync(join(dir, "starting"));
    writeFileSync(address, await start(dir));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  const until = performance.now() + START_TIMEOUT_MS;
  while (!existsSync(address) || readFileSync(address, "utf8") === "") {
    if (performance.now() > until) throw new Error(`PostgreSQL did not start: see ${join(dir, "log")}`);
    await setTimeout(50);
  }
  return readFileSync(address, "utf8");
}

async function start(dir: string): Promise<string> {
  const bin = binaries();
  if (!bin) throw new Error("No postgres binary found");
  const as = unprivileged();
  if (as) chownSync(dir, as.uid, as.gid);
  const data = join(dir, "data");
  const options = { ...as, cwd: dir, env: { PATH: process.env.PATH ?? "", LC_ALL: "C" } };
  execFileSync(join(bin, "initdb"), ["-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"], {
    ...options,
    stdio: "pipe",
  });
  // On a socket in its own folder, so no port can clash.
  const settings = [
    "listen_addresses=",
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "max_connections=200",
  ];
  const log = openSync(join(dir, "log"), "w");
  const server = spawn(join(bin, "postgres"), ["-D", data, "-k", dir, ...settings.flatMap((one) => ["-c", one])], {
    ...options,
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  server.unref();
  // Ends the server with this run even when the run is killed.
  const watch =
    'while kill -0 "$1" 2>/dev/null && kill -0 "$2" 2>/dev/null; do sleep 1; done; kill -QUIT "$2" 2>/dev/null';
  const owner = process.env.HERALD_TEST_RUN_PID ?? String(process.pid);
  spawn("sh", ["-c", watch, "sh", owner, String(server.pid)], { cwd: "/", detached: true, stdio: "ignore" }).unref();
  const url = `postgresql://${USER}@localhost/postgres?host=${encodeURIComponent(dir)}`;
  const until = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      await withClient(url, (client) => client.query("SELECT 1"));
      return url;
    } catch (error) {
      if (performance.now() > until) throw error;
      await setTimeout(100);
    }
  }
}

/** PostgreSQL refuses to run as root: then as the system's postgres user, or nobody. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    const line = readFileSync("/etc/passwd", "utf8").match(new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, "m"));
    if (line) return { uid: Number(line[1]), gid: Number(line[2]) };
  }
  return undefined;
}
