import {
  DriverAdapterError,
  type IsolationLevel,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
  type SqlResultSet,
  type Transaction,
} from "@prisma/driver-adapter-utils";
import { SqliteConnection, type SqliteConnectionOptions } from "./sqlite-connection.ts";
import { toDriverError } from "./sqlite-errors.ts";

const ADAPTER_NAME = "herald-sqlite";
/** SQLite's own limit on parameters of one statement; more makes Prisma split the query. */
const MAX_BIND_VALUES = 32_766;

/**
 * Prisma's driver adapter over node:sqlite's interface.
 *
 * Prisma's own SQLite adapters let a write of one request fall into another request's open transaction (and be lost
 * with its rollback), hang after a busy BEGIN or leak file handles. Here every statement outside a transaction and
 * every whole transaction takes its turn in one queue, transactions begin IMMEDIATE, and a failed end always leaves
 * the connection usable.
 */
export class SqliteAdapterFactory implements SqlMigrationAwareDriverAdapterFactory {
  readonly provider = "sqlite";
  readonly adapterName = ADAPTER_NAME;
  readonly #options: SqliteConnectionOptions;

  constructor(options: SqliteConnectionOptions) {
    this.#options = options;
  }

  async connect(): Promise<SqlDriverAdapter> {
    return new SqliteAdapter(await SqliteConnection.open(this.#options));
  }

  async connectToShadowDb(): Promise<SqlDriverAdapter> {
    return new SqliteAdapter(await SqliteConnection.open({ ...this.#options, path: ":memory:" }));
  }
}

class SqliteAdapter implements SqlDriverAdapter {
  readonly provider = "sqlite";
  readonly adapterName = ADAPTER_NAME;
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    return this.#inTurn(() => this.#connection.patiently(() => this.#connection.query(query)));
  }

  executeRaw(query: SqlQuery): Promise<number> {
    return this.#inTurn(() => this.#connection.patiently(() => this.#connection.execute(query)));
  }

  executeScript(script: string): Promise<void> {
    return this.#inTurn(async () => {
      try {
        this.#connection.execScript(script);
      } finally {
        this.#connection.recover();
      }
    });
  }

  async startTransaction(isolationLevel?: IsolationLevel): Promise<Transaction> {
    if (isolationLevel && isolationLevel !== "SERIALIZABLE") {
      throw new DriverAdapterError({ kind: "InvalidIsolationLevel", level: isolationLevel });
    }
    const release = await this.#connection.mutex.acquire();
    try {
      await this.#connection.patiently(() => this.#connection.exec("BEGIN IMMEDIATE"));
      return new SqliteTransaction(this.#connection, release);
    } catch (error) {
      try {
        this.#connection.recover();
      } finally {
        release();
      }
      throw toDriverError(error);
    }
  }

  getConnectionInfo(): { maxBindValues: number; supportsRelationJoins: boolean } {
    return { maxBindValues: MAX_BIND_VALUES, supportsRelationJoins: false };
  }

  /** Does not wait for an open transaction: it is rolled back, and its later statements fail. */
  async dispose(): Promise<void> {
    this.#connection.close();
  }

  async #inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    const release = await this.#connection.mutex.acquire();
    try {
      return await act();
    } catch (error) {
      throw toDriverError(error);
    } finally {
      release();
    }
  }
}

class SqliteTransaction implements Transaction {
  readonly provider = "sqlite";
  readonly adapterName = ADAPTER_NAME;
  /** Prisma sends no COMMIT of its own but calls commit() and rollback(), so that waiting and recovery stand here only. */
  readonly options = { usePhantomQuery: true };
  readonly #connection: SqliteConnection;
  #release: (() => void) | undefined;

  constructor(connection: SqliteConnection, release: () => void) {
    this.#connection = connection;
    this.#release = release;
  }

  queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    return this.#whileOpen(() => this.#connection.query(query));
  }

  executeRaw(query: SqlQuery): Promise<number> {
    return this.#whileOpen(() => this.#connection.execute(query));
  }

  commit(): Promise<void> {
    return this.#end(async () => {
      // A commit that comes after the end must not look like one that happened.
      this.#assertOpen();
      await this.#connection.patiently(() => this.#connection.exec("COMMIT"));
    });
  }

  rollback(): Promise<void> {
    return this.#end(async () => {});
  }

  createSavepoint(name: string): Promise<void> {
    return this.#whileOpen(() => this.#connection.exec(`SAVEPOINT "${name}"`));
  }

  rollbackToSavepoint(name: string): Promise<void> {
    return this.#whileOpen(() => this.#connection.exec(`ROLLBACK TO "${name}"`));
  }

  releaseSavepoint(name: string): Promise<void> {
    return this.#whileOpen(() => this.#connection.exec(`RELEASE "${name}"`));
  }

  async #whileOpen<Result>(act: () => Result): Promise<Result> {
    await this.#connection.breathe();
    this.#assertOpen();
    try {
      return act();
    } catch (error) {
      throw toDriverError(error);
    }
  }

  /** Ended by us, or rolled back by SQLite itself (a trigger's RAISE(ROLLBACK), a full disk): nothing may run after. */
  #assertOpen(): void {
    if (this.#release && this.#connection.inTransaction) return;
    throw new DriverAdapterError({ kind: "TransactionAlreadyClosed", cause: "The transaction has already ended." });
  }

  async #end(act: () => Promise<void>): Promise<void> {
    const release = this.#release;
    try {
      await act();
    } catch (error) {
      throw toDriverError(error);
    } finally {
      this.#release = undefined;
      try {
        // Only while this transaction holds the connection: another one may own it by now.
        if (release) this.#connection.recover();
      } finally {
        release?.();
      }
    }
  }
}
