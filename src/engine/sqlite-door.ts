import { type DriverAdapterError, isDriverAdapterError } from "@prisma/driver-adapter-utils";
import type { PrismaClient } from "../generated/sqlite/client.ts";
import { PrismaClientKnownRequestError } from "../generated/sqlite/internal/prismaNamespace.ts";
import type { Db } from "./db.ts";
import { LazyTransaction } from "./lazy-transaction.ts";
import type { Statement } from "./sql.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import { toDriverError } from "./sqlite-errors.ts";
import { SqliteTransaction } from "./sqlite-transaction.ts";

export interface SqliteDoor {
  rows(statement: Statement): Promise<Record<string, unknown>[]>;
  run(statement: Statement): Promise<number>;
}

/** Our own statements outside of a transaction: each waits for its turn like Prisma's. */
export function sqliteDoor(connection: SqliteConnection): SqliteDoor {
  const inTurn = async <Result>(act: () => Result): Promise<Result> => {
    const release = await connection.mutex.acquire();
    try {
      return await connection.patiently(act);
    } finally {
      release();
    }
  };
  return known({
    rows: (statement) => inTurn(() => connection.rows(statement)),
    run: (statement) => inTurn(() => connection.run(statement)),
  });
}

export interface BeginParts {
  client: PrismaClient;
  connection: SqliteConnection;
  urgent?: boolean;
  /** How long it waits for its turn, and how long it may last; both in ms. */
  maxWait: number;
  timeout: number;
}

/**
 * One transaction around `act`: committed when it resolves, rolled back when it throws or lasts too long.
 * @throws PrismaClientKnownRequestError P2028 (no turn in time, or already ended) · P1008 (locked by another process)
 */
export async function sqliteBegin<Result>(
  { client, connection, urgent = false, maxWait, timeout }: BeginParts,
  act: (tx: Db, door: SqliteDoor) => Promise<Result>,
): Promise<Result> {
  const transaction = await SqliteTransaction.begin(connection, { urgent, withinMs: maxWait }).catch(knownError);
  const lazy = new LazyTransaction(client, connection, transaction);
  const tooLong = setTimeout(() => void transaction.rollback(), timeout);
  try {
    const result = await act(lazy.db, known(transaction));
    await lazy.leave();
    await transaction.commit().catch(knownError);
    return result;
  } catch (error) {
    await lazy.leave();
    await transaction.rollback();
    throw error;
  } finally {
    clearTimeout(tooLong);
  }
}

/** The same, with errors as Prisma's own statements throw them: callers tell them apart by their code. */
function known(door: SqliteDoor): SqliteDoor {
  return {
    rows: (statement) => door.rows(statement).catch(knownError),
    run: (statement) => door.run(statement).catch(knownError),
  };
}

const CODES: Readonly<Partial<Record<DriverAdapterError["cause"]["kind"], string>>> = {
  UniqueConstraintViolation: "P2002",
  ForeignKeyConstraintViolation: "P2003",
  InvalidInputValue: "P2007",
  NullConstraintViolation: "P2011",
  SocketTimeout: "P1008",
  TransactionAlreadyClosed: "P2028",
};

function knownError(error: unknown): never {
  const given = toDriverError(error);
  if (!isDriverAdapterError(given)) throw given;
  const { cause } = given;
  const code = CODES[cause.kind];
  if (code === undefined) throw given;
  const constraint = "constraint" in cause ? { constraint: cause.constraint } : {};
  throw new PrismaClientKnownRequestError(given.message || cause.kind, { code, clientVersion: "", meta: constraint });
}
