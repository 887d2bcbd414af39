import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { EngineError } from "../engine/errors.ts";
import { loadSqlite, type SqliteDatabase, type SqliteParameter, type SqliteStatement } from "../engine/load-sqlite.ts";
import { isBusy, sqliteCode } from "../engine/sqlite-errors.ts";
import { readShape, type StoreShape } from "./state-db-columns.ts";

/** How long a locked store is asked again before the read is put off. */
const PATIENCE_MS = 2_000;
/** SQLite's own wait blocks the process, so it is short and the waiting is done outside. */
const BUSY_TIMEOUT_MS = 5;
/** Longest stretch of SQLite work before timers and sockets get a turn. */
const TURN_MS = 5;
const IO_ERROR = 10;
const CORRUPT = 11;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;

/** Why the store cannot be read; `malformed` is for a person, the others pass by themselves. */
export type StoreTrouble = "locked" | "malformed" | "not_hermes" | "cannot_open" | "read_only_folder" | "io_error";

/** An open handle with its prepared statements. Valid until the file is replaced; never kept over an await. */
export interface OpenStore {
  /** Device and inode: changes when the file is replaced. */
  readonly file: string;
  readonly shape: StoreShape;
  /** Rows as arrays. One statement only; prepared once for each text. */
  rows<R>(sql: string, ...parameters: SqliteParameter[]): R[];
  row<R>(sql: string, ...parameters: SqliteParameter[]): R | undefined;
}

/**
 * Hermes' state.db, opened read only and kept open. Notices that the file was replaced and reads the new one; waits for a
 * lock without blocking the process; never writes and never touches the file except through SQLite (closing a plain file
 * handle would drop SQLite's locks).
 */
export class StateDbFile {
  readonly path: string;
  #open: (OpenStore & { db: SqliteDatabase; statements: Map<string, SqliteStatement> }) | undefined;
  #turn = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** Device and inode of the file that stands there now; undefined when there is none. */
  standing(): string | undefined {
    const stats = statSync(this.path, { throwIfNoEntry: false });
    return stats && `${stats.dev}-${stats.ino}`;
  }

  /**
   * Runs one short read. Repeated from the start when the store is locked or was replaced meanwhile, so it must collect
   * its results afresh. Undefined when there is no file.
   * @throws EngineError unavailable (history), `why` is a StoreTrouble
   */
  async read<T>(work: (store: OpenStore) => T): Promise<T | undefined> {
    await this.#breathe();
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const file = this.standing();
      if (file === undefined) {
        this.close();
        return undefined;
      }
      try {
        const store = this.#handle(file);
        const result = work(store);
        if (this.standing() === store.file) return result;
        if (performance.now() >= end) throw new EngineError("unavailable", { what: "history", why: "locked" });
      } catch (error) {
        if (error instanceof EngineError) throw error;
        const trouble = troubleOf(error, this.path);
        if (trouble === undefined) throw error;
        if (trouble !== "locked" && trouble !== "io_error") this.close();
        if ((trouble !== "locked" && trouble !== "io_error") || performance.now() >= end) {
          throw new EngineError("unavailable", { what: "history", why: trouble }, { cause: error });
        }
        await setTimeout(20);
      }
    }
  }

  close(): void {
    const open = this.#open;
    this.#open = undefined;
    // The prebuilt driver keeps the file until its statements are collected: let go of them first.
    open?.statements.clear();
    open?.db.close();
  }

  #handle(file: string): OpenStore {
    if (this.#open?.file === file) return this.#open;
    this.close();
    const db = open(this.path);
    try {
      db.exec("PRAGMA query_only = ON");
      const shape = readShape(db);
      const statements = new Map<string, SqliteStatement>();
      const prepared = (sql: string): SqliteStatement => {
        let statement = statements.get(sql);
        if (!statement) {
          statement = db.prepare(sql);
          statement.setReturnArrays(true);
          statements.set(sql, statement);
        }
        return statement;
      };
      this.#open = {
        db,
        statements,
        file,
        shape,
        rows: <R>(sql: string, ...parameters: SqliteParameter[]) => prepared(sql).all(...parameters) as R[],
        row: <R>(sql: string, ...parameters: SqliteParameter[]) =>
          (prepared(sql).get(...parameters) ?? undefined) as R | undefined,
      };
      return this.#open;
    } catch (error) {
      db.close();
      throw error;
    }
  }

  async #breathe(): Promise<void> {
    if (performance.now() - this.#turn < TURN_MS) return;
    await setImmediate();
    this.#turn = performance.now();
  }
}

function open(path: string): SqliteDatabase {
  const { DatabaseSync } = loadSqlite();
  const options = { readOnly: true, timeout: BUSY_TIMEOUT_MS };
  try {
    const db = new DatabaseSync(path, options);
    // A store in WAL mode is first touched by its first query: in a folder where SQLite cannot make the -shm file it fails.
    db.prepare("SELECT 1 FROM sqlite_master LIMIT 1").get();
    return db;
  } catch (error) {
    // A folder without write access holds a copy nobody writes. Without a write-ahead log the file alone is the whole truth.
    if (mayWriteFolder(path) || hasWal(path)) throw error;
    return new DatabaseSync(`${pathToFileURL(path).href}?immutable=1`, options);
  }
}

function mayWriteFolder(path: string): boolean {
  try {
    accessSync(dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function hasWal(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function troubleOf(error: unknown, path: string): StoreTrouble | undefined {
  if (isBusy(error)) return "locked";
  const message = error instanceof Error ? error.message : String(error);
  const code = (sqliteCode(error) ?? 0) & 255;
  if (code === CORRUPT || code === NOT_A_DATABASE || /malformed|not a database/i.test(message)) return "malformed";
  if (/not a Hermes|no such (table|column)/i.test(message)) return "not_hermes";
  if (/readonly database|unable to open/i.test(message) || code === CANNOT_OPEN) {
    return mayWriteFolder(path) ? "cannot_open" : "read_only_folder";
  }
  return code === IO_ERROR || /disk I\/O error/i.test(message) ? "io_error" : undefined;
}
