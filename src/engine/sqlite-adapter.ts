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
import { ADAPTER_NAME, SqliteTransaction } from "./sqlite-transaction.ts";

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
  /** The newest connection Prisma was given: our own statements go the same way. */
  connection: SqliteConnection | undefined;

  constructor(options: SqliteConnectionOptions) {
    this.#options = options;
  }

  async connect(): Promise<SqlDriverAdapter> {
    const connection = await SqliteConnection.open(this.#options);
    this.connection = connection;
    return new SqliteAdapter(connection);
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
    const joined = isolationLevel === "SERIALIZABLE" ? this.#connection.takeOffer() : undefined;
    if (joined) return joined;
    const transaction = await SqliteTransaction.begin(this.#connection);
    return transaction;
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
