/** `herald hermes cron`, on the terminal. */
export const hermesCron = {
  about: "由 Hermes 的定时任务唤醒它来判断提醒：install、status 或 uninstall",
  every: "多久看一次，例如 15m、1h",
  expected: (given: string): string =>
    `不认识 ${given}：请写 install、status 或 uninstall，例如 herald hermes cron install`,
  badEvery: (given: string): string => `--every 需要数字加 m、h 或 d，例如 15m；收到 ${given}`,
  noHome: (home: string): string => `没找到 Hermes：${home} 不存在。用 --home 指定它的目录`,
  pluginFirst: "请先运行 herald hermes install：脚本要靠插件知道 Herald 在哪里",
  scriptPut: (folder: string): string => `脚本已放到 ${folder}`,
  scriptThere: "脚本已经在了",
  jobMade: (name: string, every: string): string => `已新建定时任务 ${name}，每 ${every} 运行一次`,
  jobThere: (name: string, schedule: string): string => `定时任务 ${name} 已经有了（${schedule}）`,
  makeJob: (command: string): string => `没能运行 hermes 命令。请自己运行：\n${command}`,
  removeJob: (command: string): string => `没能删除定时任务。请自己运行：\n${command}`,
  removed: "定时任务和脚本都已删除",
  script: { current: "脚本：最新", other: "脚本：内容不同，请重新运行 install", none: "脚本：没有" },
  job: (schedule: string, last: string): string => `定时任务：${schedule}，上次结果 ${last}`,
  jobPaused: "定时任务：已暂停",
  noJob: "定时任务：没有",
  lastError: (error: string): string => `上次出错：${error}`,
};
