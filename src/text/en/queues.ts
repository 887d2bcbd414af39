import type { queues as zh } from "../zh/queues.ts";

const plural = (n: number, one: string): string => `${n} ${n === 1 ? one : `${one}s`}`;

export const queues: typeof zh = {
  title: (n) => `${plural(n, "matter")} in Hermes ${n === 1 ? "waits" : "wait"} to be looked at`,
  kinds: { cron_suggestion: "suggested job", failed_delivery: "message not delivered" },
  row: (kind, title, age) => `${kind} · ${title}${age === "" ? "" : ` · ${age} ago`}`,
  more: (n) => `${n} more`,
  unreadable: (n) => `${plural(n, "record")} could not be read: there may be more.`,
  hint: "Jobs and deliveries are settled in Hermes: send /cron, for example.",
};
