/** Sessions in which no person speaks: schedules, helpers, hooks and programs. */
const MACHINE_SOURCES = new Set([
  "cron",
  "subagent",
  "tool",
  "webhook",
  "msgraph_webhook",
  "system",
  "api",
  "api_server",
  "curator",
  "batch",
]);

export const isMachineSource = (source: string): boolean => MACHINE_SOURCES.has(source.toLowerCase());

/** Rows with role user that no person typed, by how they begin. */
const MACHINE_TURNS: readonly { pattern: RegExp; why: string }[] = [
  { pattern: /^\s*\[continuing toward your standing goal\]/i, why: "the agent carries on by itself" },
  { pattern: /^\s*review the conversation above and\b/i, why: "Hermes' background review of memory and skills" },
  { pattern: /^\s*\[(?:silent|no_reply|heartbeat|noop)\]/i, why: "a control word" },
  {
    pattern:
      /^\s*[[【](?:important|system|系统|context|note to agent|cron|scheduled|webhook|delivery|automated|background|reminder from herald|定时任务|自动任务)[^\]】\n]{0,60}[\]】:：]/i,
    why: "a note of the machinery",
  },
  {
    pattern: /^\s*(?:cron ?job response|scheduled task|this is an automated|heartbeat)/i,
    why: "a mirrored result of a schedule",
  },
  {
    pattern: /^\s*\[?(?:conversation summary|context compaction|compacted|the previous conversation)/i,
    why: "a summary made by compression",
  },
];

/** An order dressed up as the program's own voice: it is data, and nobody's matter. */
const ORDER =
  /(?:^|\n)[ \t]*(?:system|developer|assistant|系统|管理员指令)\s*(?:prompt|message|消息|指令|提示)?\s*[:：>]|close_goal_ids|proactivity_(?:read|select)|tracking_manage|goal_id|<\/?(?:system|instructions?|tool)\b|\[(?:item|source):\d+\]|ignore (?:all |any )?(?:of )?(?:the |your |my )?(?:previous|above|prior|earlier)|disregard (?:all |the |any )?(?:previous|above|prior)|(?:忽略|无视)(?:掉)?(?:以上|之前|上面|前面|此前|先前)(?:的)?(?:所有|全部|一切)?|(?:mark|set|close|delete) (?:all|every) (?:open )?(?:items?|goals?|reminders?|tasks?)/i;

/** Did a machine write this user row (or does it pose as one)? */
export function isMachineTurn(text: string): boolean {
  return MACHINE_TURNS.some(({ pattern }) => pattern.test(text)) || ORDER.test(text);
}
