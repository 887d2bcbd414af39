import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shapeTitle } from "../../../src/engine/proactive/rules/shape-title.ts";

describe("a title", () => {
  it.each([
    ["照片还没拍", "拍照片"],
    ["信用卡这期账单还", "还信用卡这期账单"],
    ["老婆生日蛋糕要订，别忘了", "订老婆生日蛋糕"],
    ["体检报告要去拿", "拿体检报告"],
    ["护照快过期了，去换", "换护照"],
    ["差旅报销还没交，补上", "交差旅报销"],
  ])("puts the verb before what it is done to: %s → %s", (said, title) => {
    expect(shapeTitle(said, "errand")).toBe(title);
  });

  it.each([
    ["帮我写个爬取课表的脚本", "写个爬取课表的脚本"],
    ["把上个月的客诉按类型统计一下", "把上个月的客诉按类型统计"],
    ["can you benchmark the two parsers", "benchmark the two parsers"],
    ["还有空腹抽血", "空腹抽血"],
    ["i really should ring nan", "ring nan"],
  ])("has no filler and no address to the agent: %s → %s", (said, title) => {
    expect(shapeTitle(said, "promise")).toBe(title);
  });

  it.each([
    ["老师在群里说家长会改到了", "家长会"],
    ["项目复盘定", "项目复盘"],
    ["council tax is", "council tax"],
    ["Beth wants to move our 1:1 to", "Beth wants to move our 1:1"],
  ])("leaves nothing hanging where the date was: %s → %s", (said, title) => {
    expect(shapeTitle(said, "follow_up")).toBe(title);
  });

  it.each([
    ["医生说出结果", "等医生出结果"],
    ["还有小孟那边的设计稿，她说给", "等小孟那边的设计稿"],
    ["报价我得等采购小倪给成本，她说给", "报价等采购小倪给成本"],
    ["物流说货卡在海关了", "物流说货卡在海关了"],
  ])("says of a waiting whom it waits for: %s → %s", (said, title) => {
    expect(shapeTitle(said, "waiting")).toBe(title);
  });

  it("keeps the name a pronoun stood for", () => {
    expect(shapeTitle("刚答应了小姨帮她修电脑", "promise")).toBe("帮小姨修电脑");
    expect(shapeTitle("导师要我把ppt给他看", "errand")).toBe("把ppt给导师看");
    expect(shapeTitle("I told Femi I'd send him the £120 for the tent", "promise")).toBe(
      "send Femi the £120 for the tent",
    );
    expect(shapeTitle("told Nadia I'd review her grant draft", "promise")).toBe("review Nadia's grant draft");
  });

  it("is short, of one line, and never empty where words were said", () => {
    const words = fc.constantFrom(
      "帮我",
      "还没",
      "要",
      "我",
      "材料",
      "发",
      "给",
      "小王",
      "说",
      "，",
      "the deck",
      "send",
      "is",
    );
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 20 }), (parts) => {
        const said = parts.join("");
        const title = shapeTitle(said, "errand");
        expect([...title].length).toBeLessThanOrEqual(60);
        expect(title).not.toContain("\n");
        if (/材料|小王|deck/.test(said)) expect(title).not.toBe("");
      }),
    );
  });
});
