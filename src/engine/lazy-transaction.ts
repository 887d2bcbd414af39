import type { Transaction } from "@prisma/driver-adapter-utils";
import type { PrismaClient } from "../generated/sqlite/client.ts";
import type { Db } from "./db.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import type { SqliteTransaction } from "./sqlite-transaction.ts";

/**
 * A transaction that our own statements use at once, and that Prisma joins only when one of its models is asked for:
 * joining costs more than all the statements of a tap, and most taps need none of Prisma's.
 */
export class LazyTransaction {
  /** What an operation is handed: Prisma's models, each of which joins first. */
  readonly db: Db;
  readonly #client: PrismaClient;
  readonly #connection: SqliteConnection;
  readonly #transaction: SqliteTransaction;
  readonly #models = new Map<string, unknown>();
  #joined: Promise<Db> | undefined;
  #leave: (() => void) | undefined;
  #left: Promise<void> | undefined;

  constructor(client: PrismaClient, connection: SqliteConnection, transaction: SqliteTransaction) {
    this.#client = client;
    this.#connection = connection;
    this.#transaction = transaction;
    this.db = new Proxy(client as Db, { get: (_, name) => this.#property(name) });
  }

  /** Prisma lets go of it, whatever came of its statements. Before its end, which is not Prisma's to decide. */
  async leave(): Promise<void> {
    this.#leave?.();
    await this.#left?.catch(() => {});
  }

  #join(): Promise<Db> {
    this.#joined ??= new Promise<Db>((resolve, reject) => {
      const until = new Promise<void>((leave) => {
        this.#leave = leave;
      });
      this.#connection.offer(joining(this.#transaction));
      // The level marks it as ours: a transaction that Prisma begins of its own accord names none.
      this.#left = this.#client.$transaction(
        async (tx) => {
          resolve(tx);
          await until;
        },
        { isolationLevel: "Serializable" },
      );
      this.#left.catch(reject);
    });
    return this.#joined;
  }

  /** `$queryRaw` and the like, or a model. */
  #property(name: string | symbol): unknown {
    // Whoever awaits the transaction itself asks for `then`; there is none.
    if (typeof name === "symbol" || !(name in this.#client)) return undefined;
    if (name.startsWith("$")) return (...args: unknown[]) => this.#call(undefined, name, args);
    const known = this.#models.get(name);
    if (known) return known;
    const model = new Proxy(
      {},
      {
        get:
          (_, method) =>
          (...args: unknown[]) =>
            this.#call(name, String(method), args),
      },
    );
    this.#models.set(name, model);
    return model;
  }

  async #call(model: string | undefined, method: string, args: unknown[]): Promise<unknown> {
    this.#transaction.assertOpen();
    const tx = (await this.#join()) as unknown as Record<string, Methods & Record<string, Methods>>;
    const owner = (model === undefined ? tx : tx[model]) as unknown as Methods;
    return owner[method]?.(...args);
  }
}

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;

/** The open transaction as Prisma sees it: to be used, not to be ended, unless Prisma has lost patience with it. */
function joining(transaction: SqliteTransaction): Transaction {
  return {
    provider: transaction.provider,
    adapterName: transaction.adapterName,
    options: transaction.options,
    queryRaw: (query) => transaction.queryRaw(query),
    executeRaw: (query) => transaction.executeRaw(query),
    createSavepoint: (name) => transaction.createSavepoint(name),
    rollbackToSavepoint: (name) => transaction.rollbackToSavepoint(name),
    releaseSavepoint: (name) => transaction.releaseSavepoint(name),
    commit: async () => {},
    rollback: () => transaction.rollback(),
  };
}
