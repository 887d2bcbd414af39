import { describe, expect, test } from "vitest";
import { cssLengths, cssRadius, cssWidth } from "../../src/playground/page/card/lengths.ts";
import { axisTicks, readChart } from "../../src/playground/page/chart-data.ts";
import { CARD_LIMITS, weighCard } from "../../src/playground/page/count-elements.ts";
import { checkForm } from "../../src/playground/page/form-values.ts";
import { fieldLabel, valueLabel } from "../../src/playground/page/inspect-labels.ts";
import { documentsIn, inspectTable, rowsIn } from "../../src/playground/page/inspect-rows.ts";
import { cssColour, type Look, tone } from "../../src/playground/page/palette.ts";
import { pageOfRows, readCell } from "../../src/playground/page/table-cells.ts";
import { card, galleryState, REMINDER } from "./page-gallery.ts";

describe("a card's weight", () => {
  test("counts components and tagged texts, and nothing inside values, charts or rows", () => {
    const button = {
      tag: "button",
      text: { tag: "plain_text", content: "x" },
      behaviors: [{ type: "callback", value: { tag: "no" } }],
    };
    expect(weighCard(card(undefined, [button])).elements).toBe(2);
    expect(weighCard(card(undefined, [{ tag: "chart", chart_spec: { tag: "x" } }])).elements).toBe(1);
    expect(weighCard(card(undefined, [{ tag: "table", columns: [], rows: [{ tag: "x" }] }]))).toMatchObject({
      elements: 1,
      tables: 1,
    });
  });

  test("counts bytes as UTF-8 and nesting by containers", () => {
    expect(weighCard({ a: "字" }).bytes).toBe(Buffer.byteLength('{"a":"字"}'));
    const columns = (inner: object): object => ({ tag: "column_set", columns: [{ tag: "column", elements: [inner] }] });
    expect(weighCard(card(undefined, [columns(columns({ tag: "markdown", content: "" }))])).depth).toBe(2);
  });

  test("a reminder is far below every limit", () => {
    const weight = weighCard(REMINDER);
    expect(weight.bytes).toBeLessThan(CARD_LIMITS.bytes / 3);
    expect(weight.elements).toBeLessThan(CARD_LIMITS.elements / 3);
    expect(weight.depth).toBeLessThanOrEqual(2);
  });
});

describe("lengths and colours", () => {
  test("only what the platform allows reaches the style", () => {
    expect(cssLengths("large")).toBe("12px");
    expect(cssLengths("4px 12px")).toBe("4px 12px");
    expect(cssLengths("-12px 0 0 0")).toBe("-12px 0 0 0");
    for (const odd of ["4px;color:red", "url(x)", "100vw", "calc(1px)", 4, undefined])
      expect(cssLengths(odd)).toBeUndefined();
    expect(cssWidth("fill")).toBe("100%");
    expect(cssWidth("default")).toBeUndefined();
    expect(cssRadius("50%")).toBe("50%");
    expect(cssRadius("url(x)")).toBeUndefined();
  });

  test("names with and without steps, own colours, and nothing else", () => {
    expect(cssColour("blue")).toBe("var(--blue-600)");
    expect(cssColour("blue", 100)).toBe("var(--blue-100)");
    expect(cssColour("grey-500")).toBe("var(--grey-500)");
    expect(cssColour("neutral")).toBe("var(--grey-600)");
    expect(cssColour("rgba(5, 157, 178, 0.52)")).toBe("rgba(5, 157, 178, 0.52)");
    for (const odd of ["", undefined, "blue-123", "mauve", "url(x)", "red;}", "expression(1)", "constructor"]) {
      expect(cssColour(odd)).toBeUndefined();
    }
  });

  // WCAG 2 AA: 4.5 : 1 for text of ordinary size.
  const AA = 4.5;
  const grounds = { light: [1, 0, 0], dark: [0.268, 0.001, 286] } as const satisfies Record<Look, readonly number[]>;
  const hues = [
    "blue",
    "wathet",
    "turquoise",
    "lime",
    "green",
    "yellow",
    "orange",
    "red",
    "carmine",
    "violet",
    "purple",
    "indigo",
    "grey",
  ] as const;

  test.each(["light", "dark"] as const)("coloured text, labels and titles are readable in the %s look", (look) => {
    const weak: string[] = [];
    for (const hue of hues) {
      const pairs = {
        text: [tone(hue, 600, look), grounds[look]],
        label: [tone(hue, 700, look), tone(hue, 100, look)],
        title: [tone(hue, 800, look), tone(hue, 100, look)],
      } as const;
      for (const [name, [front, back]] of Object.entries(pairs)) {
        const ratio = contrast(luminance(front), luminance(back));
        if (ratio < AA) weak.push(`${hue} ${name} ${ratio.toFixed(2)}`);
      }
    }
    expect(weak).toEqual([]);
  });
});

describe("forms", () => {
  const field = (name: string, value: string, required = false): Parameters<typeof checkForm>[0][number] => ({
    name,
    required,
    value: () => value,
    isEmpty: () => value === "",
  });

  test("send every named value, empty ones too", () => {
    expect(checkForm([field("a", "1", true), field("b", "")])).toEqual({ outcome: "send", values: { a: "1", b: "" } });
  });

  test("send nothing while something required is missing", () => {
    expect(checkForm([field("a", "", true), field("b", "", true), field("c", "")])).toEqual({
      outcome: "missing",
      names: ["a", "b"],
    });
  });

  test("send nothing when a name is missing or doubled, as the platform's client refuses them", () => {
    expect(checkForm([field("", "x")])).toEqual({ outcome: "bad_names" });
    expect(checkForm([field("a", "x"), field("a", "y")])).toEqual({ outcome: "bad_names" });
  });
});

describe("tables", () => {
  const place = { language: "zh_cn", timeZone: "Asia/Shanghai" } as const;

  test("turn pages within what there is", () => {
    const rows = Array.from({ length: 8 }, (_, at) => at);
    expect(pageOfRows(rows, 3, 1)).toEqual({ rows: [0, 1, 2], pages: 3, page: 1 });
    expect(pageOfRows(rows, 3, 9)).toEqual({ rows: [6, 7], pages: 3, page: 3 });
    expect(pageOfRows(rows, 99, 1).rows.length).toBe(8);
    expect(pageOfRows([], 5, 1)).toEqual({ rows: [], pages: 1, page: 1 });
  });

  test("read cells by their column's type", () => {
    expect(
      readCell({ data_type: "number", format: { precision: 2, symbol: "¥", separator: true } }, 1234.5, place),
    ).toEqual({ kind: "text", text: "¥1,234.50" });
    expect(readCell({ data_type: "number", format: { symbol: "%" } }, 12, place)).toEqual({
      kind: "text",
      text: "12%",
    });
    expect(readCell({ data_type: "date", date_format: "YYYY/MM/DD HH:mm" }, Date.UTC(2026, 0, 1, 16), place)).toEqual({
      kind: "text",
      text: "2026/01/02 00:00",
    });
    expect(readCell({ data_type: "options" }, [{ text: "a", color: "red" }], place)).toEqual({
      kind: "options",
      options: [{ text: "a", colour: "red" }],
    });
    expect(readCell({ data_type: "persons" }, ["ou_1", "ou_2"], place)).toEqual({
      kind: "persons",
      openIds: ["ou_1", "ou_2"],
    });
    expect(readCell({ data_type: "text" }, undefined, place)).toEqual({ kind: "text", text: "" });
  });
});

describe("charts", () => {
  test("several series over the same categories", () => {
    const chart = readChart({
      type: "bar",
      data: {
        values: [
          { x: "a", y: 1, k: "p" },
          { x: "b", y: 2, k: "p" },
          { x: "a", y: 3, k: "q" },
        ],
      },
      xField: "x",
      yField: "y",
      seriesField: "k",
    });
    expect(chart).toMatchObject({
      categories: ["a", "b"],
      isStacked: true,
      series: [
        { name: "p", values: [1, 2] },
        { name: "q", values: [3, undefined] },
      ],
    });
  });

  test("pies by category, horizontal bars by their own axis", () => {
    expect(
      readChart({ type: "pie", data: [{ values: [{ k: "a", v: 1 }] }], valueField: "v", categoryField: "k" })
        ?.categories,
    ).toEqual(["a"]);
    const bar = readChart({
      type: "bar",
      direction: "horizontal",
      data: { values: [{ n: 2, who: "a" }] },
      xField: "n",
      yField: "who",
    });
    expect(bar).toMatchObject({ isHorizontal: true, categories: ["a"], series: [{ values: [2] }] });
  });

  test("what cannot be drawn is said, not guessed", () => {
    for (const spec of [
      {},
      { type: "sankey" },
      { type: "line", data: {} },
      { type: "line", data: { values: [{ a: 1 }] }, xField: "x", yField: "y" },
    ]) {
      expect(readChart(spec)).toBeUndefined();
    }
  });

  test("axes have few round steps that hold every value", () => {
    for (const [low, high] of [
      [0, 7],
      [0, 0.03],
      [-5, 12],
      [0, 123_456],
      [0, 0],
    ] as const) {
      const ticks = axisTicks(low, high);
      expect(ticks.length).toBeLessThanOrEqual(7);
      expect(ticks[0]).toBeLessThanOrEqual(low);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(high);
    }
  });
});

describe("the inspector", () => {
  test("finds the rows of an answer, whatever holds them", () => {
    expect(rowsIn([{ a: 1 }, 2])).toEqual([{ a: 1 }]);
    expect(rowsIn({ total: 1, items: [{ a: 1 }] })).toEqual([{ a: 1 }]);
    expect(rowsIn("no")).toEqual([]);
  });

  test("shows the telling columns of rows it knows", () => {
    const item = { id: "x", number: 3, title: "t", status: "active", momentum: "waiting", dueAt: null, zeal: 1 };
    expect(inspectTable([item], "items").columns).toEqual(["number", "title", "status", "momentum"]);
  });

  test("makes sensible columns of rows it has never seen, ids last", () => {
    const rows = [{ goalId: "g", agentId: "a", zeal: 3, status: "active", title: "t", summary: "", evidence: [] }];
    for (const what of ["novelties", "items"]) {
      expect(inspectTable(what === "items" ? [{ goalId: "g", zeal: 3 }] : rows, what).columns).toEqual(
        what === "items" ? ["zeal", "goalId"] : ["title", "status", "zeal", "goalId"],
      );
    }
    expect(inspectTable([], "items").columns).toEqual([]);
  });

  test("names fields and states in the reader's language, and leaves unknown ones readable", () => {
    expect(fieldLabel("dueAt", "zh_cn")).toBe("截止");
    expect(fieldLabel("dueAt", "en_us")).toBe("Due at");
    expect(fieldLabel("brandNewField", "zh_cn")).toBe("brand New Field");
    expect(valueLabel("momentum", "time_sensitive", "zh_cn")).toEqual({ text: "快到期", colour: "red" });
    expect(valueLabel("momentum", "time_sensitive", "en_us")).toEqual({ text: "time sensitive", colour: "red" });
    expect(valueLabel("reason", "closed", "zh_cn").text).not.toBe(valueLabel("status", "closed", "zh_cn").text);
    expect(valueLabel("constructor", "toString", "zh_cn")).toEqual({ text: "toString" });
  });

  test("reads a run's documents in either form", () => {
    expect(documentsIn({ documents: [{ name: "a.md", content: "x" }] })).toEqual([{ name: "a.md", content: "x" }]);
    expect(documentsIn({ documents: { "a.md": "x" } })).toEqual([{ name: "a.md", content: "x" }]);
    expect(documentsIn(undefined)).toEqual([]);
  });
});

test("every card of the gallery is within the platform's limits, so that it shows what can really be sent", () => {
  for (const each of Object.values(galleryState().messages).flat()) {
    if (each.content.kind !== "card") continue;
    const weight = weighCard(each.content.card);
    for (const key of ["bytes", "elements", "depth", "tables"] as const)
      expect(weight[key]).toBeLessThanOrEqual(CARD_LIMITS[key]);
  }
});

/** Relative luminance of an OKLCH tone, by way of linear sRGB, colours outside the screen's range cut off. */
function luminance([lightness, chroma, degrees]: readonly [number, number, number]): number {
  const a = chroma * Math.cos((degrees * Math.PI) / 180);
  const b = chroma * Math.sin((degrees * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (part: number): number => Math.min(1, Math.max(0, part));
  const red = clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}
