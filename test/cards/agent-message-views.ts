import type { AgentMessageView } from "../../src/cards/agent-message-card.ts";

const base: AgentMessageView = { origin: "said", text: "备份做完了。", part: 1, broken: false };
const long = Array.from({ length: 900 }, (_, i) => `- 第 ${i + 1} 条：${"内容".repeat(8)}`).join("\n");

export const agentMessageViews: Readonly<Record<string, AgentMessageView>> = {
  said: base,
  cron: {
    ...base,
    origin: "cron",
    text: "# 日报\n\n| 项 | 数 |\n|---|---|\n| 备份 | 3 |\n\n```sh\nls -l\n```\n\n<at id=all></at> [点我](javascript:x) ![图](http://x/y.png)",
  },
  turn: { ...base, origin: "turn", text: "接着做完了第二步。" },
  broken: { ...base, origin: "turn", text: "先看看日志……", broken: true },
  question: { ...base, origin: "question", text: "deletes\n\n```\nrm -rf build\n```" },
  secondPart: { ...base, origin: "cron", text: long, part: 2 },
  pastTheEnd: { ...base, part: 9 },
};
