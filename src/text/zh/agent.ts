/** 演练场里的替身：它说的每一句话。 */
export const agent = {
  hello: "我是演练场里的替身，不是真的 Hermes：不会思考，也不会真的执行任何命令。可以试试：",
  tries: [
    "**表格**、**代码**、**清单**、**长文**：看卡片怎么显示",
    "**搜索**：假装用一次工具",
    "**审批**：请你批准一条危险命令",
    "**慢慢说**：边说边停，可以点停止",
    "**总结**：我们说过什么",
    "**出错**：这一轮会失败",
  ],
  heard: (text: string): string => `收到：“${text}”`,
  pictures: (count: number): string => `还有 ${count} 张图片（替身看不懂图片）。`,
  file: "文件也收到了（替身不会打开文件）。",
  footer: "（替身的回答）",
  list: {
    intro: "清单：",
    items: ["把修订版合同发给法务", "确认印刷报价", "周五前交周报", "给小王回电话"],
  },
  table: {
    intro: "三家报价放在一起：",
    rows: [
      ["供应商", "单价", "交期"],
      ["启明印务", "¥3.20", "5 天"],
      ["东方图文", "¥2.95", "8 天"],
      ["快印坊", "¥3.80", "2 天"],
    ],
    outro: "最便宜的是东方图文，最快的是快印坊。",
  },
  code: { intro: "一小段代码：", outro: "运行方式：`node count.mjs report.txt`" },
  long: {
    intro: "下面是一篇长一点的回答，用来看长文怎么分段。",
    part: (n: number): string =>
      `## 第 ${n} 部分\n\n这一段没有什么内容，只是够长。回答很长的时候，卡片会在 Markdown 允许的地方分开，表格和代码不会被切断。第 ${n} 部分到这里结束。`,
  },
  slow: {
    intro: "我慢慢说，想停就点停止。",
    step: (n: number): string => `第 ${n} 步……`,
    end: "说完了。",
  },
  search: {
    before: "我查一下。",
    query: "云杉项目 付款节点",
    result: "找到 2 份文档：《云杉合同 v3》《付款节点对照》",
    after: "找到了两份文档：《云杉合同 v3》和《付款节点对照》。（这是假装的，没有真的去搜索。）",
  },
  approval: {
    before: "这一步要清空构建目录，需要你批准。",
    command: "rm -rf ./build && npm run build",
    description: "递归删除",
    allowed: (how: string): string => `你批准了（${how}），已经“执行”。其实什么也没有删，我只是替身。`,
    denied: "你没有批准，这一步跳过了。",
    nobody: "这一路消息没法请人批准，所以跳过了。",
    choices: { once: "仅这一次", session: "本次会话", always: "总是", deny: "拒绝" },
  },
  question: "通过 API 服务器，Hermes 没有办法用卡片提问，所以我直接问：你想先看表格，还是先看代码？",
  summary: {
    intro: (count: number): string => `这个会话里你说过 ${count} 句话：`,
    none: "这个会话里你还没说过别的。",
  },
  failure: "替身按你的要求出错了",
  steered: (text: string): string => `（插进来一句：“${text}”，知道了。）`,
  editorial: "替身不会判断提醒，请用别的编辑。",
  goal: {
    steps: [
      "先把要做的事拆成了三步，写进 plan.md",
      "照着 plan.md 做完了第二步，改了两个文件",
      "做完了最后一步，又从头检查了一遍",
    ],
    files: ["plan.md", "draft.md", "result.md"],
    said: (n: number, step: string): string => `第 ${n} 步：${step}。（替身没有真的干活，真的 Hermes 会在这里做事。）`,
    done: "三步都做完了，结果在 result.md",
    check: "替身按要求运行了检查。",
  },
};
