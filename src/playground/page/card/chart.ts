import { axisTicks, type ChartData, readChart } from "../chart-data.ts";
import { icon } from "../icons.ts";
import { lookUp } from "../look-up.ts";
import { make } from "../make.ts";
import { asObject, asString } from "../read-json.ts";
import type { DrawComponent } from "./scene.ts";

const NS = "http://www.w3.org/2000/svg";
const HUES = ["blue", "turquoise", "orange", "violet", "green", "yellow", "carmine", "indigo"];
const RATIOS: Readonly<Record<string, number>> = { "1:1": 1, "2:1": 2, "4:3": 4 / 3, "16:9": 16 / 9 };
const WIDTH = 520;
const EDGE = { left: 40, right: 12, top: 12, bottom: 26 } as const;

/** Feishu component `chart`: line, area, bar and pie are drawn; what else there is gets a labelled frame. */
export const chartComponent: DrawComponent = (node, scene) => {
  const spec = asObject(node.chart_spec) ?? {};
  const data = readChart(spec);
  const ratio = lookUp(RATIOS, asString(node.aspect_ratio)) ?? (scene.narrow ? 1 : 16 / 9);
  const height = Math.round(WIDTH / ratio);
  if (!data) {
    const text = scene.words.chartUnsupported(asString(spec.type) ?? "?");
    return make("div", "chart-frame", icon("chart"), make("span", {}, text));
  }
  const label = [scene.words.chart, data.title, ...data.series.map((series) => describe(data, series))]
    .filter(Boolean)
    .join("; ");
  const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": label });
  svg.append(...(data.kind === "pie" ? pie(data, height) : plot(data, height)));
  const names = data.kind === "pie" ? data.categories : data.series.map((series) => series.name).filter(Boolean);
  const legend = names.map((name, at) => make("span", { class: "legend", style: { "--hue": colour(at) } }, name));
  return make(
    "div",
    "chart",
    data.title ? make("div", "chart-title", data.title) : undefined,
    svg,
    legend.length > 0 && make("div", "chart-legend", ...legend),
  );
};

function describe(data: ChartData, series: ChartData["series"][number]): string {
  const points = data.categories.map((category, at) => `${category} ${series.values[at] ?? "–"}`);
  return `${series.name ? `${series.name}: ` : ""}${points.join(", ")}`;
}

function plot(data: ChartData, height: number): SVGElement[] {
  const totals = data.categories.map((_, at) => data.series.reduce((sum, series) => sum + (series.values[at] ?? 0), 0));
  const singles = data.series.flatMap((series) => series.values.map((value) => value ?? 0));
  const values = data.isStacked ? totals : singles;
  const ticks = axisTicks(Math.min(...values), Math.max(...values));
  const low = ticks[0] ?? 0;
  const high = ticks.at(-1) ?? 1;
  const inner = { width: WIDTH - EDGE.left - EDGE.right, height: height - EDGE.top - EDGE.bottom };
  const across = data.isHorizontal && data.kind === "bar";
  const length = across ? inner.width : inner.height;
  const scale = (value: number): number => ((value - low) / (high - low || 1)) * length;
  const slot = (across ? inner.height : inner.width) / data.categories.length;
  const out: SVGElement[] = [];

  for (const tick of ticks) {
    const at = scale(tick);
    const [x, y] = across ? [EDGE.left + at, height - EDGE.bottom] : [EDGE.left, height - EDGE.bottom - at];
    out.push(
      across
        ? shape("line", { class: "grid-line", x1: x, x2: x, y1: EDGE.top, y2: height - EDGE.bottom })
        : shape("line", { class: "grid-line", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y, y2: y }),
      words(String(tick), across ? x : EDGE.left - 6, across ? height - 8 : y + 4, across ? "middle" : "end"),
    );
  }
  const every = Math.ceil(data.categories.length / (across ? 12 : 8));
  data.categories.forEach((category, at) => {
    if (at % every !== 0) return;
    const middle = (at + 0.5) * slot;
    const text = category.length > 8 ? `${category.slice(0, 7)}…` : category;
    out.push(
      across
        ? words(text, EDGE.left - 6, EDGE.top + middle + 4, "end")
        : words(text, EDGE.left + middle, height - 8, "middle"),
    );
  });

  if (data.kind === "bar") {
    const thickness = (slot * 0.64) / (data.isStacked ? 1 : data.series.length);
    const reached = data.categories.map(() => 0);
    data.series.forEach((series, index) => {
      series.values.forEach((value, at) => {
        if (value === undefined) return;
        const from = data.isStacked ? (reached[at] ?? 0) : 0;
        if (data.isStacked) reached[at] = from + value;
        const [start, end] = [scale(Math.min(from, from + value)), scale(Math.max(from, from + value))];
        const offset = at * slot + slot * 0.18 + (data.isStacked ? 0 : index * thickness);
        const box = across
          ? { x: EDGE.left + start, y: EDGE.top + offset, width: end - start, height: thickness }
          : { x: EDGE.left + offset, y: height - EDGE.bottom - end, width: thickness, height: end - start };
        out.push(shape("rect", { ...box, rx: 2, fill: colour(index) }));
      });
    });
    return out;
  }
  data.series.forEach((series, index) => {
    const points = series.values.flatMap((value, at): [number, number][] =>
      value === undefined ? [] : [[EDGE.left + (at + 0.5) * slot, height - EDGE.bottom - scale(value)]],
    );
    const path = points.map(([x, y], at) => `${at === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    const [first, last] = [points[0], points.at(-1)];
    if (data.kind === "area" && first && last) {
      const ground = height - EDGE.bottom - scale(0);
      out.push(
        shape("path", { d: `${path}L${last[0]} ${ground}L${first[0]} ${ground}Z`, fill: colour(index), opacity: 0.18 }),
      );
    }
    out.push(shape("path", { d: path, fill: "none", stroke: colour(index), "stroke-width": 2 }));
    out.push(...points.map(([x, y]) => shape("circle", { cx: x, cy: y, r: 3, fill: colour(index) })));
  });
  return out;
}

function pie(data: ChartData, height: number): SVGElement[] {
  const values = (data.series[0]?.values ?? []).map((value) => Math.max(0, value ?? 0));
  const total = values.reduce((sum, value) => sum + value, 0) || 1;
  const radius = height / 2 - 16;
  const [cx, cy] = [WIDTH / 2, height / 2];
  let angle = -Math.PI / 2;
  return values.map((value, at) => {
    const share = value / total;
    const start = angle;
    angle += share * Math.PI * 2;
    if (share > 0.9999) return shape("circle", { cx, cy, r: radius, fill: colour(at) });
    const point = (turn: number): string =>
      `${(cx + radius * Math.cos(turn)).toFixed(1)} ${(cy + radius * Math.sin(turn)).toFixed(1)}`;
    const large = share > 0.5 ? 1 : 0;
    return shape("path", {
      d: `M${cx} ${cy}L${point(start)}A${radius} ${radius} 0 ${large} 1 ${point(angle)}Z`,
      fill: colour(at),
      class: "slice",
    });
  });
}

function colour(index: number): string {
  return `var(--${HUES[index % HUES.length] ?? "blue"}-500)`;
}

function words(text: string, x: number, y: number, anchor: string): SVGElement {
  const element = shape("text", { x, y, "text-anchor": anchor });
  element.textContent = text;
  return element;
}

function shape(tag: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "fill" && String(value).startsWith("var(")) element.style.setProperty("fill", String(value));
    else if (name === "stroke" && String(value).startsWith("var(")) element.style.setProperty("stroke", String(value));
    else element.setAttribute(name, String(value));
  }
  return element;
}
