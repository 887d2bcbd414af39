import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { SqlDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import type { Prisma, PrismaClient } from "../generated/sqlite/client.ts";
import type { SqliteDriver } from "./load-sqlite.ts";
import { type Statement, textFor } from "./sql.ts";

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

export type TransactionWish = {
  /** Goes before all others that wait in this process: somebody looks at the screen. */
  readonly urgent?: boolean;
};

/** On SQLite all transactions of a process queue, so waiting for one's turn is normal. */
const TRANSACTION_LIMITS = { maxWait: 15_000, timeout: 15_000 };
const CONNECTIONS = 10;

/** How the statements of a database or of a transaction get there. */
interface Door {
  rows(statement: Statement): Promise<unknown[]>;
  run(statement: Statement): Promise<number>;
}

type Begin = <Result>(act: (tx: Db) => Promise<Result>, options: TransactionWish) => Promise<Result>;

const begins = new WeakMap<Db, Begin>();
const doors = new WeakMap<Db, Door>();
const transactions = new WeakSet<Db>();

/**
 * Opens the database a URL names: `postgresql://…`, `file:…` or a path to an SQLite file (made when missing). Applies no
 * migrations: see `migrate`.
 *
 * @throws Error for another scheme, or when the file cannot be opened
 */
export async function openDb(url: string, options: OpenDbOptions = {}): Promise<Database> {
  const place = databasePlace(url);
  return place.provider === "sqlite" ? openSqlite(place.path, options) : openPostgres(url, options);
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

async function openSqlite(path: string, options: OpenDbOptions): Promise<Database> {
  const [{ PrismaClient: Client }, { SqliteAdapterFactory }, { sqliteDoor, sqliteBegin }] = await Promise.all([
    import("../generated/sqlite/client.ts"),
    import("./sqlite-adapter.ts"),
    import("./sqlite-door.ts"),
  ]);
  if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
  const adapter = new SqliteAdapterFactory({ path, ...options });
  const client = await connected(
    new Client({
      adapter,
      transactionOptions: TRANSACTION_LIMITS,
      errorFormat: "minimal",
      ...(options.onStatement && STATEMENT_EVENTS),
    }),
    options,
  );
  const connection = adapter.connection;
  if (!connection) throw new Error("Prisma is connected without a connection");
  const tell = options.onStatement ?? (() => {});
  doors.set(client, told(sqliteDoor(connection), tell));
  begins.set(client, (act, wish) =>
    sqliteBegin({ client, connection, ...TRANSACTION_LIMITS, ...wish }, (tx, transaction) => {
      doors.set(tx, told(transaction, tell));
      return act(tx);
    }),
  );
  return { db: client, provider: "sqlite", close: () => client.$disconnect() };
}

async function openPostgres(url: string, options: OpenDbOptions): Promise<Database> {
  const [{ PrismaClient: Client }, { PrismaPg }] = await Promise.all([
    import("../generated/postgres/client.ts"),
    import("@prisma/adapter-pg"),
  ]);
  const adapter: SqlDriverAdapterFactory = new PrismaPg({ connectionString: url, max: CONNECTIONS });
  const plain = new Client({
    adapter,
    transactionOptions: TRANSACTION_LIMITS,
    errorFormat: "minimal",
    ...(options.onStatement && STATEMENT_EVENTS),
  }) as unknown as PrismaClient;
  const client = await connected(plain, options);
  doors.set(client, postgresDoor(client));
  begins.set(client, (act) =>
    client.$transaction((tx) => {
      doors.set(tx, postgresDoor(tx));
      return act(tx);
    }),
  );
  return { db: client, provider: "postgresql", close: () => client.$disconnect() };
}

async function connected(client: PrismaClient, { onStatement }: OpenDbOptions): Promise<PrismaClient> {
  if (onStatement) tellStatements(client, onStatement);
  try {
    // A wrong path or address shows here and not at the first message.
    await client.$queryRaw`SELECT 1`;
    return client;
  } catch (error) {
    await client.$disconnect();
    throw error;
  }
}

function postgresDoor(db: Db): Door {
  return {
    rows: (statement) => db.$queryRawUnsafe(textFor("postgresql", statement), ...statement.values),
    run: (statement) => db.$executeRawUnsafe(textFor("postgresql", statement), ...statement.values),
  };
}

/** Prisma tells its own statements; those that go past it are told here. */
function told(door: Door, tell: (sql: string) => void): Door {
  return {
    rows: (statement) => {
      tell(textFor("sqlite", statement));
      return door.rows(statement);
    },
    run: (statement) => {
      tell(textFor("sqlite", statement));
      return door.run(statement);
    },
  };
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
export async function inTransaction<Result>(
  db: Db,
  act: (tx: Tx) => Promise<Result>,
  wish: TransactionWish = {},
): Promise<Result> {
  if (transactions.has(db)) return act(db as Tx);
  const begin = begins.get(db);
  if (!begin) throw new TypeError("inTransaction: expected the db of openDb, or a transaction");
  return begin((tx) => {
    transactions.add(tx);
    return act(tx as Tx);
  }, wish);
}

/**
 * Rows of a statement of our own, for paths on which Prisma's work for each statement is too much. Columns come by name
 * and as what the schema says they are (Date, boolean, parsed JSON), on both databases. `Row` is what the caller knows of
 * the columns it asked for; what is more than that is parsed by the noun's schema, as always.
 */
export async function readRows<Row>(db: Db, statement: Statement): Promise<Row[]> {
  return (await doorOf(db).rows(statement)) as Row[];
}

/** Carries out a statement of our own; resolves with the number of rows it changed. */
export async function runStatement(db: Db, statement: Statement): Promise<number> {
  return doorOf(db).run(statement);
}

function doorOf(db: Db): Door {
  const door = doors.get(db);
  if (!door) throw new TypeError("expected the db of openDb, or a transaction of inTransaction");
  return door;
}

/** True for the error of a write that a unique key refused; with `field`, of a key that holds that field. */
export function isUniqueViolation(error: unknown, field?: string): boolean {
  if (typeof error !== "object" || error === null || !("code" in error)) return false;
  const meta = "meta" in error ? JSON.stringify(error.meta) : "";
  // A statement of our own fails on PostgreSQL as a raw query, with the database's own code.
  const unique = error.code === "P2002" || (error.code === "P2010" && /23505|UniqueConstraintViolation/.test(meta));
  if (!unique || field === undefined) return unique;
  return new RegExp(`\\b${field}\\b|_${field}_`).test(meta);
}
