import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { SqlDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import type { Prisma, PrismaClient } from "../generated/sqlite/client.ts";
import type { SqliteDriver } from "./load-sqlite.ts";

/**
 * The tables, on SQLite or PostgreSQL, inside or outside of a transaction. The types are the SQLite client's: they are
 * what both databases have, so that what only one of them can do does not compile.
 */
export type Db = Prisma.TransactionClient;

/** The tables inside a transaction: what an operation takes that must not be called without one. Only `inTransaction` makes it. */
export type Tx = Db & { readonly [inside]: true };

export type Provider = "sqlite" | "postgresql";

export type Database = {
  readonly db: Db;
  readonly provider: Provider;
  /** Ends the connection. An open SQLite transaction is rolled back. Closing twice does no harm. */
  close(): Promise<void>;
};

export type OpenDbOptions = {
  readonly driver?: SqliteDriver | undefined;
  /** How long a statement waits for another process' lock on the SQLite file. Default 5,000 ms. */
  readonly busyTimeoutMs?: number;
  /** Is told every SQL statement as it ends: how tests hold an operation to its number of statements. */
  readonly onStatement?: (sql: string) => void;
};

declare const inside: unique symbol;

/** On SQLite all transactions of a process queue, so waiting for one's turn is normal. */
const TRANSACTION_LIMITS = { maxWait: 15_000, timeout: 15_000 };
const CONNECTIONS = 10;

const clients = new WeakMap<Db, PrismaClient>();
const transactions = new WeakSet<Db>();

/**
 * Opens the database a URL names: `postgresql://…`, `file:…` or a path to an SQLite file (made when missing). Applies no
 * migrations: see `migrate`.
 *
 * @throws Error for another scheme, or when the file cannot be opened
 */
export async function openDb(url: string, options: OpenDbOptions = {}): Promise<Database> {
  const place = databasePlace(url);
  const client =
    place.provider === "sqlite" ? await sqliteClient(place.path, options) : await postgresClient(url, options);
  if (options.onStatement) tellStatements(client, options.onStatement);
  try {
    // A wrong path or address shows here and not at the first message.
    await client.$queryRaw`SELECT 1`;
  } catch (error) {
    await client.$disconnect();
    throw error;
  }
  clients.set(client, client);
  return { db: client, provider: place.provider, close: () => client.$disconnect() };
}

/** Which database a URL means. A path without a scheme is an SQLite file. */
export function databasePlace(url: string): { provider: "sqlite"; path: string } | { provider: "postgresql" } {
  if (/^postgres(ql)?:\/\//i.test(url)) return { provider: "postgresql" };
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme === "file") return { provider: "sqlite", path: url.replace(/^file:(\/\/(?=\/))?/i, "") };
  if (scheme) {
    throw new Error(
      `DATABASE_URL: expected postgresql://…, file:… or a path to an SQLite file, got the scheme "${scheme}:". Example: file:./data/herald.db`,
    );
  }
  return { provider: "sqlite", path: url };
}

async function sqliteClient(path: string, options: OpenDbOptions): Promise<PrismaClient> {
  const [{ PrismaClient: Client }, { SqliteAdapterFactory }] = await Promise.all([
    import("../generated/sqlite/client.ts"),
    import("./sqlite-adapter.ts"),
  ]);
  if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
  return new Client({
    adapter: new SqliteAdapterFactory({ path, ...options }),
    transactionOptions: TRANSACTION_LIMITS,
    errorFormat: "minimal",
    ...(options.onStatement && STATEMENT_EVENTS),
  });
}

async function postgresClient(url: string, options: OpenDbOptions): Promise<PrismaClient> {
  const [{ PrismaClient: Client }, { PrismaPg }] = await Promise.all([
    import("../generated/postgres/client.ts"),
    import("@prisma/adapter-pg"),
  ]);
  const adapter: SqlDriverAdapterFactory = new PrismaPg({ connectionString: url, max: CONNECTIONS });
  return new Client({
    adapter,
    transactionOptions: TRANSACTION_LIMITS,
    errorFormat: "minimal",
    ...(options.onStatement && STATEMENT_EVENTS),
  }) as unknown as PrismaClient;
}

const STATEMENT_EVENTS = { log: [{ emit: "event" as const, level: "query" as const }] };

function tellStatements(client: PrismaClient, tell: (sql: string) => void): void {
  // The client's type knows of events only when they stand in its own literal options.
  const events = client as unknown as { $on(event: "query", act: (query: { query: string }) => void): void };
  events.$on("query", ({ query }) => tell(query));
}

/** True for a transaction of `inTransaction`: what is read in it may be remembered for as long as it lasts. */
export function isTransaction(db: Db): db is Tx {
  return transactions.has(db);
}

/**
 * Runs `act` in one transaction: all of it happens, or nothing when it throws. Handed a transaction already, it joins
 * that one, so an operation is whole by itself and part of a greater whole when a tap wraps it.
 *
 * Inside, use only `tx` (the outer `db` would wait for itself) and wait for nothing but the database: no model, Hermes or
 * Feishu call. Let errors travel out: on PostgreSQL a failed statement ends the transaction, so a unique violation is
 * caught around `inTransaction`, not within.
 */
export async function inTransaction<Result>(db: Db, act: (tx: Tx) => Promise<Result>): Promise<Result> {
  if (transactions.has(db)) return act(db as Tx);
  const client = clients.get(db);
  if (!client) throw new TypeError("inTransaction: expected the db of openDb, or a transaction");
  return client.$transaction(async (tx) => {
    transactions.add(tx);
    return act(tx as Tx);
  });
}

/** True for the error of a write that a unique key refused; with `field`, of a key that holds that field. */
export function isUniqueViolation(error: unknown, field?: string): boolean {
  if (typeof error !== "object" || error === null || !("code" in error) || error.code !== "P2002") return false;
  if (field === undefined) return true;
  const meta = "meta" in error ? JSON.stringify(error.meta) : "";
  return new RegExp(`\\b${field}\\b|_${field}_`).test(meta);
}
