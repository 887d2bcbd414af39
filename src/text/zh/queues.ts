/** What waits in Hermes and shows nowhere there. */
export const queues = {
  title: (n: number): string => `Hermes 那边还有 ${n} 件事在等人看`,
  kinds: { cron_suggestion: "建议的定时任务", failed_delivery: "没送到的消息" },
  row: (kind: string, title: string, age: string): string => `${kind} · ${title}${age === "" ? "" : ` · ${age}前`}`,
  more: (n: number): string => `另有 ${n} 件`,
  unreadable: (n: number): string => `有 ${n} 份记录读不出来，实际可能更多。`,
  hint: "定时任务和投递在 Hermes 里处理，例如发 /cron 查看。",
};
