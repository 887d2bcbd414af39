import { isDate, isUint8Array } from "node:util/types";
import { type ArgType, type ColumnType, ColumnTypeEnum, DriverAdapterError } from "@prisma/driver-adapter-utils";
import type { SqliteParameter } from "./load-sqlite.ts";

/** Declared column types as Prisma's migrations write them. A column without one is judged by its values. */
const DECLARED: Readonly<Record<string, ColumnType>> = {
  DECIMAL: ColumnTypeEnum.Numeric,
  FLOAT: ColumnTypeEnum.Float,
  DOUBLE: ColumnTypeEnum.Double,
  "DOUBLE PRECISION": ColumnTypeEnum.Double,
  NUMERIC: ColumnTypeEnum.Double,
  REAL: ColumnTypeEnum.Double,
  TINYINT: ColumnTypeEnum.Int32,
  SMALLINT: ColumnTypeEnum.Int32,
  MEDIUMINT: ColumnTypeEnum.Int32,
  INT: ColumnTypeEnum.Int32,
  INTEGER: ColumnTypeEnum.Int32,
  "INTEGER UNSIGNED": ColumnTypeEnum.Int32,
  BIGINT: ColumnTypeEnum.Int64,
  DATETIME: ColumnTypeEnum.DateTime,
  TIMESTAMP: ColumnTypeEnum.DateTime,
  DATE: ColumnTypeEnum.Date,
  TIME: ColumnTypeEnum.Time,
  TEXT: ColumnTypeEnum.Text,
  VARCHAR: ColumnTypeEnum.Text,
  CHAR: ColumnTypeEnum.Text,
  CLOB: ColumnTypeEnum.Text,
  BLOB: ColumnTypeEnum.Bytes,
  BOOLEAN: ColumnTypeEnum.Boolean,
  JSON: ColumnTypeEnum.Json,
  JSONB: ColumnTypeEnum.Json,
};

/** U+0000 as JSON writes it: \u0000 after an even number of backslashes. */
const ESCAPED_NUL = /(?<!\\)(?:\\\\)*\\u0000/;

/**
 * One query argument of Prisma as SQLite takes it.
 *
 * Integers become bigint (a JS number would be bound as REAL: 5/2 = 2.5), instants become milliseconds since 1970 (so
 * that they compare as numbers). Text with U+0000 is refused: the prebuilt driver would cut it there without a word,
 * and PostgreSQL refuses it too.
 */
export function toSqlite(argument: unknown, type: ArgType | undefined): SqliteParameter {
  if (argument === null || argument === undefined) return null;
  if (typeof argument === "boolean") return argument ? 1n : 0n;
  if (typeof argument === "bigint") return argument;
  if (typeof argument === "number") return numberToSqlite(argument, type);
  if (typeof argument === "string") return stringToSqlite(argument, type);
  if (isDate(argument)) return instantToSqlite(argument.getTime(), String(argument));
  if (isUint8Array(argument)) return argument;
  if (ArrayBuffer.isView(argument)) return new Uint8Array(argument.buffer, argument.byteOffset, argument.byteLength);
  throw refused(`Expected null, boolean, number, bigint, string, Date or bytes, got ${typeof argument}.`);
}

function numberToSqlite(value: number, type: ArgType | undefined): SqliteParameter {
  if (type?.scalarType === "float" || type?.scalarType === "decimal") return value;
  if (type?.scalarType === "datetime") return instantToSqlite(value, String(value));
  return Number.isSafeInteger(value) ? BigInt(value) : value;
}

function stringToSqlite(value: string, type: ArgType | undefined): SqliteParameter {
  switch (type?.scalarType) {
    case "int":
    case "bigint":
      return BigInt(value);
    case "float":
    case "decimal":
      return Number.parseFloat(value);
    case "datetime":
      return instantToSqlite(Date.parse(value), value);
    case "bytes":
      return new Uint8Array(Buffer.from(value, "base64"));
    case "boolean":
      return value === "true" ? 1n : 0n;
    default:
      if (value.includes("\u0000") || (type?.scalarType === "json" && ESCAPED_NUL.test(value))) {
        throw refused("Text with the character U+0000 cannot be stored.");
      }
      return value;
  }
}

function instantToSqlite(ms: number, given: string): bigint {
  if (!Number.isFinite(ms)) throw refused(`Expected an instant such as 2026-11-30T09:00:00.000Z, got ${given}.`);
  return BigInt(Math.trunc(ms));
}

/** Prisma shows it as P2007. */
function refused(message: string): DriverAdapterError {
  return new DriverAdapterError({ kind: "InvalidInputValue", message });
}

/** The type of one column of a result: as declared, or judged by the first value that is not null. */
export function columnType(declared: string | null, values: Iterable<unknown>): ColumnType {
  const known = declaredType(declared);
  if (known !== undefined) return known;
  for (const value of values) {
    if (value === null || value === undefined) continue;
    if (typeof value === "bigint") return ColumnTypeEnum.Int64;
    if (typeof value === "number") return ColumnTypeEnum.UnknownNumber;
    if (isUint8Array(value)) return ColumnTypeEnum.Bytes;
    return ColumnTypeEnum.Text;
  }
  return ColumnTypeEnum.Int32;
}

/** One value of a result as Prisma takes it: safe integers as numbers, others as text, instants as ISO 8601. */
export function fromSqlite(value: unknown, type: ColumnType): unknown {
  if (value === null || value === undefined) return null;
  if (type === ColumnTypeEnum.DateTime || type === ColumnTypeEnum.Date) return instantFromSqlite(value);
  if (typeof value === "bigint") {
    if (type === ColumnTypeEnum.Boolean) return value !== 0n;
    const safe = value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
    return safe && type !== ColumnTypeEnum.Int64 ? Number(value) : value.toString();
  }
  if (typeof value === "number" && (type === ColumnTypeEnum.Int32 || type === ColumnTypeEnum.Int64)) {
    return Math.trunc(value);
  }
  return value;
}

/**
 * One value of a result as our own statements take it, by the declared type of its column: instants as Date, booleans as
 * booleans, JSON as what it says, whole numbers as numbers.
 */
export function plainFromSqlite(value: unknown, type: ColumnType | undefined): unknown {
  if (value === null || value === undefined) return null;
  switch (type) {
    case ColumnTypeEnum.DateTime:
    case ColumnTypeEnum.Date:
      return new Date(typeof value === "string" ? String(instantFromSqlite(value)) : Number(value));
    case ColumnTypeEnum.Boolean:
      return Number(value) !== 0;
    case ColumnTypeEnum.Json:
      // A number as JSON has become a number of SQLite: that is how it takes a column of this type.
      return typeof value === "string" ? JSON.parse(value) : Number(value);
    default:
      return typeof value === "bigint" ? Number(value) : value;
  }
}

/** The type a column was declared with; undefined for an expression. */
export function declaredType(declared: string | null): ColumnType | undefined {
  return declared ? DECLARED[declared.toUpperCase().replace(/\s*\(.*\)/, "")] : undefined;
}

/** Rows written by hand may hold SQL's own form ("2026-11-30 09:00:00", UTC) beside our milliseconds. */
function instantFromSqlite(value: unknown): unknown {
  if (typeof value === "bigint" || typeof value === "number") return new Date(Number(value)).toISOString();
  if (typeof value !== "string") return value;
  const iso = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?$/.test(value) ? `${value.replace(" ", "T")}Z` : value;
  const ms = Date.parse(iso);
  return Number.isFinite(ms) ? new Date(ms).toISOString() : value;
}
