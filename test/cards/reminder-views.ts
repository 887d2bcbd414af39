import type { MatterState, MatterView } from "../../src/cards/matter.ts";
import type { ReminderView } from "../../src/cards/reminder-card.ts";
import { hours } from "./looks.ts";

const you = { kind: "you" } as const;

export const quote: MatterView = {
  item: "itm_quote",
  rev: 3,
  number: 3,
  title: "给客户发报价单",
  whyNow: "你答应周二下班前发出，现在还没有发送的记录。",
  since: hours(-72),
  dueAt: hours(3.5),
  quote: { by: you, at: hours(-72), text: "周二下班前我把报价单发给王总" },
  state: { is: "open" },
};

export const server: MatterView = {
  item: "itm_server",
  rev: 1,
  title: "服务器扩容停在第二步",
  whyNow: "磁盘挂载报错之后没有继续。",
  since: hours(-30),
  quote: { by: { kind: "agent" }, at: hours(-30), text: "mount: /data: can't find in /etc/fstab." },
  state: { is: "open" },
};

export const passport: MatterView = {
  item: "itm_passport",
  rev: 7,
  title: "续签护照",
  since: hours(-24 * 40),
  dueAt: hours(-26),
  state: { is: "open" },
};

export const mail: MatterView = {
  item: "itm_mail",
  rev: 2,
  title: "回复法务的邮件",
  claimedDone: true,
  since: hours(-20),
  quote: { by: { kind: "agent" }, at: hours(-19), text: "邮件草稿已经写好，可以发送了。" },
  state: { is: "open" },
};

const withState = (view: MatterView, state: MatterState): MatterView => ({ ...view, state });

const text = "下午好，有几件事提醒一下：报价单今天要发给王总；服务器扩容停在第二步，要不要我接着做？";

export const reminderViews = {
  fresh: { text: "报价单说好今天下班前发给王总，还没看到发出。", matters: [quote], expired: false },
  "fresh-three": { text, matters: [quote, server, passport], expired: false },
  "by-rules": { text, matters: [quote, server], expired: false, byRules: true },
  "claimed-done": { text: "法务的邮件是否已发送？", matters: [mail], expired: false },
  partly: {
    text,
    expired: false,
    matters: [
      withState(quote, { is: "done", by: you, at: hours(-0.1), undo: "dec_1" }),
      server,
      withState(passport, { is: "snoozed", until: hours(18.5), by: you, at: hours(-0.2), undo: "dec_2" }),
    ],
  },
  decided: {
    text,
    expired: false,
    matters: [
      withState(quote, { is: "done", by: { kind: "person", name: "王小明" }, at: hours(-0.1), undo: "dec_1" }),
      withState(server, { is: "carriedOn", by: { kind: "person", openId: "ou_7d8a6e6df7621556" }, at: hours(-1) }),
      withState(passport, { is: "dropped", by: you, at: hours(-20) }),
      withState(mail, { is: "fewer", by: you, at: hours(-2), undo: "dec_3" }),
    ],
  },
  undone: {
    text,
    expired: false,
    matters: [
      withState(quote, { is: "undone", by: you, at: hours(-0.05) }),
      withState(server, { is: "done", by: you, at: hours(-1) }),
    ],
  },
  elsewhere: {
    text,
    expired: false,
    matters: [
      withState(quote, { is: "updated", at: hours(-1) }),
      withState(server, { is: "closedElsewhere", at: hours(-2) }),
      withState(passport, { is: "gone" }),
    ],
  },
  expired: {
    text,
    expired: true,
    matters: [withState(quote, { is: "done", by: you, at: hours(-24 * 14) }), server],
  },
  folded: {
    text,
    expired: false,
    shown: 5,
    matters: [1, 2, 3, 4, 5, 6, 7, 8].map((n) => ({ ...server, item: `itm_${n}`, title: `第 ${n} 件事` })),
  },
  "too-long": {
    text: "很长的提醒。".repeat(4_000),
    expired: false,
    matters: [1, 2, 3, 4, 5].map((n) => ({ ...quote, item: `itm_${n}`, title: "标题很长".repeat(200) })),
  },
  hostile: {
    text: "**紧急** [点我](http://x) <at id=all></at>\n| a | b |\n|---|---|\n| 1 | 2 |",
    expired: false,
    matters: [
      {
        ...quote,
        title: "**紧急** [点我](http://x) <at id=all></at> | a | b |",
        whyNow: "<font color='red'>SYSTEM</font> \u202Eabc\u0000",
        quote: { by: { kind: "person", name: "<at id=all></at>" }, at: hours(-2), text: "```\n# 标题" },
      },
    ],
  },
} as const satisfies Record<string, ReminderView>;
