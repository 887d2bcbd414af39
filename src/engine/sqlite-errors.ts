import { DriverAdapterError, type Error as DriverError, isDriverAdapterError } from "@prisma/driver-adapter-utils";

/** SQLite result codes used here (https://www.sqlite.org/rescode.html). */
const BUSY = 5;
const GENERIC = 1;
const CONSTRAINT_FOREIGNKEY = 787;
const CONSTRAINT_NOTNULL = 1299;
const CONSTRAINT_PRIMARYKEY = 1555;
const CONSTRAINT_TRIGGER = 1811;
const CONSTRAINT_UNIQUE = 2067;
const CONSTRAINT_ROWID = 2579;

/** The prebuilt driver loses the code of an error raised while rows are read: the message tells it. */
const CODE_BY_MESSAGE: readonly (readonly [RegExp, number])[] = [
  [/UNIQUE constraint failed/, CONSTRAINT_UNIQUE],
  [/NOT NULL constraint failed/, CONSTRAINT_NOTNULL],
  [/FOREIGN KEY constraint failed/, CONSTRAINT_FOREIGNKEY],
  [/database (table )?is locked|SQLITE_BUSY/, BUSY],
  [/CHECK constraint failed/, 275],
  [/disk is full/, 13],
  [/disk image is malformed/, 11],
  [/readonly database/, 8],
];

const BETTER_CODES: Readonly<Record<string, number>> = {
  SQLITE_BUSY: BUSY,
  SQLITE_BUSY_SNAPSHOT: 517,
  SQLITE_CONSTRAINT_FOREIGNKEY: CONSTRAINT_FOREIGNKEY,
  SQLITE_CONSTRAINT_NOTNULL: CONSTRAINT_NOTNULL,
  SQLITE_CONSTRAINT_PRIMARYKEY: CONSTRAINT_PRIMARYKEY,
  SQLITE_CONSTRAINT_TRIGGER: CONSTRAINT_TRIGGER,
  SQLITE_CONSTRAINT_UNIQUE: CONSTRAINT_UNIQUE,
  SQLITE_CONSTRAINT_ROWID: CONSTRAINT_ROWID,
};

/** No instanceof: errors of a native addon may come from another realm. */
function messageOf(error: unknown): string {
  if (typeof error === "object" && error !== null && "message" in error) return String(error.message);
  return String(error);
}

/** SQLite's extended result code of an error of any driver, or undefined when it is not SQLite's. */
export function sqliteCode(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  if (typeof errcode === "number" && errcode > GENERIC) return errcode;
  if (typeof code === "string" && code in BETTER_CODES) return BETTER_CODES[code];
  const message = messageOf(error);
  const byMessage = CODE_BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1];
  if (byMessage !== undefined) return byMessage;
  return typeof errcode === "number" || (typeof code === "string" && /SQLITE/.test(code)) ? GENERIC : undefined;
}

/** True when another connection holds the lock, so that the same statement may succeed a moment later. */
export function isBusy(error: unknown): boolean {
  return ((sqliteCode(error) ?? 0) & 255) === BUSY;
}

/** The error as Prisma wants it; what is not SQLite's stays as it is. */
export function toDriverError(error: unknown): unknown {
  if (isDriverAdapterError(error)) return error;
  const code = sqliteCode(error);
  if (code === undefined) return error;
  const message = messageOf(error);
  return new DriverAdapterError({ originalCode: String(code), originalMessage: message, ...mapped(code, message) });
}

function mapped(code: number, message: string): DriverError {
  switch (code) {
    case CONSTRAINT_UNIQUE:
    case CONSTRAINT_PRIMARYKEY:
    case CONSTRAINT_ROWID:
      return { kind: "UniqueConstraintViolation", constraint: { fields: fieldsIn(message) } };
    case CONSTRAINT_NOTNULL:
      return { kind: "NullConstraintViolation", constraint: { fields: fieldsIn(message) } };
    case CONSTRAINT_FOREIGNKEY:
    case CONSTRAINT_TRIGGER:
      return { kind: "ForeignKeyConstraintViolation", constraint: { foreignKey: {} } };
  }
  if ((code & 255) === BUSY) return { kind: "SocketTimeout" };
  const table = /no such table: (\S+)/.exec(message)?.[1];
  if (table) return { kind: "TableDoesNotExist", table };
  const column = /no such column: (\S+)|has no column named (\S+)/.exec(message);
  if (column) return { kind: "ColumnNotFound", column: column[1] ?? column[2] ?? "" };
  return { kind: "sqlite", extendedCode: code, message };
}

/** "UNIQUE constraint failed: Note.a, Note.b" → ["a", "b"]. */
function fieldsIn(message: string): string[] {
  const list = /constraint failed: (.+)$/.exec(message)?.[1] ?? "";
  return list.split(", ").flatMap((name) => name.split(".").at(-1) ?? []);
}
