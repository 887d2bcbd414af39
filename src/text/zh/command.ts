/** A space between a digit and a Chinese character. */
const spaced = (text: string): string => (/\d$/u.test(text) ? `${text} ` : text);

/** 命令、回复和提示。 */
export const command = {
  summary: {
    dream: "回顾某一天，找出问题并提出改进",
    report: "查看某一天的报告",
    proposals: "列出等你决定的提案",
    approve: "通过第 N 条提案",
    reject: "拒绝第 N 条提案，可以写原因",
    revert: "撤回第 N 条已执行的提案",
    strategies: "查看和开关生效中的策略",
    help: "看看我能做什么",
    whoami: "你是谁、能做什么",
    items: "列出还没了结的事",
    done: "标记第 N 件事已完成",
    drop: "不再跟进第 N 件事",
    snooze: "过一会儿再提醒第 N 件事",
    remind: "到点提醒你一件事",
    tick: "现在就看一遍有没有该提的事",
    runs: "最近几次查看的记录",
    run: "某一次查看的文档和决定",
    why: "为什么提（或没提）某件事",
    quiet: "查看和设置打扰规则：安静时段、次数、间隔",
    prefs: "查看或修改提醒偏好",
    pause: "暂停主动提醒",
    unpause: "恢复主动提醒",
    status: "运行状况",
    lang: "切换语言",
  },
  page: {
    title: "命令",
    lead: "尖括号里的是要填的内容，方括号里的可以不写。时间可以直接说：明天下午3点、周五、2小时后。参数不对时会回一行提示，什么也不会改动。",
    columns: ["命令", "做什么", "例子", "谁能用"],
  },
  who: { everyone: "所有人", admin: "所有者和管理员", owner: "所有者" },
  whoami: (name: string, role: string, openId: string, language: string, zone: string): string =>
    `${name === "" ? "你" : name}：${role}\nopen_id：${openId}\n语言：${language} · 时区：${zone}`,
  role: { owner: "所有者", admin: "管理员", member: "成员" },
  languageName: { zh: "中文", en: "英文" },
  languageSet: "好的，之后都用中文。",
  unknown: (given: string, near: string): string =>
    near === "" ? `没有 ${given} 这个命令。发 /help 看看有哪些。` : `没有 ${given} 这个命令，你是想用 ${near} 吗？`,
  nothingToUnderstand: "这条消息里没有我能读的文字。发 /help 看看能做什么。",
  closedDone: (number: number, title: string): string => `好，#${number}「${title}」已完成。`,
  closedDropped: (number: number, title: string): string => `好，#${number}「${title}」不再跟进。`,
  alreadyClosed: (number: number, title: string, who: string, when: string): string =>
    `#${number}「${title}」${spaced(when)}已由${who}了结。`,
  snoozed: (number: number, title: string, when: string): string => `好，#${number}「${title}」推迟到${when}。`,
  snoozedMoved: (number: number, title: string, when: string): string =>
    `那时是安静时段，#${number}「${title}」顺延到${when}。`,
  reminderSet: (number: number, title: string, when: string): string =>
    `好，${spaced(when)}提醒你：${title}（#${number}）。`,
  nextSteps: (number: number): string => `到时卡片上可以点完成或推迟；现在也可以发 /done ${number}。`,
  whoYou: "你",
  noneOpen: "没有还没了结的事。",
  quietSet: (from: string, until: string): string => `好，${from} 到 ${until} 不打扰你。`,
  quietOff: "好，不再有安静时段，任何时候都可能提醒你。要设回来就发：/quiet 21:30-09:00",
  quietNone: "现在没有安静时段。要设就发：/quiet 21:30-09:00",
  quietShow: (from: string, until: string): string => `现在 ${from} 到 ${until} 不打扰你。要改就发：/quiet 21:30-09:00`,
  quietRuleSet: (rule: string): string => `好，${rule}。`,
  quietRules: {
    max: (n: number): string => (n === 0 ? "不主动提醒，只在你指定的时间说" : `每天最多主动提醒 ${n} 次`),
    gap: (minutes: number): string => `两次提醒至少隔 ${minutes} 分钟`,
    rest: (hours: number): string => `同一件事 ${hours} 小时内不重复`,
    ignored: (n: number): string => `同一件事连续 ${n} 次没有回应就不再提`,
    matters: (n: number): string => `一张卡片最多列 ${n} 件事`,
    idle: (minutes: number): string => `你停下来 ${minutes} 分钟后才提醒`,
  },
  paused: (until: string): string =>
    until === ""
      ? "好，先不主动提醒了。发 /unpause 恢复。"
      : `好，${spaced(until)}之前不主动提醒。发 /unpause 提前恢复。`,
  unpaused: "好，恢复主动提醒。",
  prefsSaved: "提醒偏好已保存。",
  prefsTemplate: `# 提醒偏好

用自己的话写，我每次都会读。

- 工作上的承诺和截止日期：要提醒。
- 私人消费、随口一说的想法：不用提醒。
- 语气：简短、直接。
`,
  tick: {
    sent: (count: number): string => `看完了，有 ${count} 件事要提，这就发给你。`,
    nothing: (why: string): string => `看完了，现在没有要提的：${why}`,
    dryNothing: (why: string): string => `试看一遍：现在什么都不会发。原因：${why}`,
    drySend: (text: string): string => `试看一遍（没有真的发送、也没有留下记录）。会发的是：\n${text}`,
    failed: (ref: string): string => `这次没看成，什么都没有丢，下次会重新看。编号 ${ref}`,
  },
  silence: {
    outside_active_window: "现在是安静时段。",
    nothing_new: "没有新的内容。",
    paused: "主动提醒已暂停，发 /unpause 恢复。",
    person_is_talking: "你正在和 Hermes 聊天，等你停下来再说。",
    no_owner: "还没有所有者。",
    history_unavailable: "暂时读不到 Hermes 的会话记录，稍后再试。",
    not_arriving: "最近的提醒没有送达，稍后再试。",
    already_looking: "另一次查看正在进行，稍等它看完。",
  },
  allSkipped: "看过的事都先不用提。",
  noCandidates: "没有发现还没了结的事。",
  notSpokenYet: (number: number, title: string): string => `#${number}「${title}」还没有提过，所以没有可解释的。`,
  toldInPrivate: "这些不方便在群里说，已经单独发给你了。",
  noRunYet: "还没有查看过。发 /tick 现在看一遍。",
  pairing: {
    ask: "这是一个私人机器人。请把服务器日志里的配对码发给我。",
    wrong: "配对码不对，请再看一眼服务器日志。",
    tooMany: "试的次数太多，配对码已换新，请看服务器日志。",
    welcome:
      "配对成功，你是这里的所有者。\n我会读你和 Hermes 聊过的内容，找出还没了结的事，在合适的时候提醒你一次。发 /help 看看能做什么。",
    stranger: "抱歉，我只为被允许的人服务。可以请所有者发 /members 让你进来。",
    onlyDirect: "请在和我的单聊里发配对码。",
  },
  reply: {
    which: (list: string, first: number): string =>
      `这张卡片上有几件事，请说是哪一件，例如「${first} 完成了」：\n${list}`,
    unclear: (example: string): string => `没看懂。可以回复：${example}`,
    example: "完成了 / 不用了 / 明天下午3点再说",
    meant: {
      done: (number: number, title: string): string =>
        `是说「${title}」完成了吗？请直接回复那张卡片，或发 /done ${number}。`,
      drop: (number: number, title: string): string =>
        `是说「${title}」不用跟进了吗？请直接回复那张卡片，或发 /drop ${number}。`,
    },
  },
  admin: "这条命令只有所有者和管理员可以用。",
  stale: (age: string): string => `这条消息是${age}前发的，当时我不在线。还需要的话，请再发一次。`,
  several: (list: string): string => `有几件事都像，请用编号说是哪一件：\n${list}`,
  notice: {
    history_malformed: {
      title: "读不了 Hermes 的会话库",
      text: "文件像是损坏了，我已停止读取，什么也没有改动。请检查 Hermes 的 state.db（例如用 hermes doctor），修好后我会自动继续。",
    },
    history_silent: {
      title: "很久没读到 Hermes 的会话了",
      text: "我还在，但会话库一直读不出来。请看看 Hermes 是否在运行、路径和权限对不对。",
    },
    feishu_refuses: {
      title: "飞书拒绝了我的请求",
      text: "应用缺少权限，或额度用完了。请到开发者后台检查权限，并发布新版本。",
    },
    disk_full: {
      title: "磁盘快满了",
      text: "数据目录所在的磁盘空间不多了，写满以后什么都存不下来。请清理一些空间，或把 HERALD_DATA_DIR 移到别处。",
    },
    clock_off: {
      title: "这台机器的时钟不准",
      text: "和飞书的时间差了一分钟以上，提醒会早到或晚到。请打开时间同步，例如 timedatectl set-ntp true。",
    },
    ticks_fail: {
      title: "最近几次都没能看完会话",
      text: "这期间不会有提醒；没看的内容一条也没丢，好了会自动补上。发 /status 看是哪里的问题，或发 /tick 再试一次。",
    },
  },
};
