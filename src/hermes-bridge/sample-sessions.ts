import { DateTime } from "luxon";

/** A row of a sample session. `ago` is minutes before now. */
export interface SampleMessage {
  role: "user" | "assistant" | "tool";
  ago: number;
  text: string;
  toolName?: string;
  toolCalls?: readonly { name: string; arguments: Record<string, unknown> }[];
  observed?: boolean;
  undone?: boolean;
}

export interface SampleSession {
  key: string;
  source: string;
  title: string;
  chat?: "dm" | "group";
  endReason?: string;
  messages: readonly SampleMessage[];
}

/** Says a day as a person would who speaks at `said`. */
function dayWords(said: DateTime, day: DateTime): { zh: string; en: string } {
  const days = Math.round(day.startOf("day").diff(said.startOf("day"), "days").days);
  const near = { 0: ["今天", "today"], 1: ["明天", "tomorrow"], 2: ["后天", "the day after tomorrow"] }[days];
  if (near) return { zh: near[0] ?? "", en: near[1] ?? "" };
  const inNextWeek = day.startOf("week") > said.startOf("week");
  return {
    zh: `${inNextWeek ? "下" : "这"}周${"一二三四五六日"[day.weekday - 1]}`,
    en: `${inNextWeek ? "next " : ""}${day.setLocale("en").weekdayLong}`,
  };
}

/**
 * The last day and a half of an invented person in Shanghai who works in two languages: a handful of things that are
 * still open among many that are not (done, dropped, joked about, translated, somebody else's, machine-made).
 */
export function sampleSessions(now: Date, zone: string): readonly SampleSession[] {
  const here = DateTime.fromJSDate(now, { zone });
  const word = (ago: number, daysAhead: number): { zh: string; en: string } =>
    dayWords(here.minus({ minutes: ago }), here.plus({ days: daysAhead }));

  return [
    {
      key: "contract",
      source: "feishu",
      title: "云杉合同修订",
      chat: "dm",
      messages: [
        { role: "user", ago: 190, text: `法务周敏要云杉项目的修订版合同，${word(190, 1).zh}下午三点前我得发给她` },
        {
          role: "assistant",
          ago: 189,
          text: "明白。修订版里还有两处没定稿：第 4 条付款节点、第 9 条违约责任。需要我先列出改动对照吗？",
        },
        { role: "user", ago: 187, text: "先列对照吧" },
        { role: "assistant", ago: 186, text: "对照已列好，第 4 条和第 9 条都标出来了。" },
      ],
    },
    {
      key: "printer",
      source: "feishu",
      title: "画册印刷询价",
      chat: "dm",
      messages: [
        { role: "user", ago: 400, text: "画册的询价单我发给启明印务了，等他们报价，报价到了再定纸张" },
        { role: "assistant", ago: 399, text: "好的，报价回来后可以把数字发给我，我按 1000 册和 2000 册两档帮你比价。" },
      ],
    },
    {
      key: "export",
      source: "cli",
      title: "Nightly export keeps failing",
      messages: [
        {
          role: "user",
          ago: 620,
          text: "The nightly export dies with ECONNRESET after about 2 GB. Help me find out why.",
        },
        {
          role: "assistant",
          ago: 618,
          text: "Let me reproduce it with a smaller part first.",
          toolCalls: [{ name: "terminal", arguments: { command: "npm run export -- --since yesterday" } }],
        },
        {
          role: "tool",
          ago: 615,
          toolName: "terminal",
          text: '{"output":"uploaded 2.1 GB\\nError: read ECONNRESET","exit_code":1}',
        },
        {
          role: "assistant",
          ago: 614,
          text: "Same error: the storage side closes the connection after 30 minutes. A chunked upload would get around that.",
        },
        {
          role: "user",
          ago: 610,
          text: "OK, I have to stop here for today. The chunked upload is still not done, I'll pick it up again later.",
        },
        { role: "assistant", ago: 609, text: "Noted. The branch is export-chunks; only the retry loop is missing." },
      ],
    },
    {
      key: "checklist",
      source: "telegram",
      title: "Onboarding for Priya",
      chat: "dm",
      messages: [
        {
          role: "user",
          ago: 300,
          text: `I promised Priya I'd send her the onboarding checklist by ${word(300, 3).en}.`,
        },
        { role: "assistant", ago: 299, text: "Got it. Do you want a draft based on last year's list?" },
        { role: "user", ago: 297, text: "Yes, but I want to go over it myself first." },
      ],
    },
    {
      key: "salary",
      source: "feishu",
      title: "调薪沟通准备",
      chat: "dm",
      messages: [
        {
          role: "user",
          ago: 510,
          text: `${word(510, 2).zh}上午十点要跟林总谈调薪，这事先别让别人知道，帮我准备三条理由`,
        },
        {
          role: "assistant",
          ago: 508,
          text: "三条理由：一、负责的营收涨了 18%；二、带出两名新人；三、市场价位高出一成半。",
        },
      ],
    },
    {
      key: "weekly",
      source: "feishu",
      title: "周报",
      chat: "dm",
      messages: [
        { role: "user", ago: 820, text: "今天下班前要把周报发给王总" },
        { role: "assistant", ago: 819, text: "好，我先按上周的结构起草。" },
        { role: "user", ago: 700, text: "周报已经发给王总了，他回复收到" },
        { role: "assistant", ago: 699, text: "好的，这件事就算完成了。" },
      ],
    },
    {
      key: "dentist",
      source: "telegram",
      title: "Dentist",
      chat: "dm",
      messages: [
        { role: "user", ago: 860, text: "I have to call the dentist today." },
        { role: "user", ago: 845, text: "Called the dentist, that's done." },
        { role: "assistant", ago: 844, text: "Great, nothing left to do there." },
      ],
    },
    {
      key: "talk",
      source: "cli",
      title: "Conference proposal",
      messages: [
        { role: "user", ago: 760, text: `I should submit the talk proposal ${word(760, 1).en}.` },
        { role: "assistant", ago: 759, text: "I can turn your notes into an abstract." },
        { role: "user", ago: 755, text: "Forget it, I'm not going to submit this year." },
      ],
    },
    {
      key: "joke",
      source: "feishu",
      title: "闲聊",
      chat: "dm",
      messages: [
        { role: "user", ago: 230, text: "再改一版需求我明天就辞职去月球种菜，哈哈开玩笑的" },
        { role: "assistant", ago: 229, text: "月球土豆据说收成不错。需要我先把第七版的改动汇总一下吗？" },
        { role: "user", ago: 228, text: "不用，哈哈" },
      ],
    },
    {
      key: "translate",
      source: "feishu",
      title: "翻译通知",
      chat: "dm",
      messages: [
        {
          role: "user",
          ago: 280,
          text: "把这段翻译成英文：\n“请各部门于本周五下班前提交年度预算表，逾期不予受理。”",
        },
        {
          role: "assistant",
          ago: 279,
          text: "“All departments are to submit their annual budget forms by close of business this Friday; late submissions will not be accepted.”",
        },
      ],
    },
    {
      key: "team",
      source: "feishu",
      title: "市场部小队",
      chat: "group",
      messages: [
        { role: "user", ago: 160, text: "小陈：明天上午记得把展台物料清单交给行政", observed: true },
        { role: "user", ago: 155, text: "小吴：好的，我来交", observed: true },
        { role: "user", ago: 150, text: "@Hermes 上次展会的物料一共多少箱？" },
        { role: "assistant", ago: 149, text: "上次一共 14 箱，其中 3 箱是展架。" },
      ],
    },
    {
      key: "cake",
      source: "feishu",
      title: "撤回的念头",
      chat: "dm",
      messages: [
        { role: "user", ago: 340, text: "提醒我周六去取蛋糕", undone: true },
        { role: "assistant", ago: 339, text: "好的，周六提醒你。", undone: true },
        { role: "user", ago: 336, text: "HTTP 状态码 429 是什么意思" },
        { role: "assistant", ago: 335, text: "429 Too Many Requests：请求太频繁，被限流了。" },
      ],
    },
    {
      key: "briefing",
      source: "cron",
      title: "每日简报",
      endReason: "cron_complete",
      messages: [
        { role: "user", ago: 560, text: "汇总行业新闻，列出今天需要跟进的事项" },
        { role: "assistant", ago: 559, text: "今天需要跟进：给客户甲发报价单；周四前回复展会主办方。" },
      ],
    },
    {
      key: "mirror",
      source: "feishu",
      title: "简报送达",
      chat: "dm",
      messages: [
        {
          role: "user",
          ago: 558,
          text: "Cronjob Response: 每日简报\n(job_id: 5f0c2a7be911)\n-------------\n今天需要跟进：给客户甲发报价单；周四前回复展会主办方。",
        },
        { role: "assistant", ago: 557, text: "[SILENT]" },
        { role: "user", ago: 540, text: "谢谢，简报看过了" },
        { role: "assistant", ago: 539, text: "好的。" },
      ],
    },
    {
      key: "worker",
      source: "subagent",
      title: "Compare storage prices",
      messages: [
        { role: "user", ago: 605, text: "Collect prices of three storage providers and report back by tomorrow." },
        { role: "assistant", ago: 600, text: "Collected: 21, 23 and 19 dollars per TB and month." },
      ],
    },
  ];
}
