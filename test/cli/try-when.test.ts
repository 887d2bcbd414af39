import { describe, expect, it } from "vitest";
import { tryWhen } from "../../src/cli/try-when.ts";

const line = (text: string): string =>
  JSON.stringify({ text, now: "2026-03-11T14:20:00+08:00", zone: "Asia/Shanghai" });

describe("herald try when", () => {
  it("answers each line with one line, instants with the zone's offset", () => {
    const { lines, errors } = tryWhen([line("明天10点到12点"), line("你好"), line("周五")].join("\n"));
    expect(lines).toEqual([
      '{"start":"2026-03-12T10:00:00+08:00","end":"2026-03-12T12:00:00+08:00"}',
      "null",
      '{"start":"2026-03-13T00:00:00+08:00"}',
    ]);
    expect(errors).toEqual([]);
  });

  it("names a bad line by its number, answers it with null, and goes on", () => {
    const { lines, errors } = tryWhen(
      [
        line("周五"),
        "{",
        '{"text":"周五","now":"heute","zone":"Asia/Shanghai"}',
        '{"text":"x","now":"2026-03-11T14:20:00Z","zone":"Mars"}',
        line("明天"),
      ].join("\n"),
    );
    expect(lines).toHaveLength(5);
    expect(lines.slice(1, 4)).toEqual(["null", "null", "null"]);
    expect(errors).toHaveLength(3);
    expect(errors[0]).toMatch(/^Line 2: this is no JSON\. Expected /);
    expect(errors[1]).toMatch(/^Line 3: now: /);
    expect(errors[2]).toMatch(/^Line 4: zone: /);
  });
});
