import { setTimeout } from "node:timers/promises";
import {
  type ColumnType,
  DriverAdapterError,
  type SqlQuery,
  type SqlResultSet,
  type Transaction,
} from "@prisma/driver-adapter-utils";
import { loadSqlite, type SqliteDatabase, type SqliteDriver, type SqliteStatement } from "./load-sqlite.ts";
import { Mutex } from "./mutex.ts";
import { type Statement, textFor } from "./sql.ts";
import { isBusy, toDriverError } from "./sqlite-errors.ts";
import { columnType, declaredType, fromSqlite, plainFromSqlite, toSqlite } from "./sqlite-values.ts";

export type SqliteConnectionOptions = {
  readonly path: string;
  /** How long a statement waits for another process' lock. Default 5,000 ms. */
  readonly busyTimeoutMs?: number;
  readonly journalMode?: "WAL" | "DELETE";
  readonly driver?: SqliteDriver | undefined;
};

/** SQLite's own wait blocks the whole process, so it is kept this short; the rest of the wait is ours. */
const BLOCKING_WAIT_MS = 5;
/** A synchronous driver answers in microtasks only: timers and sockets get a turn this often. */
const TURN_EVERY_MS = 5;
const CACHED_STATEMENTS = 256;
const CACHED_SQL_CHARS = 10_000;

/**
 * One SQLite handle behind a queue: whoever holds the mutex may speak to it. Statements are synchronous inside, but
 * waiting for a lock never blocks the event loop.
 */
export class SqliteConnection {
  readonly mutex = new Mutex();
  readonly #db: SqliteDatabase;
  readonly #busyTimeoutMs: number;
  readonly #statements = new Map<string, Prepared>();
  /** When the present turn of the event loop was first seen here; undefined in a turn that has not been seen yet. */
  #turnAt: number | undefined;
  #open = true;
  #offered: Transaction | undefined;

  private constructor(db: SqliteDatabase, busyTimeoutMs: number) {
    this.#db = db;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  /** Opens or makes the file. Several processes may do so at once. */
  static async open(options: SqliteConnectionOptions): Promise<SqliteConnection> {
    const timeout = options.busyTimeoutMs ?? 5000;
    const { DatabaseSync } = loadSqlite(options.driver);
    const connection = new SqliteConnection(new DatabaseSync(options.path, { timeout: BLOCKING_WAIT_MS }), timeout);
    try {
      await connection.patiently(() => connection.#db.exec(`PRAGMA journal_mode = ${options.journalMode ?? "WAL"}`));
      await connection.patiently(() => connection.#db.exec("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON"));
    } catch (error) {
      connection.close();
      throw toDriverError(error);
    }
    return connection;
  }

  get inTransaction(): boolean {
    return this.#open && this.#db.isTransaction;
  }

  query({ sql, args, argTypes }: SqlQuery): SqlResultSet {
    const parameters = args.map((argument, i) => toSqlite(argument, argTypes[i]));
    let prepared = this.#prepare(sql);
    let raw = prepared.statement.all(...parameters) as unknown[][];
    // Asked after the rows: before, a changed schema would still show its old columns.
    let columns = columnsOf(prepared);
    if (raw[0] && raw[0].length !== columns.length && /^\s*select\b/i.test(sql)) {
      // Node 22 cuts the rows of a statement prepared before a table got more columns: read once more with a fresh one.
      this.#statements.delete(sql);
      prepared = this.#prepare(sql);
      raw = prepared.statement.all(...parameters) as unknown[][];
      columns = columnsOf(prepared);
    }
    const columnTypes: ColumnType[] = columns.map(({ type }, i) => columnType(type, valuesOf(raw, i)));
    const rows = raw.map((row) => row.map((value, i) => fromSqlite(value, columnTypes[i] ?? 0)));
    return { columnNames: columns.map(({ name }) => name), columnTypes, rows };
  }

  /** Lets Prisma join a transaction that was begun without it: the next one it starts is this one. */
  offer(transaction: Transaction): void {
    this.#offered = transaction;
  }

  takeOffer(): Transaction | undefined {
    const offered = this.#offered;
    this.#offered = undefined;
    return offered;
  }

  /** Rows of one of our own statements, by name, each value as its column was declared. */
  rows(statement: Statement): Record<string, unknown>[] {
    const prepared = this.#prepare(textFor("sqlite", statement));
    const raw = prepared.statement.all(...statement.values.map((value) => toSqlite(value, undefined))) as unknown[][];
    if (raw.length === 0) return [];
    const columns = columnsOf(prepared);
    prepared.types ??= columns.map(({ type }) => declaredType(type));
    const { types } = prepared;
    return raw.map((values) => {
      const row: Record<string, unknown> = {};
      for (const [i, column] of columns.entries()) row[column.name] = plainFromSqlite(values[i], types[i]);
      return row;
    });
  }

  /** The number of rows one of our own INSERT, UPDATE or DELETE statements changed. */
  run(statement: Statement): number {
    const prepared = this.#prepare(textFor("sqlite", statement));
    return Number(prepared.statement.run(...statement.values.map((value) => toSqlite(value, undefined))).changes);
  }

  /** Number of rows changed; 0 for statements that change none (SQLite would repeat the previous count). */
  execute({ sql, args, argTypes }: SqlQuery): number {
    const { changes } = this.#prepare(sql).statement.run(...args.map((argument, i) => toSqlite(argument, argTypes[i])));
    return /^\s*(insert|update|delete|replace|with)\b/i.test(sql) ? Number(changes) : 0;
  }

  exec(sql: string): void {
    this.#assertOpen();
    this.#db.exec(sql);
  }

  /** A script may fail half way and so cannot be repeated: here SQLite itself waits for the lock. */
  execScript(script: string): void {
    this.#assertOpen();
    this.#db.exec(`PRAGMA busy_timeout = ${this.#busyTimeoutMs}`);
    try {
      this.#db.exec(script);
    } finally {
      this.#db.exec(`PRAGMA busy_timeout = ${BLOCKING_WAIT_MS}`);
    }
  }

  /**
   * Repeats `act` while another process holds the lock, up to the time-out, without blocking the event loop. `act` is
   * one statement outside a transaction, or BEGIN, or COMMIT: whole or nothing, so it may be repeated.
   */
  async patiently<Result>(act: () => Result): Promise<Result> {
    await this.breathe();
    return this.patientlyAtOnce(act);
  }

  /** The same without letting others have a turn first. */
  async patientlyAtOnce<Result>(act: () => Result): Promise<Result> {
    const until = performance.now() + this.#busyTimeoutMs;
    for (let attempt = 1; ; attempt++) {
      try {
        return act();
      } catch (error) {
        if (!isBusy(error) || performance.now() >= until) throw error;
      }
      // The clock's fraction serves as jitter, so that two waiting processes do not keep in step.
      await setTimeout(Math.min(attempt, 4) * (0.5 + (performance.now() % 1)));
    }
  }

  /** Lets the event loop turn when this turn has lasted long; what has just begun goes on at once. */
  async breathe(): Promise<void> {
    if (this.#turnAt !== undefined) {
      if (performance.now() - this.#turnAt < TURN_EVERY_MS) return;
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (this.#turnAt !== undefined) return;
    }
    this.#turnAt = performance.now();
    setImmediate(() => {
      this.#turnAt = undefined;
    });
  }

  /** Leaves no transaction open, whatever happened before. */
  recover(): void {
    if (this.inTransaction) this.#db.exec("ROLLBACK");
  }

  /** Rolls back first: the prebuilt driver keeps a lock as long as an uncollected statement lives. */
  close(): void {
    if (!this.#open) return;
    try {
      this.recover();
      // So that the file alone is the whole database: the prebuilt driver may leave the -wal file behind.
      this.#db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch (error) {
      if (!isBusy(error)) throw error;
    } finally {
      this.#open = false;
      this.#statements.clear();
      this.#db.close();
    }
  }

  #prepare(sql: string): Prepared {
    this.#assertOpen();
    const cached = this.#statements.get(sql);
    if (cached) {
      this.#statements.delete(sql);
      this.#statements.set(sql, cached);
      return cached;
    }
    if (isScript(sql)) {
      throw new DriverAdapterError({
        kind: "InvalidInputValue",
        message: "Expected one SQL statement, got several: SQLite would run only the first.",
      });
    }
    const statement = this.#db.prepare(sql);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    const prepared: Prepared = { statement, fixed: !sql.includes("*"), columns: undefined, types: undefined };
    if (sql.length <= CACHED_SQL_CHARS) {
      this.#statements.set(sql, prepared);
      const oldest = this.#statements.keys().next().value;
      if (this.#statements.size > CACHED_STATEMENTS && oldest !== undefined) this.#statements.delete(oldest);
    }
    return prepared;
  }

  #assertOpen(): void {
    if (!this.#open) throw new DriverAdapterError({ kind: "ConnectionClosed" });
  }
}

type Prepared = {
  readonly statement: SqliteStatement;
  /** It names its columns one by one, as all of Prisma's do: they stay the same whatever becomes of the table. */
  readonly fixed: boolean;
  columns: ReturnType<SqliteStatement["columns"]> | undefined;
  /** their declared types, for our own statements */
  types: (ColumnType | undefined)[] | undefined;
};

/** Asking costs more than reading a row (66 against 31 µs for a wide one), so the answer is kept where it cannot change. */
function columnsOf(prepared: Prepared): ReturnType<SqliteStatement["columns"]> {
  if (!prepared.fixed) return prepared.statement.columns();
  prepared.columns ??= prepared.statement.columns();
  return prepared.columns;
}

function* valuesOf(rows: readonly unknown[][], column: number): Generator<unknown> {
  for (const row of rows) yield row[column];
}

/** Whether text holds more than one statement; a trigger's body counts as one. */
function isScript(sql: string): boolean {
  if (!/;\s*\S/.test(sql) || /^\s*create\s+(temp\w*\s+)?trigger\b/i.test(sql)) return false;
  const bare = sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\//g, " ");
  return /;\s*[^\s;]/.test(bare);
}
