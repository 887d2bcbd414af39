/** 终端里的话。 */
export const cli = {
  started: (url: string): string => `Herald 已启动：${url}`,
  playground: (url: string): string => `\n  演练场：${url}\n  在浏览器里打开它，就像打开飞书。不需要任何账号。\n`,
  sample: "没有找到 Hermes，用的是一份示例会话（里面的人和事都是虚构的）。",
  ownHome: (home: string): string => `正在只读地查看你自己的 Hermes：${home}`,
  clockKept: (when: string): string =>
    `演练场的时钟接着上次的走：${when}。想回到现在，用 npm start -- --fresh 从头来。`,
  clockMoved: (when: string): string => `现在是安静时段，演练场的时钟从 ${when} 开始走。`,
  noHermes: (home: string): string =>
    `没有找到 Hermes（${home} 不存在）。Herald 会照常运行，但读不到会话；请设置 HERMES_HOME。`,
  pairing: "还没有所有者：请把日志里 pairWith 后面的配对码发给机器人。",
  stopping: "正在收尾，请稍候……",
  failed: (why: string): string => `启动失败：${why}`,
  dataFolder: (path: string, why: string): string =>
    `HERALD_DATA_DIR：没法在 ${path} 里写文件（${why}）。需要一个当前用户可写的目录，例如 HERALD_DATA_DIR=./data`,
  portTaken: (port: number, host: string, example: number): string =>
    `HERALD_PORT：${host} 的端口 ${port} 已被占用。请停掉占用它的程序，或者换一个，例如 HERALD_PORT=${example}`,
  databaseAway: (where: string, why: string): string =>
    `DATABASE_URL：连不上数据库 ${where}（${why}）。请看看它是否在运行、地址和账号是否正确，例如 DATABASE_URL=postgresql://herald:密码@127.0.0.1:5432/herald`,
  unknownCommand: (given: string, near: string | undefined, all: string): string =>
    `没有 ${given} 这个命令${near === undefined ? "。" : `，你是想用 herald ${near} 吗？`}可以用：${all}`,
  about: "Hermes 的飞书一面：把还没了结的事在合适的时候提醒你一次。",
  whichAgent: (ids: string): string => `需要用 --agent 说明是哪一个 agent：${ids}`,
  commands: {
    agent: "哪一个 agent（配置了多个时需要）",
    start: "启动服务；没有飞书凭据时打开演练场",
    startFresh: "演练场从头开始，忘掉以前的聊天和数据",
    config: "列出生效的配置和来源，密钥打码",
    tick: "看一遍有没有该提的事，然后退出",
    tickDry: "只看会说什么，不发送也不记录",
    try: "试一试某一部分，不用数据库",
    tryExtract: "标准输入一份会话 JSON，打印找到的事项",
    tryWhen: "标准输入若干行 JSON，打印每行里的时间",
    hermes: "Hermes 里的插件：让 Hermes 在聊天里就能了结事项",
    hermesInstall: "把插件放进 Hermes 并启用；再运行一次就是更新",
    hermesStatus: "插件装了没有、启用没有、连不连得上 Herald",
    hermesUninstall: "拿走插件，config.yaml 里去掉那一行",
    hermesAnnounce: "on 或 off：要忙一阵子之前，Hermes 先说一句要做什么",
    hermesHome: "Hermes 的目录（默认 HERMES_HOME 或 ~/.hermes）",
    replay: "把录下的一条飞书事件交给应用",
  },
  nothingToSay: (why: string): string => `没有要说的：${why}`,
  wouldSay: (text: string): string => `会说：\n${text}`,
  said: (count: number): string => `已经安排发送，共 ${count} 件事。`,
  needsFeishu: "这个命令需要飞书凭据：请设置 FEISHU_APP_ID 和 FEISHU_APP_SECRET。",
  noFile: (path: string): string => `读不了 ${path}：需要一个 JSON 文件，例如 herald replay event.json`,
  noEvent: '这个文件不是一条飞书事件：需要 {"schema":"2.0","header":{…},"event":{…}}',
};
