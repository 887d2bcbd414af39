import { createRequire } from "node:module";

/** What SQLite takes as a parameter without changing its meaning. Anything else must be converted before. */
export type SqliteParameter = null | number | bigint | string | Uint8Array;

/** The part of a prepared statement (node:sqlite's `StatementSync`) that Herald uses. */
export type SqliteStatement = {
  all(...parameters: SqliteParameter[]): unknown[];
  get(...parameters: SqliteParameter[]): unknown;
  run(...parameters: SqliteParameter[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  columns(): { name: string; type: string | null }[];
  setReadBigInts(enabled: boolean): void;
  setReturnArrays(enabled: boolean): void;
};

/** The part of a connection (node:sqlite's `DatabaseSync`) that Herald uses. */
export type SqliteDatabase = {
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
};

/** `timeout` is SQLite's busy time-out in milliseconds. */
export type SqliteOpenOptions = { readOnly?: boolean; timeout?: number };

export type SqliteLibrary = {
  readonly name: SqliteDriver;
  readonly DatabaseSync: new (path: string, options?: SqliteOpenOptions) => SqliteDatabase;
};

/** `builtin` is node:sqlite, `package` is the prebuilt @photostructure/sqlite, the third is for people who install it. */
export const SQLITE_DRIVERS = ["builtin", "package", "better-sqlite3"] as const;
export type SqliteDriver = (typeof SQLITE_DRIVERS)[number];

const require = createRequire(import.meta.url);
let loaded: SqliteLibrary | undefined;

/**
 * The only door to a SQLite library. One process uses one library: two of them on the same file do not see each other's
 * locks, so the first call decides and a later call for another driver throws.
 *
 * Without a wish, node:sqlite is taken where it is complete (Node 22.16 and later, 24), else the prebuilt package.
 * Not for worker threads: terminating one that uses the prebuilt package aborts the whole process.
 */
export function loadSqlite(driver?: SqliteDriver): SqliteLibrary {
  if (loaded && driver && loaded.name !== driver) {
    throw new Error(
      `This process already uses the SQLite driver ${loaded.name}; ${driver} cannot be loaded beside it.`,
    );
  }
  loaded ??= driver ? LOADERS[driver]() : (builtinIfComplete() ?? LOADERS.package());
  return loaded;
}

const LOADERS = {
  builtin: () => {
    const library = builtinIfComplete();
    if (!library) {
      throw new Error(
        "SQLITE_DRIVER=builtin needs Node 22.16 or later; without SQLITE_DRIVER the right driver is found.",
      );
    }
    return library;
  },
  package: () => ({ ...tryRequire("@photostructure/sqlite"), name: "package" }),
  "better-sqlite3": () => {
    const { Database } = tryRequireBetterSqlite();
    return { name: "better-sqlite3", DatabaseSync: overBetterSqlite(Database) };
  },
} as const satisfies Record<SqliteDriver, () => SqliteLibrary>;

type NodeSqlite = {
  DatabaseSync: SqliteLibrary["DatabaseSync"];
  StatementSync: { prototype: Partial<SqliteStatement> };
};

/** node:sqlite, when this Node has it with column types and array rows (22.13 has neither). */
function builtinIfComplete(): SqliteLibrary | undefined {
  if (!("getBuiltinModule" in process)) return undefined;
  // Node 22 warns that SQLite is experimental; the feature test below says what a person needs to know.
  const emitWarning = process.emitWarning;
  process.emitWarning = () => {};
  try {
    const library = process.getBuiltinModule("node:sqlite") as NodeSqlite | undefined;
    const statement = library?.StatementSync.prototype;
    if (!library || !statement?.columns || !statement.setReturnArrays) return undefined;
    return { name: "builtin", DatabaseSync: library.DatabaseSync };
  } finally {
    process.emitWarning = emitWarning;
  }
}

function tryRequire(name: "@photostructure/sqlite"): Pick<SqliteLibrary, "DatabaseSync"> {
  try {
    const { DatabaseSync } = require(name) as Pick<SqliteLibrary, "DatabaseSync">;
    return { DatabaseSync };
  } catch (cause) {
    throw new Error(
      "No SQLite driver for this machine. Expected Node 22.16 or later (it has one inside), or the optional package " +
        "@photostructure/sqlite (run npm install without --omit=optional), or SQLITE_DRIVER=better-sqlite3 with that package installed.",
      { cause },
    );
  }
}

type BetterStatement = {
  readonly reader: boolean;
  all(...parameters: SqliteParameter[]): unknown[];
  get(...parameters: SqliteParameter[]): unknown;
  run(...parameters: SqliteParameter[]): { changes: number; lastInsertRowid: number | bigint };
  columns(): { name: string; type: string | null }[];
  raw(enabled: boolean): unknown;
  safeIntegers(enabled: boolean): unknown;
};
type BetterDatabase = {
  readonly inTransaction: boolean;
  exec(sql: string): unknown;
  prepare(sql: string): BetterStatement;
  close(): unknown;
};
type BetterConstructor = new (
  path: string,
  options?: { readonly?: boolean; fileMustExist?: boolean; timeout?: number },
) => BetterDatabase;

function tryRequireBetterSqlite(): { Database: BetterConstructor } {
  const name = "better-sqlite3";
  try {
    return { Database: require(name) as BetterConstructor };
  } catch (cause) {
    throw new Error("SQLITE_DRIVER=better-sqlite3 needs that package: npm install better-sqlite3@12.11.1", { cause });
  }
}

/** node:sqlite's shape over better-sqlite3: the way out when neither other driver serves a platform. */
function overBetterSqlite(Database: BetterConstructor): SqliteLibrary["DatabaseSync"] {
  return class implements SqliteDatabase {
    readonly #db: BetterDatabase;
    constructor(path: string, { readOnly = false, timeout = 0 }: SqliteOpenOptions = {}) {
      this.#db = new Database(path, { readonly: readOnly, fileMustExist: readOnly, timeout });
    }
    get isTransaction(): boolean {
      return this.#db.inTransaction;
    }
    exec(sql: string): void {
      this.#db.exec(sql);
    }
    prepare(sql: string): SqliteStatement {
      const statement = this.#db.prepare(sql);
      return {
        all: (...parameters) => {
          if (statement.reader) return statement.all(...parameters);
          statement.run(...parameters);
          return [];
        },
        get: (...parameters) => (statement.reader ? statement.get(...parameters) : void statement.run(...parameters)),
        // A statement with RETURNING gives rows there and is refused by run().
        run: (...parameters) => {
          if (!statement.reader) return statement.run(...parameters);
          return { changes: statement.all(...parameters).length, lastInsertRowid: 0 };
        },
        columns: () => (statement.reader ? statement.columns() : []),
        setReadBigInts: (enabled) => void statement.safeIntegers(enabled),
        setReturnArrays: (enabled) => void (statement.reader && statement.raw(enabled)),
      };
    }
    close(): void {
      this.#db.close();
    }
  };
}
