import type { evolution as zh } from "../zh/evolution.ts";

type Wording = { title: string; description: string; effect: string };
const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

const failureKinds: (typeof zh)["failureKinds"] = {
  timeout: "time-out",
  not_found: "not found",
  permission: "no permission",
  network: "network trouble",
  rate_limit: "rate limit",
  auth: "not logged in",
  invalid_input: "wrong input",
  blocked: "blocked",
  nonzero_exit: "command failed",
  other: "other error",
};

const chains: (typeof zh)["chains"] = {
  small_commands: "Several small commands could be one",
  read_then_cat: "A file that was read is printed again",
  write_then_read: "A file that was just written is read again",
  read_instead_of_search: "Files read one by one where a search would do",
};

const categories: (typeof zh)["categories"] = {
  code: "coding",
  search: "research",
  files: "reading files",
  ops: "operations",
  data: "data",
  writing: "writing",
  chat: "chat",
  scheduled: "scheduled tasks",
  other: "other",
};

const kindWords = (kind: string): string => failureKinds[kind as keyof typeof failureKinds] ?? kind;
const categoryWords = (name: string): string => categories[name as keyof typeof categories] ?? name;

/** The look back at night, the report in the evening, proposals, strategies. */
export const evolution: typeof zh = {
  failureKinds,
  chains,
  kinds: {
    skill_create: "Skill",
    strategy_adjust: "Strategy",
    memory_update: "Memory",
    tool_preference: "Tool habit",
  },
  categories,
  risks: { low: "low", medium: "medium", high: "high" },
  draft: {
    failure: {
      hint: (where, kind) =>
        `Before using ${where}, make sure that what it needs is there: it has failed repeatedly (${kindWords(kind)}). After one failure read the error before deciding.`,
      wording: (where, kind, count, sessions): Wording => ({
        title: `${where} keeps failing: ${kindWords(kind)}`,
        description: `In ${plural(sessions, "session")} ${where} failed ${plural(count, "time")} (${kindWords(kind)}); this is no accident.`,
        effect: "Fewer detours, because the conditions are looked at first",
      }),
    },
    loop: {
      hint: (where) =>
        `When ${where} fails, do not try the same again: read the error and take another way; the same call twice at most.`,
      wording: (where, count, sessions): Wording => ({
        title: `${where} is retried unchanged`,
        description: `${plural(count, "loop")} in ${plural(sessions, "session")}: the same call three times or more in a row.`,
        effect: "Fewer retries that cannot help",
      }),
    },
    chain: {
      hint: (where) => `When ${where} fails, mend it first: the steps that need it will fail as well.`,
      wording: (where, count, sessions): Wording => ({
        title: `${where} takes other steps down with it`,
        description: `In ${plural(sessions, "session")} a failure of ${where} was left alone and caused later ones (${count} in all).`,
        effect: "One error instead of a row of them",
      }),
    },
    slow: {
      hint: (where) => `${where} is often slow: narrow it down first, or run it in the background with a time limit.`,
      wording: (where, count, minutes): Wording => ({
        title: `${where} is too slow`,
        description: `${plural(count, "call")} took ${plural(minutes, "minute")} in all, each longer than a minute.`,
        effect: "Less waiting",
      }),
    },
    correction: {
      hint: (category) =>
        `Before work of the kind "${categoryWords(category)}", say in one sentence what will be done and within which bounds, then begin.`,
      wording: (category, count, sessions): Wording => ({
        title: `Often corrected: ${categoryWords(category)}`,
        description: `You corrected this kind of work ${plural(count, "time")} in ${plural(sessions, "session")}.`,
        effect: "Less work done twice",
      }),
    },
    reads: {
      line: "Do not read the same file again while it has not changed; use what was read before.",
      wording: (about, count, sessions): Wording => ({
        title: "The same file is read again and again",
        description: `${plural(count, "read")} in ${plural(sessions, "session")} were for nothing, such as ${about}: the content was the same.`,
        effect: "Fewer reads, quicker results",
      }),
    },
    searches: {
      line: "Do not run the same search twice; look at what it found before.",
      wording: (about, count, sessions): Wording => ({
        title: "The same search is run again",
        description: `${plural(count, "search", "searches")} in ${plural(sessions, "session")} were repeats, such as "${about}".`,
        effect: "Fewer searches",
      }),
    },
    redundant: {
      lines: {
        small_commands: "Put small commands that only look at something into one command.",
        read_then_cat: "Do not print a file by a command after it has just been read.",
        write_then_read: "Do not read a file right after it was written; that the writing succeeded is the result.",
        read_instead_of_search: "To find something, search first instead of reading file after file.",
      },
      wording: (kind, count, sessions): Wording => ({
        title: chains[kind],
        description: `Seen ${plural(count, "time")} in ${plural(sessions, "session")}; fewer steps would do.`,
        effect: "Fewer steps",
      }),
    },
    success: {
      about: (steps) => `Work in steps that have succeeded repeatedly: ${steps.join(", ")}.`,
      body: (steps, examples) =>
        [
          "## When to use",
          "",
          ...examples.map((each) => `- For example: ${each}`),
          "",
          "## Steps",
          "",
          ...steps.map((step, at) => `${at + 1}. ${step}`),
          "",
          "Look at the result of each step before the next; where things differ from this, what is in front of you counts.",
        ].join("\n"),
      wording: (steps, sessions): Wording => ({
        title: `Keep a way of working as a skill: ${steps.slice(0, 3).join(" → ")}`,
        description: `${plural(sessions, "session")} succeeded at once in the same steps, without failures or corrections.`,
        effect: "Done the same way at once next time",
      }),
    },
    statement: {
      wording: (about, sessions): Wording => ({
        title: "Remember what you said",
        description: `You said in ${plural(sessions, "session")}: "${about}"`,
        effect: "No need to say it again",
      }),
    },
    gone: {
      wording: (title, days): Wording => ({
        title: `Strategy no longer needed: ${title}`,
        description: `What it is against has not been seen for ${days} days; its cause may be gone. If it comes back, it will be proposed again.`,
        effect: "Not held back by an old lesson",
      }),
    },
    unused: {
      wording: (name, days): Wording => ({
        title: `Remove the unused skill ${name}`,
        description: `The skill has been there for ${days} days and was never used.`,
        effect: "A shorter list of skills",
      }),
    },
  },
  report: {
    title: (date) => `Looking back at ${date}`,
    weekTitle: (from, to) => `The week from ${from} to ${to}`,
    overview: "Overview",
    sessions: (total, completed, interrupted, failed) =>
      `${plural(total, "session")}: ${completed} completed, ${interrupted} interrupted, ${failed} failed`,
    score: (score, change) => (change === "" ? `Average quality ${score}` : `Average quality ${score} (${change})`),
    change: {
      up: (by) => `+${by} on the day before`,
      down: (by) => `−${by} on the day before`,
      same: "as the day before",
    },
    tools: (total, rate) => `${plural(total, "tool call")}, ${rate} succeeded`,
    parts: (completion, efficiency, cost, satisfaction) =>
      `Completion ${completion} · efficiency ${efficiency} · cost ${cost} · satisfaction ${satisfaction}`,
    trend: "Quality over time",
    trendAxis: "Average quality",
    errors: "Errors",
    noErrors: "No tool call failed.",
    errorRow: (tool, kind, count, sessions) =>
      `${tool}: ${kind}, ${plural(count, "time")} in ${plural(sessions, "session")}`,
    atHost: (host) => `host ${host}`,
    between: (from, to) => (from === to ? from : `${from} to ${to}`),
    passing: "passing",
    lasting: "keeps coming back",
    unfinished: (interrupted, failed) => `Unfinished: ${interrupted} interrupted, ${failed} failed`,
    corrections: (corrections, frustration, thanks) =>
      `You corrected ${plural(corrections, "time")}, were annoyed ${plural(frustration, "time")}, said thanks ${plural(thanks, "time")}`,
    api: (turns, events) => `${plural(turns, "message")} without an answer, ${plural(events, "failed model call")}`,
    loops: (count, calls) => `Retried unchanged in ${plural(count, "place")}, ${plural(calls, "call")} in all`,
    chainsLine: (count) => `One failure that caused others: ${plural(count, "time")}`,
    budget: (count) => `Ran out of steps: ${plural(count, "session")}`,
    waste: "Wasted time",
    noWaste: "Nothing much was wasted.",
    iterations: (average, ideal) => `${average} steps on average, ${ideal} would be ideal`,
    reads: (wasted) => `${plural(wasted, "repeated read")} (content unchanged)`,
    searches: (count) => `${plural(count, "repeated search", "repeated searches")}`,
    redundant: (count) => `${plural(count, "chain")} that could be shorter`,
    longest: "Longest calls",
    longestRow: (about, duration) => `${about} · ${duration}`,
    noTimes: "Without the Hermes plugin nobody knows how long each call took.",
    rebuilt: (n, total) =>
      n === total
        ? "Figures rebuilt from Hermes' session store."
        : `${n} of ${plural(total, "session")} rebuilt from the session store, the rest told by the plugin.`,
    words: "Causes",
    errorCauses: "Causes of the errors",
    wasteCauses: "Causes of the waste",
    recommendations: "Recommendations",
    by: (model) => `Written by ${model}`,
    figuresOnly: {
      none: "No model is configured: figures only.",
      transport: "Reflection not completed: no model answered. Figures only.",
      unreadable: "Reflection not completed: the model's answer could not be read. Figures only.",
      budget: "Reflection not completed: today's allowance for models is used up. Figures only.",
    },
    proposals: "Proposals",
    noProposals: "No new proposals today.",
    heldBack: (n) => `${n} more held back (too little evidence, refused before, or unsuitable text)`,
    approveLow: (n) => `Approve all low-risk (${n})`,
    approveLowTitle: "Approve the low-risk proposals",
    approveLowText: (n) => `${plural(n, "low-risk proposal")} will be executed; each can be reverted at any time.`,
    empty: "There were no sessions on that day.",
    pending: (n) => `Hermes itself has ${plural(n, "write")} waiting for approval`,
    pendingRow: (what, about, age) => `${what} · ${about}${age === "" ? "" : ` · waiting for ${age}`}`,
    pendingKinds: { memory: "memory", skills: "skill" },
    pendingHint: "Settle them in Hermes with /memory or /skills; a memory can also be made a proposal here.",
    adopt: "Make it a proposal",
    weekRow: (date, sessions, score) => `${date} · ${plural(sessions, "session")} · ${score}`,
    weekDecided: (executed, rejected, reverted) =>
      `This week: ${executed} executed, ${rejected} rejected, ${reverted} reverted`,
    again: "Analyse again",
  },
  proposal: {
    number: (n) => `Proposal #${n}`,
    head: (kind, risk) => `${kind} · ${risk} risk`,
    effect: (text) => `Expected: ${text}`,
    approve: "Approve",
    reject: "Reject",
    details: "Details",
    later: "Later",
    revert: "Revert",
    tryAgain: "Try again",
    open: "Open",
    revertTitle: "Revert this change?",
    revertText: "Everything goes back to what it was before.",
    change: "The exact change",
    target: (name) => `Written to ${name}`,
    strategies: "the set of strategies (Herald's own database)",
    nothingToShow: "There is nothing left to change.",
    cannot: (why) => `Cannot be executed as things are: ${why}`,
    evidence: "Evidence",
    evidenceLine: (count, sessions, dates) =>
      `${plural(sessions, "session")}, ${plural(count, "time")}, ${plural(dates, "day")}`,
    quote: (who, when, text) => `${who}, ${when}: ${text}`,
    who: { user: "You", tool: "Tool", assistant: "Hermes" },
    sessionsList: (ids) => `Sessions ${ids}`,
    measured: (what) =>
      `How it is measured: the average quality of ${what} afterwards is compared with before; if it gets worse, the change is reverted by itself`,
    allWork: "sessions of the same kind",
    byRules: "Drafted by rules",
    byModel: "Drafted by a model",
    refusedBefore: (number, when, reason, sessions) =>
      `Refused before (#${number}, ${when}) because: ${reason}. Seen in ${plural(sessions, "new session")} since.`,
    noReason: "no reason given",
    expires: (when) => `Open until ${when}`,
    lesson: (when) => `This lesson ends on ${when} and is tested again then`,
    states: {
      pending_approval: "Waiting for you",
      approved: "Approved, being executed",
      executed: "✓ Executed",
      rejected: "✕ Rejected",
      expired: "Expired",
      failed: "Failed; all is as before",
      reverted: "↩ Reverted",
      reverting: "Being reverted",
      later: "Later",
    },
    byWhom: (state, who, when) => `${state} · ${who} · ${when}`,
    atWhen: (state, when) => `${state} · ${when}`,
    reason: (text) => `Why: ${text}`,
    autoReverted: {
      worse: (by) => `Quality fell by ${by} afterwards; reverted by itself`,
      worseIn: (category, by) => `Quality of ${category} fell by ${by} afterwards; reverted by itself`,
      falling: (by) => `Quality kept falling afterwards (${by}); reverted by itself`,
    },
    kept: (why) => `Not reverted: ${why}. The file stays as it is.`,
    trial: {
      active: (samples, need) =>
        samples < need
          ? `Too early: ${samples} of ${plural(need, "session")}`
          : `On trial: ${plural(samples, "session")}`,
      promoted: (by) => `It helped: quality up by ${by}`,
      inconclusive: "No difference to be seen",
      reverted: "Reverted",
      score: (before, now) => `${before} before, ${now} since`,
      noBaseline: "No sessions to compare with before it",
    },
    reasons: {
      not_useful: "Not useful",
      wrong_cause: "Wrong cause",
      too_risky: "Too risky",
      we_do_it_otherwise: "We do it another way",
      not_now: "Not needed now",
    },
    whyReject: "Why not? (optional)",
    reasonLabel: "In your own words",
    reasonPlaceholder: "For example: we use fd, not find",
    reasonSend: "Send",
    superseded: "no longer holds after looking again",
  },
  list: {
    title: "Proposals waiting for you",
    empty: "No proposals are waiting for you.",
    count: (n) => `${n} in all`,
    typing: "Or type: /approve 3, /reject 3 reason, /revert 3",
  },
  strategies: {
    title: "Strategies in force",
    empty: "No strategies yet. They appear here once a proposal is approved.",
    version: (n, when) => `Version ${n} · since ${when}`,
    level: { warn: "hint", block: "blocks" },
    row: (n, level, scope) => `${n} · ${level} · ${scope}`,
    until: (when) => `until ${when}`,
    off: "off",
    turnOn: "Turn on",
    turnOff: "Turn off",
    always: "all conversations",
  },
  notices: {
    kind_held: {
      title: "No more of this kind for now",
      failing: (kind) =>
        `The last proposals of the kind "${kind}" failed or were reverted, so I stop making them. Tap below to go on.`,
      plateau: (kind) =>
        `The last proposals of the kind "${kind}" changed nothing, so I stop making them. Tap below to go on.`,
      resume: "Go on with this kind",
    },
  },
  toast: {
    approved: "Approved, being executed",
    approvedSome: (n, left) => (left === 0 ? `${n} approved` : `${n} approved, ${left} changed: please look again`),
    rejected: "Rejected",
    reasonKept: "Noted",
    later: "Back with the next report",
    reverting: "Being reverted",
    already: (state) => `Settled already: ${state}`,
    on: "Turned on",
    off: "Turned off",
    resumed: "Going on with this kind",
    adopted: "Made a proposal",
    gone: "No longer waiting",
    dreaming: "Analysing; you will be told",
  },
  command: {
    dreamDone: (date, sessions, proposals) =>
      `${date} is analysed: ${plural(sessions, "session")}, ${plural(proposals, "proposal")}. Send /report ${date} to see it.`,
    dreamRunning: (date) => `${date} is being analysed, one moment.`,
    noReport: (date) => `There is no report for ${date} yet. Send /dream ${date} to make it now.`,
    approved: (n, title) => `OK, #${n} "${title}" is approved and being executed.`,
    rejected: (n, title) => `OK, #${n} "${title}" is rejected. Without new evidence it will not come back.`,
    reverting: (n, title) => `OK, #${n} "${title}" is being reverted.`,
    already: (n, title, state) => `#${n} "${title}": ${state}.`,
    switched: { on: (title) => `"${title}" is on.`, off: (title) => `"${title}" is off.` },
  },
  clashes: {
    not_ours: "a skill that I did not make stands there",
    already_there: "the same is there already",
    not_there: "what should be changed is gone",
    no_room: "there is no room (Hermes' limit)",
    odd_file: "the file is not in the expected form",
    changed_since: "the file was changed in the meantime",
    bad_name: "the name is not allowed",
    too_many: "there are too many strategies",
    bad_rule: "the rule is not well formed",
    secret: "the text seems to hold a secret",
    weakens_safety: "the text weakens safety checks; held back as a suspected injection",
    instruction: "the text looks like smuggled instructions; held back",
    raw_fragment: "the text is not a whole sentence",
    too_long: "the text is too long",
    empty: "there is no text",
    unreadable: "the content cannot be read",
    no_change: "it would change nothing",
    not_verified: "what was written did not read back the same",
    unavailable: "Hermes' folder cannot be written to",
    no_snapshot: "nothing was kept of the state before",
    superseded: "it no longer holds after looking again",
  },
};
