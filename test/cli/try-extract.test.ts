import { describe, expect, it } from "vitest";
import { tryExtract } from "../../src/cli/try-extract.ts";

describe("herald try extract", () => {
  it("prints titles, due dates with the zone's offset, momentum, and the messages as evidence", () => {
    const input = {
      now: "2026-03-11T18:00:00+08:00",
      zone: "Asia/Shanghai",
      sessions: [
        {
          id: "s1",
          source: "feishu",
          messages: [{ id: "m1", role: "user", at: "2026-03-11T10:00:00+08:00", text: "周四前把报价单发给客户A" }],
        },
      ],
      tracking: [
        {
          goalId: "g1",
          title: "取护照",
          status: "active",
          momentum: "on_track",
          dueAt: "2026-03-12T00:00:00+08:00",
          evidence: ["x1"],
        },
      ],
    };
    expect(tryExtract(JSON.stringify(input))).toEqual({
      items: [
        {
          title: "把报价单发给客户A",
          dueAt: "2026-03-12T00:00:00+08:00",
          momentum: "time_sensitive",
          evidence: ["m1"],
        },
        { title: "取护照", dueAt: "2026-03-12T00:00:00+08:00", momentum: "time_sensitive", evidence: ["g1"] },
      ],
    });
  });

  it("says in one line what was expected", () => {
    expect(() => tryExtract("nope")).toThrow(/^This is no JSON\. Expected \{/);
    expect(() => tryExtract('{"now":"2026-03-11T18:00:00+08:00","zone":"Nowhere","sessions":[]}')).toThrow(/^zone: /);
    expect(() => tryExtract('{"now":"2026-03-11T18:00:00+08:00","zone":"UTC"}')).toThrow(/^sessions: /);
  });
});
