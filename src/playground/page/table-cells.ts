import type { PageLanguage } from "../page-api.ts";
import { formatLocal } from "./format-time.ts";
import { asArray, asNumber, asObject, asObjects, asString, type JsonObject } from "./read-json.ts";

/** What a table's cell shows; the column's `data_type` decides. */
export type Cell =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "markdown"; readonly text: string }
  | { readonly kind: "options"; readonly options: readonly { text: string; colour: string | undefined }[] }
  | { readonly kind: "persons"; readonly openIds: readonly string[] };

type Place = { readonly language: PageLanguage; readonly timeZone: string };

const DATE_PARTS = ["YYYY", "MM", "DD", "HH", "mm", "ss"];

/** Reads one cell of a Feishu table: numbers with their symbol and grouping, dates in the reader's zone. */
export function readCell(column: JsonObject, value: unknown, place: Place): Cell {
  if (value === undefined || value === null) return { kind: "text", text: "" };
  switch (column.data_type) {
    case "lark_md":
    case "markdown":
      return { kind: "markdown", text: String(value) };
    case "options":
      return typeof value === "string"
        ? { kind: "options", options: [{ text: value, colour: undefined }] }
        : {
            kind: "options",
            options: asObjects(value).map((each) => ({
              text: asString(each.text) ?? "",
              colour: asString(each.color),
            })),
          };
    case "persons":
      return { kind: "persons", openIds: asArray(value).length > 0 ? asArray(value).map(String) : [String(value)] };
    case "number":
      return { kind: "text", text: formatNumber(asObject(column.format), value) };
    case "date":
      return { kind: "text", text: formatDate(asString(column.date_format), value, place) };
    default:
      return { kind: "text", text: typeof value === "object" ? JSON.stringify(value) : String(value) };
  }
}

function formatNumber(format: JsonObject | undefined, value: unknown): string {
  const number = asNumber(value);
  if (number === undefined) return String(value);
  const precision = asNumber(format?.precision ?? format?.percision);
  const text = number.toLocaleString("en-US", {
    useGrouping: format?.separator === true || format?.seperator === true,
    ...(precision === undefined
      ? { maximumFractionDigits: 10 }
      : { minimumFractionDigits: precision, maximumFractionDigits: precision }),
  });
  const symbol = asString(format?.symbol) ?? "";
  return symbol === "%" ? `${text}%` : `${symbol}${text}`;
}

function formatDate(format: string | undefined, value: unknown, place: Place): string {
  const atMs = asNumber(value);
  if (atMs === undefined) return String(value);
  if (!format) return formatLocal(atMs, "date_num", place);
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone: place.timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  }).formatToParts(atMs);
  const names = ["year", "month", "day", "hour", "minute", "second"];
  return DATE_PARTS.reduce(
    (text, part, at) => text.replace(part, parts.find((each) => each.type === names[at])?.value ?? ""),
    format,
  );
}

/** The rows of one page, and how many pages there are. Pages count from 1; Feishu shows 1 to 10 rows on one. */
export function pageOfRows<T>(
  rows: readonly T[],
  pageSize: number,
  page: number,
): { rows: readonly T[]; pages: number; page: number } {
  const size = Math.min(10, Math.max(1, Math.floor(pageSize) || 5));
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const shown = Math.min(pages, Math.max(1, page));
  return { rows: rows.slice((shown - 1) * size, shown * size), pages, page: shown };
}
