import { DriverAdapterError, type SqlQuery, type SqlResultSet, type Transaction } from "@prisma/driver-adapter-utils";
import type { Statement } from "./sql.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import { toDriverError } from "./sqlite-errors.ts";

export const ADAPTER_NAME = "herald-sqlite";

/** One open transaction of a connection, which it holds to its end: for Prisma, and for our own statements. */
export class SqliteTransaction implements Transaction {
  readonly provider = "sqlite";
  readonly adapterName = ADAPTER_NAME;
  /** Prisma sends no COMMIT of its own but calls commit() and rollback(), so that waiting and recovery stand here only. */
  readonly options = { usePhantomQuery: true };
  readonly #connection: SqliteConnection;
  /** Somebody waits for it and it is short: once begun it lets nobody else in between, or each pause costs a job's slice. */
  readonly #urgent: boolean;
  #release: (() => void) | undefined;

  private constructor(connection: SqliteConnection, release: () => void, urgent: boolean) {
    this.#urgent = urgent;
    this.#connection = connection;
    this.#release = release;
  }

  /**
   * Waits for its turn and for the lock of other processes.
   * @param options.urgent before all others that wait in this process
   * @param options.withinMs how long it waits for its turn
   * @throws DriverAdapterError SocketTimeout: other processes held the lock too long
   */
  static async begin(
    connection: SqliteConnection,
    options: { urgent?: boolean; withinMs?: number } = {},
  ): Promise<SqliteTransaction> {
    const release = await connection.mutex.acquire(options);
    if (release === undefined) {
      throw new DriverAdapterError({ kind: "TransactionAlreadyClosed", cause: "No turn in time for a transaction." });
    }
    try {
      await connection.patiently(() => connection.exec("BEGIN IMMEDIATE"));
      return new SqliteTransaction(connection, release, options.urgent ?? false);
    } catch (error) {
      try {
        connection.recover();
      } finally {
        release();
      }
      throw toDriverError(error);
    }
  }

  /** Rows of one of our own statements. */
  rows(statement: Statement): Promise<Record<string, unknown>[]> {
    return this.#whileOpen(() => this.#connection.rows(statement));
  }

  /** The number of rows one of our own statements changed. */
  run(statement: Statement): Promise<number> {
    return this.#whileOpen(() => this.#connection.run(statement));
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
      this.assertOpen();
      const commit = (): void => this.#connection.exec("COMMIT");
      await (this.#urgent ? this.#connection.patientlyAtOnce(commit) : this.#connection.patiently(commit));
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
    if (!this.#urgent) await this.#connection.breathe();
    this.assertOpen();
    try {
      return act();
    } catch (error) {
      throw toDriverError(error);
    }
  }

  /** Ended by us, or rolled back by SQLite itself (a trigger's RAISE(ROLLBACK), a full disk): nothing may run after. */
  assertOpen(): void {
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
