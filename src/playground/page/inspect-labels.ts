import { card as en } from "../../text/en/card.ts";
import { card as zh } from "../../text/zh/card.ts";
import type { PageLanguage } from "../page-api.ts";
import { lookUp } from "./look-up.ts";

/** Chinese names of stored fields; in English the field's own name is read as words. */
const FIELDS: Readonly<Record<string, string>> = {
  number: "#",
  index: "序号",
  title: "标题",
  summary: "摘要",
  text: "内容",
  draft: "草稿",
  kind: "类型",
  matterKind: "事项类型",
  status: "状态",
  momentum: "进展",
  outcome: "结果",
  decision: "决定",
  reason: "原因",
  note: "备注",
  whyNow: "为什么是现在",
  evidence: "依据",
  dueAt: "截止",
  dueGrain: "截止精度",
  snoozedUntil: "推迟到",
  exact: "准点",
  audience: "可见范围",
  reminderCount: "已提醒",
  ignoredCount: "未理会",
  lastRemindedAt: "上次提醒",
  claimedDoneAt: "自称完成于",
  closedAt: "关闭于",
  closedBy: "关闭人",
  closedWhy: "关闭原因",
  startedAt: "开始",
  finishedAt: "结束",
  settledAt: "完成于",
  slotAt: "时段",
  windowStart: "窗口起点",
  windowEnd: "窗口终点",
  extractor: "提取方式",
  editor: "编辑",
  counts: "计数",
  error: "错误",
  lastError: "上次错误",
  attempts: "尝试次数",
  createdAt: "创建于",
  updatedAt: "更新于",
  sentAt: "发送于",
  at: "时间",
  what: "操作",
  actorKind: "执行者",
  actorId: "执行者编号",
  subjectKind: "对象",
  subjectId: "对象编号",
  before: "之前",
  after: "之后",
  job: "任务",
  revision: "版本",
};

/** Chinese for stored words that name a state. */
const VALUES: Readonly<Record<string, string>> = {
  active: "跟进中",
  closed: "已关闭",
  pending: "进行中",
  committed: "已提交",
  superseded: "已作废",
  delivered: "已送达",
  failed: "失败",
  sent: "已发送",
  send: "发送",
  skip: "跳过",
  done: "完成",
  dropped: "已放弃",
  no_op: "无事可做",
  silent: "保持安静",
  time_sensitive: "快到期",
  stalled: "停滞",
  waiting: "等待中",
  on_track: "正常",
  true: "是",
  false: "否",
};

/** Words that stand for a state, and the colour that says it at a glance. */
const COLOURS: Readonly<Record<string, string>> = {
  active: "blue",
  pending: "orange",
  closed: "grey",
  done: "green",
  delivered: "green",
  committed: "green",
  send: "green",
  sent: "green",
  failed: "red",
  dropped: "grey",
  skip: "grey",
  no_op: "grey",
  silent: "grey",
  superseded: "grey",
  time_sensitive: "red",
  stalled: "orange",
  waiting: "violet",
  on_track: "turquoise",
};

/** A stored field's name for a person; a field this page does not know keeps its own name, read as words. */
export function fieldLabel(name: string, language: PageLanguage): string {
  const known = language === "zh_cn" ? lookUp(FIELDS, name) : undefined;
  if (known) return known;
  if (name === "number") return "#";
  const words = name.replace(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ");
  return language === "en_us" ? words.charAt(0).toUpperCase() + words.slice(1).toLowerCase() : words;
}

/** Words the cards have already, by the field they stand in: the inspector says it the same way. */
const ON_CARDS: Readonly<Record<PageLanguage, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  zh_cn: onCards(zh),
  en_us: onCards(en),
};

function onCards(text: typeof zh): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return {
    reason: { ...text.reasons, ...text.run.reasons },
    outcome: { ...text.status.jobOutcomes, ...text.run.outcomes },
    extractor: text.run.extractors,
    editor: text.run.editors,
    document: text.documents,
  };
}

/** A stored word for a person, and its colour when it names a state. `field` is where it stands. */
export function valueLabel(
  field: string,
  value: string,
  language: PageLanguage,
): { readonly text: string; readonly colour?: string } {
  const colour = field === "reason" ? undefined : lookUp(COLOURS, value);
  const said = lookUp(lookUp(ON_CARDS[language], field) ?? {}, value);
  if (said) return colour ? { text: said, colour } : { text: said };
  const text = language === "zh_cn" ? (lookUp(VALUES, value) ?? value) : colour ? value.replaceAll("_", " ") : value;
  return colour ? { text, colour } : { text };
}
