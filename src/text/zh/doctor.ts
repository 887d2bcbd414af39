type Facts = Readonly<Record<string, string | number>>;

/** herald doctor 的话：每项检查的名字、正常时的一句、出问题时怎么办。 */
export const doctor = {
  about: "检查安装和运行的每一处，说清哪里要改、怎么改",
  aboutJson: "以 JSON 输出",
  colon: "：",
  leftOut: "没有可查的",
  summary: (failed: number, warned: number): string =>
    failed + warned === 0 ? "一切正常。" : `${failed} 处不能用，${warned} 处可以更好。`,
  check: {
    config: "配置",
    node: "Node",
    folder: "数据目录",
    disk: "磁盘",
    database: "数据库",
    server: "服务",
    clock: "时钟",
    feishu: "飞书凭据",
    bot: "机器人",
    scopes: "权限",
    events: "消息事件",
    callbacks: "卡片回调",
    rival: "同一应用",
    owner: "所有者",
    hermes: "Hermes",
    store: "会话库",
    plugin: "Hermes 插件",
    gateway: "Hermes 网关",
    api: "Hermes API",
    model: "模型",
    looks: "定时查看",
  },
  fine: {
    config: (f: Facts): string => (f.mode === "playground" ? "演练场（没有飞书凭据）" : "飞书"),
    node: (f: Facts): string => `${f.version}`,
    folder: (f: Facts): string => `${f.path}`,
    disk: (f: Facts): string =>
      `还有 ${Number(f.free) < 10_240 ? `${f.free} MB` : `${Math.floor(Number(f.free) / 1024)} GB`}`,
    database: (f: Facts): string =>
      `${f.kind}${f.state === "new" ? "，第一次启动时建立" : f.state === "pending" ? "，下次启动时升级" : ""}`,
    server: (f: Facts): string => `在运行（${f.url}）`,
    clock: (f: Facts): string => `和飞书相差 ${f.seconds} 秒`,
    feishu: (f: Facts): string => `${f.app} 可以登录`,
    bot: (f: Facts): string => `${f.name}`,
    scopes: (f: Facts): string => `需要的都有（共 ${f.count} 项）`,
    events: (_f: Facts): string => "已订阅收消息",
    callbacks: (_f: Facts): string => "已订阅卡片回调",
    rival: (_f: Facts): string => "没有别的程序用这个应用",
    owner: (_f: Facts): string => "已配对",
    hermes: (f: Facts): string => `${f.home}`,
    store: (f: Facts): string => `${f.sessions} 个会话，结构版本 ${f.schema}`,
    plugin: (f: Facts): string => `${f.version}，${f.reaches === "–" ? "Herald 没在运行" : "连得上 Herald"}`,
    gateway: (f: Facts): string => `已连上 ${f.minutes} 分钟（Hermes ${f.version}）`,
    api: (f: Facts): string => `${f.url}（Hermes ${f.version}）`,
    model: (f: Facts): string => `${f.models}`,
    looks: (f: Facts): string => `上一次在 ${f.minutes} 分钟前`,
  },
  problem: {
    nodeOld: {
      what: (f: Facts): string => `Node ${f.version} 太旧`,
      todo: (): string => "需要 Node 20.19 或更新的版本",
    },
    folderUnwritable: {
      what: (f: Facts): string => `${f.path} 写不了（${f.why}）`,
      todo: (): string => "换一个当前用户可写的目录：HERALD_DATA_DIR=./data",
    },
    folderOpen: {
      what: (f: Facts): string => `${f.path} 别的用户也能读`,
      todo: (f: Facts): string => `执行 chmod 700 ${f.path}`,
    },
    diskFull: {
      what: (f: Facts): string => `${f.path} 所在的磁盘只剩 ${f.free} MB`,
      todo: (): string => "清理磁盘，或把 HERALD_DATA_DIR 换到别处",
    },
    databaseAway: {
      what: (f: Facts): string => `打不开数据库 ${f.where}（${f.why}）`,
      todo: (): string => "检查 DATABASE_URL，以及数据库是否在运行",
    },
    databaseDamaged: {
      what: (f: Facts): string => `数据库 ${f.where} 已损坏`,
      todo: (): string => "停掉 Herald，用 npx herald restore 恢复最近的备份",
    },
    databaseForeign: {
      what: (f: Facts): string => `${f.where} 不是 Herald 的数据库`,
      todo: (): string => "把 DATABASE_URL 指到一个新的文件，例如 file:./data/herald.db",
    },
    databaseNewer: {
      what: (f: Facts): string => `数据库来自更新的版本（${f.migration}）`,
      todo: (): string => "升级 Herald，或恢复升级前的备份",
    },
    serverNotReady: {
      what: (f: Facts): string => `${f.url} 在运行，但还没就绪：${f.parts}`,
      todo: (): string => "看下面对应的检查；日志里有原因",
    },
    clockOff: {
      what: (f: Facts): string => `这台机器的时钟和飞书差 ${f.seconds} 秒`,
      todo: (): string => "打开自动对时，例如 timedatectl set-ntp true",
    },
    feishuAway: {
      what: (f: Facts): string => `连不上 ${f.host}（${f.why}）`,
      todo: (): string => "检查网络和代理；国际版请设置 FEISHU_DOMAIN=lark",
    },
    feishuRefused: {
      what: (f: Facts): string => `App ID 或 App Secret 不对（${f.code}）`,
      todo: (f: Facts): string => `到「凭证与基础信息」核对：${f.place}`,
    },
    noBot: {
      what: (f: Facts): string => `应用还没有机器人能力（${f.code}）`,
      todo: (f: Facts): string => `在「添加应用能力」里添加机器人，然后发布新版本：${f.place}`,
    },
    scopesMissing: {
      what: (f: Facts): string => `缺少权限：${f.names}`,
      todo: (f: Facts): string => `在「权限管理」里开通，然后发布新版本：${f.place}`,
    },
    scopesUseful: {
      what: (f: Facts): string => `还可以开通：${f.names}（流式回复、收发文件、找回丢失的回执）`,
      todo: (f: Facts): string => `在「权限管理」里开通，然后发布新版本：${f.place}`,
    },
    noEvent: {
      what: (): string => "没有订阅事件 im.message.receive_v1，机器人收不到消息",
      todo: (f: Facts): string =>
        `在「事件与回调 → 事件配置」里选长连接，添加 im.message.receive_v1，然后发布新版本：${f.place}`,
    },
    noCallback: {
      what: (): string => "没有订阅卡片回调 card.action.trigger，点按钮会没有反应",
      todo: (f: Facts): string =>
        `在「事件与回调 → 回调配置」里选长连接，添加 card.action.trigger，然后发布新版本：${f.place}`,
    },
    sameApp: {
      what: (f: Facts): string => `Hermes 自己的飞书接入用的是同一个应用（${f.app}），消息和点按会随机落到其中一个`,
      todo: (f: Facts): string => `给 Herald 另建一个应用，或从 ${f.file} 里去掉 FEISHU_APP_ID`,
    },
    noOwner: {
      what: (): string => "还没有所有者",
      todo: (): string => "启动后把日志里 pairWith 后面的配对码发给机器人，或设置 HERALD_OWNER_OPEN_ID",
    },
    noHermes: {
      what: (f: Facts): string => `没有找到 Hermes（${f.home}）`,
      todo: (): string => "设置 HERMES_HOME；Hermes 在别的机器上时设置 HERMES_API_URL 和 HERMES_API_KEY",
    },
    noStore: {
      what: (f: Facts): string => `还没有会话库（${f.path}）`,
      todo: (): string => "和 Hermes 聊一次它就会出现；路径不对时设置 HERMES_HOME 或 HERMES_PROFILE",
    },
    storeDamaged: {
      what: (f: Facts): string => `会话库 ${f.path} 已损坏`,
      todo: (): string => "用 hermes doctor 检查；Herald 不会改动它",
    },
    storeUnreadable: {
      what: (f: Facts): string => `读不了会话库 ${f.path}（${f.why}）`,
      todo: (): string => "检查文件权限，让运行 Herald 的用户能读",
    },
    noPlugin: {
      what: (): string => "Hermes 里没有装插件，聊天里说「做完了」不会了结事项",
      todo: (): string => "执行 npx herald hermes install",
    },
    pluginForeign: {
      what: (f: Facts): string => `${f.home} 里有一个同名但不是 Herald 的插件`,
      todo: (): string => "给它改名，再执行 npx herald hermes install",
    },
    pluginOff: {
      what: (): string => "插件装了但没有启用",
      todo: (): string => "执行 npx herald hermes install，然后重启 Hermes",
    },
    pluginOld: {
      what: (f: Facts): string => `插件是另一个版本（${f.version}）`,
      todo: (): string => "执行 npx herald hermes install，然后重启 Hermes",
    },
    pluginSettings: {
      what: (): string => "插件的设置文件读不出来",
      todo: (): string => "执行 npx herald hermes install，然后重启 Hermes",
    },
    pluginToken: {
      what: (f: Facts): string => `插件的密钥和 ${f.url} 的不一样`,
      todo: (): string => "执行 npx herald hermes install，然后重启 Hermes",
    },
    apiAway: {
      what: (f: Facts): string => `Hermes 的 API 服务没有应答（${f.url}）`,
      todo: (): string => "在 Hermes 里设置 API_SERVER_ENABLED=true 和 API_SERVER_KEY，启动 hermes gateway",
    },
    apiOpen: {
      what: (f: Facts): string => `${f.url} 不带密钥也能进（${f.status}），不安全，Herald 不会使用它`,
      todo: (): string => "升级 Hermes 的 aiohttp（3.13.4 或更新），重启网关",
    },
    apiNoKey: {
      what: (): string => "没有设置 HERMES_API_KEY",
      todo: (): string => "填上 Hermes 的 API_SERVER_KEY",
    },
    apiKey: {
      what: (f: Facts): string => `HERMES_API_KEY 不对（${f.status}）`,
      todo: (): string => "填上 Hermes 的 API_SERVER_KEY",
    },
    noModel: {
      what: (): string => "没有配置模型，用规则代替",
      todo: (): string => "想要更好的理解：设置 LLM_BASE_URL、LLM_API_KEY、LLM_MODEL",
    },
    modelAway: {
      what: (f: Facts): string => `连不上模型 ${f.host}`,
      todo: (): string => "检查网络和 LLM_BASE_URL",
    },
    modelKey: {
      what: (f: Facts): string => `模型 ${f.host} 不认这个密钥（${f.status}）`,
      todo: (): string => "检查 LLM_API_KEY",
    },
    gatewayAway: {
      what: (f: Facts): string => `${f.minutes} 分钟没有 Hermes 网关的消息了`,
      todo: (): string => "确认 hermes gateway 在运行；装过插件之后，网关要重启一次",
    },
    looksLate: {
      what: (f: Facts): string => `上一次查看是 ${f.minutes} 分钟前`,
      todo: (): string => "看日志；重启 Herald",
    },
    looksFail: {
      what: (f: Facts): string => `最近一次查看没有成功（${f.minutes} 分钟前）`,
      todo: (): string => "发 /status 看是哪里的问题",
    },
  },
};
