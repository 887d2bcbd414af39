/** `herald hermes`：把插件装进 Hermes。 */
export const hermes = {
  home: (home: string): string => `Hermes：${home}`,
  installed: (version: string): string => `插件 ${version} 已放好。`,
  updated: (version: string): string => `插件已换成 ${version}。`,
  same: "插件已经是这一版，没有改动。",
  enabled: "已在 config.yaml 里启用。",
  enabledBefore: "config.yaml 里早已启用，没有改动。",
  backup: (file: string): string => `原来的 config.yaml 留了一份：${file}`,
  reaches: (url: string): string => `Hermes 会到 ${url} 找 Herald。`,
  restart: "请重启 Hermes 让它生效：重启网关，开着的终端会话退出再进。",
  removed: "插件已拿走。",
  notThere: "插件本来就没有装。",
  disabled: "config.yaml 里的那一行也去掉了。",
  restartWithout: "请重启 Hermes，它才会真的放下这个插件。",
  noHome: (home: string): string =>
    `没有找到 Hermes：${home} 不存在。请用 --home 指定它的目录，例如 herald hermes install --home ~/.hermes`,
  sampleOnly: "演练场里用的是示例会话，没有真的 Hermes，所以没有插件可装。",
  somebodyElses: (folder: string): string => `${folder} 里是别人的插件，没有动它。请先把它移走。`,
  brokenConfig: (file: string, line: string, problem: string): string =>
    `${file}${line === "" ? "" : ` 第 ${line} 行`}读不懂（${problem}），什么都没有改。请先修好它再试。`,
  notLocal: (host: string): string =>
    `Herald 监听在 ${host}，这台机器上的插件连不到。请设置 HERALD_HOST=127.0.0.1，或者 0.0.0.0。`,
  noPort: "HERALD_PORT=0 时端口每次不同：请先启动 Herald，或者设置一个固定的端口，例如 HERALD_PORT=8686",
  noRights: (path: string, code: string): string => `写不进 ${path}（${code}），请用能写 Hermes 目录的用户再试。`,
  status: {
    plugin: "插件：",
    enabled: "启用：",
    herald: "Herald：",
    current: (version: string): string => `${version}，是这一版`,
    other: (version: string, ours: string): string =>
      `${version}，这一版是 ${ours}，请再运行一次 herald hermes install`,
    changed: (version: string): string => `${version}，但文件和这一版不同，请再运行一次 herald hermes install`,
    none: "没有装，请运行 herald hermes install",
    somebodyElses: "那里是别人的同名插件",
    yes: "是",
    no: "否，请运行 herald hermes install",
    off: "否，config.yaml 的 plugins.disabled 里写着它",
    broken: "config.yaml 读不懂，Hermes 多半也读不懂",
    noSettings: "插件不知道去哪里找 Herald，请再运行一次 herald hermes install",
    ok: (url: string): string => `${url}，连得上，口令一致`,
    tokenDiffers: (url: string): string => `${url}，连得上，但口令不一致，请再运行一次 herald hermes install`,
    notHerald: (url: string): string => `${url}，有程序在那里，但不是 Herald`,
    down: (url: string): string => `${url}，现在连不上，Herald 没有启动？`,
    downAndDiffers: (url: string): string =>
      `${url}，现在连不上，而且口令和现在的不一致，请再运行一次 herald hermes install`,
    restartAfter: "Hermes 只在启动时读插件：装好、更新之后要重启它。",
  },
};
