/** 备份和恢复时终端里的话。 */
export const backup = {
  commands: {
    backup: "把 Herald 知道的一切存成一个文件；服务运行时也可以做",
    restore: "从备份文件恢复；先停掉服务",
    yes: "不再询问",
  },
  made: (file: string, size: string): string => `已备份到 ${file}（${size}）`,
  holds: ({ people, items, deliveries }: { people: number; items: number; deliveries: number }): string =>
    `里面有：${people} 个人，${items} 件事，${deliveries} 条提醒。`,
  secret: "文件里有私人内容和插件密钥，请放在只有你能读的地方。.env 不在里面，请另外保存。",
  nothing: (path: string): string => `还没有数据库（${path}），没有可备份的。先运行一次 npm start。`,
  ask: (file: string): string => `用 ${file} 替换现在的数据？（是 / 否）`,
  stopped: "没有改动。",
  sayYes: "这里没法询问：确定的话加上 --yes，例如 herald restore herald.backup --yes",
  restored: (when: string, version: string): string => `已恢复 ${when} 的备份（Herald ${version}）。`,
  replaced: (file: string): string => `原来的数据库在 ${file}`,
  startNow: "现在可以启动：npm start",
  refused: {
    no_file: "读不了这个文件。需要一个备份文件，例如 herald restore herald-20270101090000.backup",
    not_a_backup: "这不是 Herald 的备份文件。没有改动。",
    damaged: "备份文件不完整或被改过（校验不符）。没有改动。",
  },
  cannot: {
    other_database: (): string => "这份备份来自另一种数据库（SQLite / PostgreSQL），请检查 DATABASE_URL。没有改动。",
    newer: (version: string): string => `这份备份来自更新的 Herald（${version}）。请先升级。没有改动。`,
    in_use: (): string => "数据库正在使用中。请先停掉 Herald，再恢复。没有改动。",
    damaged: (): string => "备份里的数据库没有通过检查。没有改动。",
  },
  toolMissing: (tool: string): string => `需要 PostgreSQL 的 ${tool}，例如：apt-get install postgresql-client`,
  noRights: (path: string, code: string): string => `写不了 ${path}（${code}）。请换一个可写的地方。`,
};
