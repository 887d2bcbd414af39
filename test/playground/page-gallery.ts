import type { CardJson, PageChat, PageMessage, PageUser, PlaygroundState } from "../../src/playground/page-api.ts";

/** Monday 09:41 in Shanghai. */
export const GALLERY_NOW = "2026-11-30T01:41:00.000Z";

const OWNER: PageUser = user("ou_owner", "王小明", "小明", "zh_cn", "所有者", "Owner");
const COLLEAGUE: PageUser = user("ou_colleague", "李雷", "李雷", "zh_cn", "同事", "Colleague");
const ENGLISH: PageUser = user("ou_english", "Ada", "A", "en_us", "英文读者", "English reader");
const BOT = "ou_bot";

function user(
  userId: string,
  name: string,
  initials: string,
  language: PageUser["language"],
  zh: string,
  en: string,
): PageUser {
  return { userId, name, initials, language, role: { zh_cn: zh, en_us: en } };
}

const text = (content: string, en?: string, more: object = {}): object => ({
  tag: "plain_text",
  content,
  ...(en ? { i18n_content: { zh_cn: content, en_us: en } } : {}),
  ...more,
});
const markdown = (content: string, more: object = {}): object => ({ tag: "markdown", content, ...more });
const callback = (value: object): object[] => [{ type: "callback", value }];
const button = (label: string, en: string, type: string, value: object, more: object = {}): object => ({
  tag: "button",
  text: text(label, en),
  type,
  behaviors: callback(value),
  ...more,
});

/** A card frame around elements. */
export function card(header: object | undefined, elements: object[], config: object = {}): CardJson {
  return {
    schema: "2.0",
    config: { update_multi: true, width_mode: "default", locales: ["zh_cn", "en_us"], ...config },
    ...(header ? { header } : {}),
    body: { direction: "vertical", padding: "12px 12px 12px 12px", vertical_spacing: "8px", elements },
  };
}

/** A reminder as Herald sends one. */
export const REMINDER: CardJson = card(
  {
    title: text("还有 2 件事没了结", "2 matters are still open"),
    subtitle: text("来自昨天到今早的 3 个会话", "From 3 sessions since yesterday"),
    template: "blue",
    icon: { tag: "standard_icon", token: "alarm-clock_outlined", color: "blue" },
    text_tag_list: [{ tag: "text_tag", text: text("今天到期", "Due today"), color: "orange" }],
  },
  [
    markdown("早上好，小明。**季度复盘**今天 18:00 前要交，昨晚只写到第二节；另外李雷还在等你的合同意见。", {
      i18n_content: {
        zh_cn: "早上好，小明。**季度复盘**今天 18:00 前要交，昨晚只写到第二节；另外李雷还在等你的合同意见。",
        en_us:
          "Good morning. The **quarterly review** is due today at 18:00 and stopped at section two last night; and Li Lei is still waiting for your view on the contract.",
      },
    }),
    { tag: "hr" },
    { tag: "div", text: text("1 · 交季度复盘", "1 · Hand in the quarterly review", { lines: 2 }) },
    {
      tag: "div",
      text: text("今天 18:00 到期 · 昨晚 22:10 提到 · 做到一半", "Due today 18:00 · mentioned 22:10 · half done", {
        text_size: "notation",
        text_color: "grey",
      }),
    },
    row([
      button("完成", "Done", "primary", { go: "done", item: 1 }, { size: "small" }),
      button("先放一放", "Snooze", "default", { go: "snooze", item: 1 }, { size: "small" }),
      button("交给 Hermes", "Carry on", "default", { go: "carry", item: 1 }, { size: "small" }),
      {
        tag: "overflow",
        options: [
          { text: text("不再跟进", "Drop it"), value: "drop" },
          { text: text("少提醒这类", "Fewer of these"), value: "fewer" },
        ],
        behaviors: callback({ go: "menu", item: 1 }),
      },
    ]),
    { tag: "hr" },
    { tag: "div", text: text("2 · 回复李雷合同的付款条款", "2 · Answer Li Lei on the payment terms", { lines: 2 }) },
    row([
      button("完成", "Done", "default", { go: "done", item: 2 }, { size: "small" }),
      {
        tag: "select_static",
        placeholder: text("提醒我…", "Remind me…"),
        width: "120px",
        options: [
          { text: text("1 小时后", "In 1 hour"), value: "1h" },
          { text: text("今晚", "This evening"), value: "evening" },
          { text: text("明天上午", "Tomorrow morning"), value: "tomorrow" },
        ],
        behaviors: callback({ go: "snooze", item: 2 }),
      },
      {
        tag: "picker_datetime",
        placeholder: text("选个时间", "Pick a time"),
        width: "150px",
        behaviors: callback({ go: "snoozeUntil", item: 2 }),
      },
    ]),
    {
      tag: "collapsible_panel",
      expanded: false,
      header: { title: text("为什么提醒我", "Why am I told this") },
      border: { color: "grey", corner_radius: "5px" },
      padding: "8px 8px 8px 8px",
      elements: [markdown("- 昨晚 22:10：「复盘我写到第二节，明早接着写」\n- 今早 08:55：李雷问「合同那条你看了吗」")],
    },
  ],
  { summary: text("还有 2 件事没了结", "2 matters are still open") },
);

function row(controls: object[]): object {
  return {
    tag: "column_set",
    flex_mode: "flow",
    horizontal_spacing: "8px",
    columns: controls.map((control) => ({
      tag: "column",
      width: "auto",
      vertical_align: "center",
      elements: [control],
    })),
  };
}

const DECIDED = card(
  {
    title: text("都处理好了", "All settled"),
    template: "green",
    icon: { tag: "standard_icon", token: "yes_outlined", color: "green" },
    text_tag_list: [{ tag: "text_tag", text: text("已完成", "Done"), color: "green" }],
  },
  [
    markdown("~~交季度复盘~~  <text_tag color='green'>完成</text_tag>"),
    markdown("<font color='grey'>王小明 · 今天 09:42</font>", { text_size: "notation" }),
    row([button("撤销", "Undo", "text", { go: "undo" }, { size: "small" })]),
  ],
);

const TEXTS = card({ title: text("文字与标记", "Texts"), template: "turquoise" }, [
  markdown(
    "# 一级标题\n## 二级标题\n正文里有**粗体**、*斜体*、~~删除线~~、`行内代码`、[链接](https://www.feishu.cn)，\n软换行之后。<br>硬换行之后。\n\n> 引用：先看证据，再做决定。\n\n1. 第一步\n2. 第二步\n    - 细节甲\n    - 细节乙\n\n```ts\nconst answer: number = 42; // 很长的一行代码会在里面横向滚动，而不会把卡片撑宽 ..........\n```\n\n---\n\n| 项目 | 负责人 | 进度 |\n| :-- | :-: | --: |\n| 复盘 | 王小明 | 60% |\n| 合同 | 李雷 | **待回复** |",
  ),
  markdown(
    "<font color='red'>红</font> <font color='green'>绿</font> <font color='grey'>灰</font> <font color='blue'>蓝</font> <font color='orange'>橙</font> <font color='violet'>紫罗兰</font> <font color='carmine'>胭脂</font> · <text_tag color='blue'>蓝标签</text_tag> <text_tag color='orange'>橙标签</text_tag> <text_tag color='red'>红标签</text_tag> <text_tag color='neutral'>中性</text_tag> · <number_tag background_color='red' font_color='white'>3</number_tag>",
  ),
  markdown(
    "提到 <at id=ou_colleague></at>，由 <person id='ou_owner' show_name=true show_avatar=true style='capsule'></person> 负责，时间 <local_datetime millisecond='1780000000000' format_type='date'></local_datetime> <local_datetime millisecond='1780000000000' format_type='time'></local_datetime>（<local_datetime millisecond='1780000000000' format_type='week'></local_datetime>）",
  ),
  markdown("危险的内容只当作文字：<script>alert(1)</script> <img src=x onerror=alert(1)> [点我](javascript:alert(1))"),
  {
    tag: "div",
    fields: [
      { is_short: true, text: { tag: "lark_md", content: "**来源**\n飞书私聊" } },
      { is_short: true, text: { tag: "lark_md", content: "**截止**\n今天 18:00" } },
      { is_short: false, text: { tag: "lark_md", content: "**说明**\n字段两两并排，长的独占一行。" } },
    ],
  },
  markdown("小号灰色脚注", {
    text_size: "notation",
    icon: { tag: "standard_icon", token: "info_outlined", color: "grey" },
  }),
]);

const BUTTONS = card({ title: text("按钮", "Buttons"), template: "violet" }, [
  row([
    button("默认", "Default", "default", { b: 1 }),
    button("主要", "Primary", "primary", { b: 2 }),
    button("危险", "Danger", "danger", { b: 3 }),
    button("主要填充", "Filled", "primary_filled", { b: 4 }),
    button("危险填充", "Danger filled", "danger_filled", { b: 5 }),
  ]),
  row([
    button("文字", "Text", "text", { b: 6 }),
    button("主要文字", "Primary text", "primary_text", { b: 7 }),
    button("危险文字", "Danger text", "danger_text", { b: 8 }),
    button("极光", "Laser", "laser", { b: 9 }),
  ]),
  row([
    button("极小", "Tiny", "default", { b: 10 }, { size: "tiny" }),
    button("小", "Small", "default", { b: 11 }, { size: "small" }),
    button("中", "Medium", "default", { b: 12 }, { size: "medium" }),
    button("大", "Large", "default", { b: 13 }, { size: "large" }),
  ]),
  row([
    button(
      "不可用",
      "Disabled",
      "primary",
      { b: 14 },
      { disabled: true, disabled_tips: text("已经由李雷处理了", "Li Lei took care of it") },
    ),
    button(
      "要确认",
      "Confirm",
      "danger",
      { b: 15 },
      {
        confirm: {
          title: text("确定删除？", "Delete it?"),
          text: text("删除后不能恢复。", "It cannot be brought back."),
        },
      },
    ),
    {
      tag: "button",
      text: text("打开网页", "Open page"),
      type: "default",
      icon: { tag: "standard_icon", token: "link-copy_outlined" },
      behaviors: [{ type: "open_url", default_url: "https://www.feishu.cn" }],
    },
    button("会超时", "Times out", "default", { b: "timeout" }),
    button("很慢", "Slow", "primary", { b: "slow" }),
  ]),
  button("整行按钮", "Full width", "primary_filled", { b: 16 }, { width: "fill" }),
]);

const FORM = card({ title: text("设置", "Settings"), template: "wathet" }, [
  {
    tag: "form",
    name: "settings",
    elements: [
      {
        tag: "input",
        name: "title",
        label: text("标题", "Title"),
        required: true,
        placeholder: text("写点什么", "Write something"),
        max_length: 50,
        width: "fill",
      },
      {
        tag: "input",
        name: "note",
        label: text("备注", "Note"),
        input_type: "multiline_text",
        rows: 2,
        placeholder: text("可以不填", "Optional"),
        max_length: 500,
        width: "fill",
      },
      row([
        {
          tag: "select_static",
          name: "kind",
          placeholder: text("类别", "Kind"),
          width: "140px",
          required: true,
          options: [
            { text: text("工作", "Work"), value: "work" },
            { text: text("生活", "Life"), value: "life" },
          ],
        },
        {
          tag: "multi_select_static",
          name: "days",
          placeholder: text("哪几天", "Which days"),
          width: "160px",
          options: ["一", "二", "三", "四", "五"].map((day) => ({ text: text(`周${day}`), value: day })),
          selected_values: ["一", "三"],
        },
        {
          tag: "select_person",
          name: "owner",
          placeholder: text("负责人", "Owner"),
          width: "140px",
          options: [{ value: "ou_owner" }, { value: "ou_colleague" }],
        },
      ]),
      row([
        { tag: "date_picker", name: "day", placeholder: text("日期", "Date"), initial_date: "2026-12-01" },
        { tag: "picker_time", name: "time", placeholder: text("时间", "Time"), initial_time: "09:30" },
        { tag: "picker_datetime", name: "moment", placeholder: text("日期时间", "Moment") },
      ]),
      { tag: "checker", name: "loud", checked: true, text: { tag: "lark_md", content: "**允许**晚上提醒" } },
      row([
        button("保存", "Save", "primary", { go: "save" }, { name: "save", form_action_type: "submit" }),
        { tag: "button", name: "reset", text: text("重置", "Reset"), type: "default", form_action_type: "reset" },
      ]),
    ],
  },
]);

const LAYOUT = card({ title: text("布局", "Layout"), template: "indigo" }, [
  columns("none", ["不换行 A", "不换行 B", "不换行 C"]),
  columns("stretch", ["窄屏堆叠 A", "窄屏堆叠 B"]),
  columns("bisect", ["两列 A", "两列 B", "两列 C", "两列 D"]),
  {
    tag: "interactive_container",
    has_border: true,
    corner_radius: "8px",
    background_style: "default",
    padding: "8px 12px",
    behaviors: callback({ go: "container" }),
    elements: [markdown("**整块可点**的容器\n<font color='grey'>点任何地方都算</font>")],
  },
  {
    tag: "collapsible_panel",
    expanded: true,
    header: {
      title: { tag: "markdown", content: "**展开的面板**" },
      icon_position: "left",
      background_color: "grey-100",
    },
    border: { color: "grey", corner_radius: "6px" },
    elements: [
      markdown("里面的内容"),
      { tag: "collapsible_panel", header: { title: text("再折一层") }, elements: [markdown("嵌套")] },
    ],
  },
  { tag: "person", user_id: "ou_owner", show_name: true, style: "capsule" },
  { tag: "person_list", persons: [{ id: "ou_owner" }, { id: "ou_colleague" }, { id: "ou_english" }], show_name: false },
  {
    tag: "checker",
    checked: true,
    text: text("勾掉会划线", "Struck when ticked"),
    checked_style: { show_strikethrough: true, opacity: 0.5 },
    behaviors: callback({ go: "check" }),
  },
  {
    tag: "input",
    placeholder: text("单独的输入框，回车提交", "Alone: Enter submits"),
    behaviors: callback({ go: "input" }),
    width: "fill",
  },
  { tag: "audio", file_key: "file_x" },
  { tag: "hologram", content: "?" },
]);

function columns(mode: string, labels: string[]): object {
  return {
    tag: "column_set",
    flex_mode: mode,
    background_style: "grey-100",
    columns: labels.map((label) => ({
      tag: "column",
      width: "weighted",
      weight: 1,
      background_style: "blue-50",
      elements: [markdown(label)],
    })),
  };
}

const DATA = card({ title: text("数据", "Data"), template: "orange" }, [
  {
    tag: "table",
    page_size: 3,
    row_height: "low",
    header_style: { bold: true, background_style: "grey", text_align: "left" },
    columns: [
      { name: "what", display_name: "事项", data_type: "text" },
      { name: "who", display_name: "谁", data_type: "persons" },
      { name: "state", display_name: "状态", data_type: "options" },
      {
        name: "share",
        display_name: "占比",
        data_type: "number",
        horizontal_align: "right",
        format: { precision: 1, symbol: "%" },
      },
      { name: "due", display_name: "到期", data_type: "date", date_format: "YYYY/MM/DD" },
    ],
    rows: Array.from({ length: 8 }, (_, at) => ({
      what: `第 ${at + 1} 件事`,
      who: at % 2 ? "ou_owner" : "ou_colleague",
      state: [{ text: at % 3 ? "进行中" : "完成", color: at % 3 ? "blue" : "green" }],
      share: 12.345 * (at + 1),
      due: 1_780_000_000_000 + at * 86_400_000,
    })),
  },
  {
    tag: "chart",
    chart_spec: {
      type: "bar",
      title: { text: "每天处理的事项" },
      data: {
        values: ["一", "二", "三", "四", "五"].flatMap((day, at) => [
          { day, count: 3 + at, kind: "完成" },
          { day, count: 5 - at, kind: "推迟" },
        ]),
      },
      xField: "day",
      yField: "count",
      seriesField: "kind",
    },
  },
  {
    tag: "chart",
    aspect_ratio: "2:1",
    chart_spec: {
      type: "line",
      data: { values: [4, 7, 3, 9, 12, 8].map((value, at) => ({ x: `${at + 1} 月`, y: value })) },
      xField: "x",
      yField: "y",
    },
  },
  {
    tag: "chart",
    aspect_ratio: "2:1",
    chart_spec: {
      type: "pie",
      data: {
        values: [
          { k: "工作", v: 5 },
          { k: "生活", v: 3 },
          { k: "学习", v: 2 },
        ],
      },
      valueField: "v",
      categoryField: "k",
    },
  },
  { tag: "chart", chart_spec: { type: "sankey" } },
  { tag: "img", img_key: "img_ok", alt: text("一张图"), corner_radius: "8px" },
  { tag: "img", img_key: "img_missing", alt: text("丢失的图") },
]);

const TEMPLATES = [
  "wathet",
  "turquoise",
  "green",
  "yellow",
  "orange",
  "red",
  "carmine",
  "violet",
  "purple",
  "indigo",
  "grey",
  "default",
];

const P2P: PageChat = { chatId: "oc_owner", name: "王小明", type: "p2p", members: ["ou_owner"] };
const P2P_EN: PageChat = { chatId: "oc_english", name: "Ada", type: "p2p", members: ["ou_english"] };
const GROUP: PageChat = {
  chatId: "oc_group",
  name: "项目群",
  type: "group",
  members: ["ou_owner", "ou_colleague", "ou_english"],
};

let counter = 0;

/** A message; a minute after the one before. */
export function message(
  chatId: string,
  senderId: string,
  content: PageMessage["content"],
  more: Partial<PageMessage> = {},
): PageMessage {
  counter += 1;
  const at = new Date(Date.parse("2026-11-29T22:30:00Z") + counter * 60_000).toISOString();
  return {
    messageId: `om_${counter}`,
    chatId,
    senderId,
    fromBot: senderId === BOT,
    createdAt: at,
    updatedAt: at,
    edited: false,
    recalled: false,
    reactions: [],
    content,
    ...more,
  };
}

/** A message content that holds a card. */
export function cardContent(json: CardJson, more: object = {}): PageMessage["content"] {
  return { kind: "card", card: json, streaming: false, expired: false, version: 1, ...more };
}

/** A page full of everything it must be able to show. */
export function galleryState(): PlaygroundState {
  counter = 0;
  const say = (said: string, more: Partial<PageMessage> = {}): PageMessage =>
    message(P2P.chatId, "ou_owner", { kind: "text", text: said, mentions: [] }, more);
  const bot = (json: CardJson, more: object = {}): PageMessage => message(P2P.chatId, BOT, cardContent(json, more));
  const owner = [
    bot(TEXTS),
    bot(BUTTONS),
    bot(FORM),
    bot(LAYOUT),
    bot(DATA),
    ...TEMPLATES.map((template) =>
      bot(
        card(
          {
            title: text(`标题颜色 ${template}`),
            template,
            text_tag_list: [{ tag: "text_tag", text: text("标签"), color: "blue" }],
          },
          [markdown("内容")],
        ),
      ),
    ),
    message(P2P.chatId, BOT, {
      kind: "post",
      title: "富文本",
      paragraphs: [
        [
          { tag: "text", text: "一段", style: ["bold"] },
          { tag: "a", text: "链接", href: "https://feishu.cn" },
        ],
        [{ tag: "md", text: "**md** 标签" }],
      ],
    }),
    message(P2P.chatId, BOT, { kind: "file", fileKey: "f", fileName: "run-12.md", size: 4321 }),
    say("", { recalled: true }),
    bot(DECIDED),
    say("今天有什么没做完的？https://example.com/a 看看"),
    bot(REMINDER),
  ];
  const last = owner.at(-1);
  owner.push(
    message(
      P2P.chatId,
      "ou_owner",
      { kind: "text", text: "第一件下午我自己写", mentions: [] },
      { ...(last ? { parentId: last.messageId } : {}), reactions: [{ emojiType: "THUMBSUP", userIds: [BOT] }] },
    ),
  );
  const group = [
    message(GROUP.chatId, "ou_colleague", {
      kind: "text",
      text: "@_user_1 /items",
      mentions: [{ key: "@_user_1", userId: BOT, name: "Herald" }],
    }),
    message(GROUP.chatId, BOT, cardContent(REMINDER)),
  ];
  return {
    me: OWNER,
    bot: { userId: BOT, name: "Herald", initials: "H" },
    users: [OWNER, COLLEAGUE, ENGLISH],
    chats: [P2P, P2P_EN, GROUP],
    messages: { [P2P.chatId]: owner, [P2P_EN.chatId]: [], [GROUP.chatId]: group },
    language: "zh_cn",
    now: GALLERY_NOW,
    clockCanMove: true,
    timeZone: "Asia/Shanghai",
    herald: { connected: true, connections: 1 },
    limits: { tapDeadlineMs: 3000 },
    lastEventId: 1,
  };
}
