import { describe, expect, it } from "vitest";
import {
  extractByRules,
  extractInputSchema,
  type FoundByRules,
} from "../../../src/engine/proactive/extract-by-rules.ts";

/** One message on a Monday at noon in Shanghai, what the agent answers, and what is found that evening. */
function found(text: string, answer?: string, later?: string): FoundByRules[] {
  const at = (clock: string): string => `2026-03-09T${clock}:00+08:00`;
  const messages = [
    { id: "m1", role: "user", at: at("12:00"), text },
    ...(answer === undefined ? [] : [{ id: "m2", role: "assistant", at: at("12:00"), text: answer }]),
    ...(later === undefined ? [] : [{ id: "m3", role: "user", at: at("18:00"), text: later }]),
  ];
  return extractByRules(
    extractInputSchema.parse({
      now: at("20:00"),
      zone: "Asia/Shanghai",
      sessions: [{ id: "s1", source: "feishu", messages }],
    }),
  );
}

describe("talk that only sounds like a matter", () => {
  it.each([
    ["a habit", "我每天早上七点起，晚上一般十二点半睡"],
    ["what was meant to be", "上周五本来要去体检的，下大雨没去成"],
    ["long ago", "去年这会儿我还在赶标书，周五交周四还没写完"],
    ["an idle threat", "又改需求，明天再改我就辞职"],
    ["one life long", "我这辈子必须得去一趟火星"],
    ["what one likes", "记住我不吃香菜"],
    ["how the agent is to be", "以后回我消息短一点，不要列一二三"],
    ["a trial of somebody near", "我妹明天考科目三，紧张得睡不着"],
    ["what somebody else was given", "客户说周五前要演示环境，我让小赵去搭了"],
    ["what does not concern one", "物业说8月5日停水检修，我们这栋不在范围内"],
    ["a text that is asked for", "想三条短信文案，内容是会员3月15日到期，续费享八折"],
    ["a text that is shown", "turn this into bullet points: Applicants must register by 31 March."],
    ["a game", "你当面试官，我说：三天内给出新的排期"],
    ["a refusal", "recruiter wants a call Thursday at 3. not interested, told her no"],
    ["a plan only imagined", "in an ideal world I'd fly to Porto on Friday"],
    ["a standing fact", "for the record, our office closes at 4 on Fridays"],
  ])("is left alone: %s", (_kind, text) => {
    expect(found(text, "好的。")).toEqual([]);
  });

  it("without a word of oneself counts when the agent takes note of it, and not when it only talks along", () => {
    const said = "老师说明天课上还要再听写一次";
    expect(found(said, "真棒！")).toEqual([]);
    expect(found(said, "好，明天听写。")).toHaveLength(1);
  });
});

describe("what is over", () => {
  it.each([
    ["20分钟后叫我关火", "关了"],
    ["上午十点跟运营对一下活动方案，我来讲", "对完了，他们那边没意见"],
    ["明天早上8点提醒我喝水", "删了吧"],
    ["need to send the W-9 to the new client before noon tomorrow", "W-9's with them"],
  ])("is ended by the words people end it with: %s … %s", (said, end) => {
    expect(found(said, "好。", end)).toEqual([]);
  });

  it("is every one of a list when all of it is done", () => {
    const list = "今天要做的：1. 回客户邮件 2. 改合同第三条 3. 给打印机换墨盒";
    expect(found(list, "好。")).toHaveLength(3);
    expect(found(list, "好。", "三件都搞定了")).toEqual([]);
  });
});
