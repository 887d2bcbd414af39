import { asArray, asNumber, asObject, asObjects, asString, asStrings, type JsonObject } from "./read-json.ts";

/** The kinds of chart this page draws itself. */
export type ChartKind = "line" | "area" | "bar" | "pie";

export type ChartSeries = { readonly name: string; readonly values: readonly (number | undefined)[] };

/** A VChart spec reduced to what a small drawing needs. */
export type ChartData = {
  readonly kind: ChartKind;
  readonly title: string;
  /** Horizontal bars: categories run down the side. */
  readonly isHorizontal: boolean;
  readonly isStacked: boolean;
  readonly categories: readonly string[];
  readonly series: readonly ChartSeries[];
};

const KINDS: readonly string[] = ["line", "area", "bar", "pie"] satisfies readonly ChartKind[];

/** Reads line, area, bar and pie charts of VChart's form (`type`, `data.values`, fields); undefined for all others. */
export function readChart(spec: JsonObject): ChartData | undefined {
  const type = asString(spec.type) ?? "";
  if (!KINDS.includes(type)) return undefined;
  const kind = type as ChartKind;
  const rows = rowsOf(spec.data);
  const isHorizontal = spec.direction === "horizontal";
  const isPie = kind === "pie";
  const along = isPie ? spec.categoryField : isHorizontal ? spec.yField : spec.xField;
  const measure = isPie ? spec.valueField : isHorizontal ? spec.xField : spec.yField;
  const categoryField = fields(along)[0];
  const valueField = fields(measure)[0];
  if (categoryField === undefined || valueField === undefined || rows.length === 0) return undefined;

  const seriesField = isPie ? undefined : (asString(spec.seriesField) ?? fields(along)[1]);
  const categories = [...new Set(rows.map((row) => String(row[categoryField] ?? "")))];
  const names = seriesField === undefined ? [""] : [...new Set(rows.map((row) => String(row[seriesField] ?? "")))];
  const series = names.map((name) => ({
    name,
    values: categories.map((category) => {
      const found = rows.find(
        (row) =>
          String(row[categoryField] ?? "") === category &&
          (seriesField === undefined || String(row[seriesField] ?? "") === name),
      );
      return asNumber(found?.[valueField]);
    }),
  }));
  if (!series.some((each) => each.values.some((value) => value !== undefined))) return undefined;
  const isStacked = spec.stack === true || (kind !== "line" && fields(along).length < 2 && seriesField !== undefined);
  return {
    kind,
    title: asString(asObject(spec.title)?.text) ?? "",
    isHorizontal,
    isStacked,
    categories,
    series,
  };
}

function rowsOf(data: unknown): JsonObject[] {
  const first = asObject(data) ?? asObject(asArray(data)[0]);
  return asObjects(first?.values);
}

function fields(value: unknown): string[] {
  return typeof value === "string" ? [value] : asStrings(value);
}

/** Round steps for an axis from 0 (or below) to at least the largest value: at most six labels. */
export function axisTicks(lowest: number, highest: number): number[] {
  const low = Math.min(0, lowest);
  const high = Math.max(0, highest);
  const span = high - low || 1;
  const rough = span / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? rough;
  const start = Math.floor(low / step);
  const end = Math.ceil(high / step);
  return Array.from({ length: end - start + 1 }, (_, at) => Number(((start + at) * step).toPrecision(12)));
}
