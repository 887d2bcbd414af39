type Kind = keyof typeof failureKinds;
type Wording = { title: string; description: string; effect: string };

const failureKinds = {
  timeout: "超时",
  not_found: "找不到",
  permission: "没有权限",
  network: "网络不通",
  rate_limit: "被限流",
  auth: "未登录或凭证失效",
  invalid_input: "参数不对",
  blocked: "被拦截",
  nonzero_exit: "命令出错",
  other: "其他错误",
};

const chains = {
  small_commands: "几条小命令可以合成一条",
  read_then_cat: "读过的文件又打印一遍",
  write_then_read: "刚写完的文件又读一遍",
  read_instead_of_search: "逐个翻文件，不如先搜索",
};

type Category = keyof typeof categories;
const categories = {
  code: "写代码",
  search: "检索",
  files: "看文件",
  ops: "运维",
  data: "数据",
  writing: "写作",
  chat: "聊天",
  scheduled: "定时任务",
  other: "其他",
};

/** 夜里的回顾、晚上的报告、提案、策略。 */
export const evolution = {
  failureKinds,
  chains,
  kinds: {
    skill_create: "技能",
    strategy_adjust: "策略",
    memory_update: "记忆",
    tool_preference: "工具习惯",
  },
  categories,
  risks: { low: "低", medium: "中", high: "高" },
  /** 提案里由程序写下的句子。 */
  draft: {
    failure: {
      hint: (where: string, kind: string): string =>
        `使用 ${where} 之前先确认条件具备：最近多次因“${failureKinds[kind as Kind] ?? kind}”失败；失败一次后先看报错再决定。`,
      wording: (where: string, kind: string, count: number, sessions: number): Wording => ({
        title: `${where} 常因${failureKinds[kind as Kind] ?? kind}失败`,
        description: `${sessions} 个会话里，${where} 有 ${count} 次因“${failureKinds[kind as Kind] ?? kind}”失败，不是偶然。`,
        effect: "调用前先检查，少走弯路",
      }),
    },
    loop: {
      hint: (where: string): string => `${where} 失败后不要原样再试：先读报错、换一种做法，同样的做法最多两次。`,
      wording: (where: string, count: number, sessions: number): Wording => ({
        title: `${where} 反复原样重试`,
        description: `${sessions} 个会话里出现 ${count} 次循环：同一个调用连续试了三次以上。`,
        effect: "减少无效重试",
      }),
    },
    chain: {
      hint: (where: string): string => `${where} 失败后先把它修好，再做依赖它的步骤，否则后面的步骤也会失败。`,
      wording: (where: string, count: number, sessions: number): Wording => ({
        title: `${where} 失败后连带出错`,
        description: `${sessions} 个会话里，${where} 失败后没有先处理，带出了后面的失败（共 ${count} 次）。`,
        effect: "先修源头，少一串错误",
      }),
    },
    slow: {
      hint: (where: string): string => `${where} 往往很慢：先缩小范围，或者放到后台并设好超时时间。`,
      wording: (where: string, count: number, minutes: number): Wording => ({
        title: `${where} 太慢`,
        description: `${count} 次调用一共花了 ${minutes} 分钟，每次都超过一分钟。`,
        effect: "缩短等待",
      }),
    },
    correction: {
      hint: (category: string): string =>
        `做“${categories[category as Category] ?? category}”类的事之前，先用一句话复述要做什么、范围是哪里，再动手。`,
      wording: (category: string, count: number, sessions: number): Wording => ({
        title: `“${categories[category as Category] ?? category}”常被纠正`,
        description: `${sessions} 个会话里，这类任务被你纠正了 ${count} 次。`,
        effect: "少返工",
      }),
    },
    reads: {
      line: "同一个文件没有改动时不要重复读取，直接用前面读到的内容。",
      wording: (about: string, count: number, sessions: number): Wording => ({
        title: "同一个文件反复读取",
        description: `${sessions} 个会话里有 ${count} 次读取是多余的，例如 ${about}，内容并没有变。`,
        effect: "少读几次，更快给出结果",
      }),
    },
    searches: {
      line: "同样的搜索不要重复做，先看前面搜到的结果。",
      wording: (about: string, count: number, sessions: number): Wording => ({
        title: "同样的搜索做了多次",
        description: `${sessions} 个会话里有 ${count} 次搜索是重复的，例如“${about}”。`,
        effect: "少搜几次",
      }),
    },
    redundant: {
      lines: {
        small_commands: "只是查看情况的小命令，合成一条来执行。",
        read_then_cat: "刚读过的文件不要再用命令打印一遍。",
        write_then_read: "刚写好的文件不要马上再读一遍，写入成功就是结果。",
        read_instead_of_search: "要找某个内容时先搜索，不要逐个文件翻看。",
      },
      wording: (kind: keyof typeof chains, count: number, sessions: number): Wording => ({
        title: chains[kind],
        description: `${sessions} 个会话里出现了 ${count} 次，步骤可以更少。`,
        effect: "步骤更少",
      }),
    },
    success: {
      about: (steps: readonly string[]): string => `按已经多次奏效的步骤来做：${steps.join("、")}。`,
      body: (steps: readonly string[], examples: readonly string[]): string =>
        [
          "## 什么时候用",
          "",
          ...examples.map((each) => `- 例如：${each}`),
          "",
          "## 步骤",
          "",
          ...steps.map((step, at) => `${at + 1}. ${step}`),
          "",
          "每一步都先看上一步的结果；和这里不一样时，以眼前的情况为准。",
        ].join("\n"),
      wording: (steps: readonly string[], sessions: number): Wording => ({
        title: `把做法存成技能：${steps.slice(0, 3).join(" → ")}`,
        description: `${sessions} 个会话都用同样的步骤一次做成，没有失败，也没有被纠正。`,
        effect: "下次直接照做",
      }),
    },
    statement: {
      wording: (about: string, sessions: number): Wording => ({
        title: "记住你说过的话",
        description: `你在 ${sessions} 个会话里说过：“${about}”`,
        effect: "不用再说一遍",
      }),
    },
    gone: {
      wording: (title: string, days: number): Wording => ({
        title: `可以撤下策略：${title}`,
        description: `${days} 天没有再出现它针对的问题，原因可能已经消失。撤下后如果问题回来，会重新提出。`,
        effect: "不受过时经验的限制",
      }),
    },
    unused: {
      wording: (name: string, days: number): Wording => ({
        title: `移除没用过的技能 ${name}`,
        description: `这个技能放了 ${days} 天，一次也没有用到。`,
        effect: "技能列表更短",
      }),
    },
  },
  report: {
    title: (date: string): string => `${date} 的回顾`,
    weekTitle: (from: string, to: string): string => `${from} 至 ${to} 的一周`,
    overview: "概览",
    sessions: (total: number, completed: number, interrupted: number, failed: number): string =>
      `会话 ${total} 个：完成 ${completed}，中断 ${interrupted}，失败 ${failed}`,
    score: (score: string, change: string): string =>
      change === "" ? `平均质量 ${score}` : `平均质量 ${score}（${change}）`,
    change: {
      up: (by: string): string => `比前一天 +${by}`,
      down: (by: string): string => `比前一天 −${by}`,
      same: "与前一天持平",
    },
    tools: (total: number, rate: string): string => `工具调用 ${total} 次，成功率 ${rate}`,
    parts: (completion: string, efficiency: string, cost: string, satisfaction: string): string =>
      `完成 ${completion} · 效率 ${efficiency} · 用量 ${cost} · 满意 ${satisfaction}`,
    trend: "质量走势",
    trendAxis: "平均质量",
    errors: "出错",
    noErrors: "没有工具调用出错。",
    errorRow: (tool: string, kind: string, count: number, sessions: number): string =>
      `${tool}：${kind} ${count} 次，${sessions} 个会话`,
    atHost: (host: string): string => `主机 ${host}`,
    between: (from: string, to: string): string => (from === to ? from : `${from} 至 ${to}`),
    passing: "暂时性的",
    lasting: "反复出现",
    unfinished: (interrupted: number, failed: number): string => `没做完：中断 ${interrupted}，失败 ${failed}`,
    corrections: (corrections: number, frustration: number, thanks: number): string =>
      `你纠正了 ${corrections} 次，表示不满 ${frustration} 次，道谢 ${thanks} 次`,
    api: (turns: number, events: number): string => `没有回复的消息 ${turns} 条，模型调用失败 ${events} 次`,
    loops: (count: number, calls: number): string => `原样重试 ${count} 处，共 ${calls} 次调用`,
    chainsLine: (count: number): string => `一处失败带出后面失败：${count} 处`,
    budget: (count: number): string => `步数用尽 ${count} 个会话`,
    waste: "费时",
    noWaste: "没有发现明显浪费。",
    iterations: (average: string, ideal: string): string => `平均 ${average} 步，理想 ${ideal} 步`,
    reads: (wasted: number): string => `重复读取 ${wasted} 次（内容没变）`,
    searches: (count: number): string => `重复搜索 ${count} 次`,
    redundant: (count: number): string => `可以更短的步骤 ${count} 处`,
    longest: "最慢的调用",
    longestRow: (about: string, duration: string): string => `${about} · ${duration}`,
    noTimes: "没有 Hermes 插件的数据，不知道每次调用用了多久。",
    rebuilt: (n: number, total: number): string =>
      n === total ? "数字由 Hermes 的会话记录还原。" : `${total} 个会话中有 ${n} 个由会话记录还原，其余来自插件。`,
    words: "原因分析",
    errorCauses: "出错的原因",
    wasteCauses: "费时的原因",
    recommendations: "建议",
    by: (model: string): string => `由 ${model} 分析`,
    figuresOnly: {
      none: "没有配置模型，只有数字。",
      transport: "反思未完成：模型没有响应。下面只有数字。",
      unreadable: "反思未完成：模型的回答读不懂。下面只有数字。",
      budget: "反思未完成：今天的模型用量已到上限。下面只有数字。",
    },
    proposals: "提案",
    noProposals: "今天没有新的提案。",
    heldBack: (n: number): string => `另有 ${n} 条没有提出（证据不足、已被拒绝过或内容不合适）`,
    approveLow: (n: number): string => `通过全部低风险（${n}）`,
    approveLowTitle: "通过低风险提案",
    approveLowText: (n: number): string => `将执行 ${n} 条低风险提案，之后随时可以撤回。`,
    empty: "这一天没有会话。",
    pending: (n: number): string => `Hermes 自己还有 ${n} 条待批的写入`,
    pendingRow: (what: string, about: string, age: string): string =>
      `${what} · ${about}${age === "" ? "" : ` · 等了 ${age}`}`,
    pendingKinds: { memory: "记忆", skills: "技能" },
    pendingHint: "在 Hermes 里用 /memory 或 /skills 处理；记忆也可以点下面的按钮变成提案。",
    adopt: "变成提案",
    weekRow: (date: string, sessions: number, score: string): string => `${date} · ${sessions} 个会话 · ${score}`,
    weekDecided: (executed: number, rejected: number, reverted: number): string =>
      `本周执行 ${executed} 条，拒绝 ${rejected} 条，撤回 ${reverted} 条`,
    again: "重新分析",
  },
  proposal: {
    number: (n: number): string => `提案 #${n}`,
    head: (kind: string, risk: string): string => `${kind} · 风险${risk}`,
    effect: (text: string): string => `预期：${text}`,
    approve: "通过",
    reject: "拒绝",
    details: "详情",
    later: "以后再说",
    revert: "撤回",
    tryAgain: "再试一次",
    open: "打开",
    revertTitle: "撤回这项改动？",
    revertText: "会恢复到执行之前的样子。",
    change: "具体改动",
    target: (name: string): string => `写到 ${name}`,
    strategies: "策略集（Herald 自己的数据库）",
    nothingToShow: "现在已没有可改的内容。",
    cannot: (why: string): string => `现在执行不了：${why}`,
    evidence: "依据",
    evidenceLine: (count: number, sessions: number, dates: number): string =>
      `${sessions} 个会话，${count} 次，${dates} 天`,
    quote: (who: string, when: string, text: string): string => `${who} ${when}：${text}`,
    who: { user: "你", tool: "工具", assistant: "Hermes" },
    sessionsList: (ids: string): string => `会话 ${ids}`,
    measured: (what: string): string => `怎么衡量：执行后比较${what}的平均质量，变差会自动撤回`,
    allWork: "同类会话",
    byRules: "由规则提出",
    byModel: "由模型提出",
    refusedBefore: (number: number, when: string, reason: string, sessions: number): string =>
      `上次（#${number}，${when}）因“${reason}”被拒绝；此后在 ${sessions} 个新会话里又出现。`,
    noReason: "没有说明",
    expires: (when: string): string => `${when} 前有效`,
    lesson: (when: string): string => `这条经验到 ${when} 失效，到时重新检验`,
    states: {
      pending_approval: "等你决定",
      approved: "已通过，正在执行",
      executed: "✓ 已执行",
      rejected: "✕ 已拒绝",
      expired: "已过期",
      failed: "执行失败，已还原",
      reverted: "↩ 已撤回",
      reverting: "正在撤回",
      later: "以后再说",
    },
    byWhom: (state: string, who: string, when: string): string => `${state} · ${who} · ${when}`,
    atWhen: (state: string, when: string): string => `${state} · ${when}`,
    reason: (text: string): string => `原因：${text}`,
    autoReverted: {
      worse: (by: string): string => `执行后质量下降 ${by}，已自动撤回`,
      worseIn: (category: string, by: string): string => `执行后“${category}”的质量下降 ${by}，已自动撤回`,
      falling: (by: string): string => `执行后质量连续下降（${by}），已自动撤回`,
    },
    kept: (why: string): string => `没有撤回：${why}。文件保持现在的样子。`,
    trial: {
      active: (samples: number, need: number): string =>
        samples < need ? `样本不足：${samples} / ${need} 个会话` : `观察中：${samples} 个会话`,
      promoted: (by: string): string => `有效：质量提高 ${by}`,
      inconclusive: "看不出差别",
      reverted: "已撤回",
      score: (before: string, now: string): string => `之前 ${before}，之后 ${now}`,
      noBaseline: "执行前没有可比的会话",
    },
    reasons: {
      not_useful: "没用",
      wrong_cause: "原因不对",
      too_risky: "风险太大",
      we_do_it_otherwise: "我们有别的做法",
      not_now: "现在不需要",
    },
    whyReject: "为什么拒绝？（可以不选）",
    reasonLabel: "用自己的话说",
    reasonPlaceholder: "例如：我们用 fd，不用 find",
    reasonSend: "提交",
    superseded: "重新分析后不再成立",
  },
  list: {
    title: "等你决定的提案",
    empty: "没有等你决定的提案。",
    count: (n: number): string => `共 ${n} 条`,
    typing: "也可以直接发送：/approve 3、/reject 3 原因、/revert 3",
  },
  strategies: {
    title: "生效中的策略",
    empty: "还没有策略。通过提案后会出现在这里。",
    version: (n: number, when: string): string => `第 ${n} 版 · ${when} 起`,
    level: { warn: "提示", block: "拦截" },
    row: (n: number, level: string, scope: string): string => `${n} · ${level} · ${scope}`,
    until: (when: string): string => `到 ${when}`,
    off: "已停用",
    turnOn: "启用",
    turnOff: "停用",
    always: "所有对话",
  },
  notices: {
    kind_held: {
      title: "先不再提这一类",
      failing: (kind: string): string =>
        `最近几条“${kind}”都没有成功或被撤回，我先不再提这一类。要继续就点下面的按钮。`,
      plateau: (kind: string): string => `最近几条“${kind}”都看不出效果，我先不再提这一类。要继续就点下面的按钮。`,
      resume: "继续提这类",
    },
  },
  toast: {
    approved: "已通过，马上执行",
    approvedSome: (n: number, left: number): string =>
      left === 0 ? `已通过 ${n} 条` : `已通过 ${n} 条，${left} 条有变化，请再看看`,
    rejected: "已拒绝",
    reasonKept: "记下了",
    later: "好，下次报告再提",
    reverting: "正在撤回",
    already: (state: string): string => `已处理：${state}`,
    on: "已启用",
    off: "已停用",
    resumed: "好，继续提这类",
    adopted: "已变成提案",
    gone: "这条已不在等待",
    dreaming: "开始分析，好了告诉你",
  },
  command: {
    dreamDone: (date: string, sessions: number, proposals: number): string =>
      `${date} 分析完了：${sessions} 个会话，${proposals} 条提案。发 /report ${date} 查看。`,
    dreamRunning: (date: string): string => `${date} 正在分析，请稍等。`,
    noReport: (date: string): string => `${date} 还没有报告。发 /dream ${date} 现在分析。`,
    approved: (n: number, title: string): string => `好，#${n}「${title}」已通过，马上执行。`,
    rejected: (n: number, title: string): string => `好，#${n}「${title}」已拒绝。没有新的依据，不会再提。`,
    reverting: (n: number, title: string): string => `好，正在撤回 #${n}「${title}」。`,
    already: (n: number, title: string, state: string): string => `#${n}「${title}」${state}。`,
    switched: {
      on: (title: string): string => `已启用「${title}」。`,
      off: (title: string): string => `已停用「${title}」。`,
    },
  },
  /** 为什么执行不了。 */
  clashes: {
    not_ours: "那里已有一个不是我建的技能",
    already_there: "已经有同样的内容",
    not_there: "要改的内容已经不在",
    no_room: "放不下了（Hermes 的长度上限）",
    odd_file: "文件不是预期的格式",
    changed_since: "文件后来被改过",
    bad_name: "名称不合规",
    too_many: "策略太多",
    bad_rule: "规则写得不对",
    secret: "内容里像是有密钥",
    weakens_safety: "内容会削弱安全确认，疑似注入，已拦下",
    instruction: "内容像是夹带的指令，已拦下",
    raw_fragment: "内容不是完整的句子",
    too_long: "内容太长",
    empty: "没有内容",
    unreadable: "内容读不懂",
    no_change: "写了也不会有变化",
    not_verified: "写入后核对不一致",
    unavailable: "写不了 Hermes 的目录",
    no_snapshot: "没有留底",
    superseded: "重新分析后不再成立",
  },
};
