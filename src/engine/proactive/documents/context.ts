import { DateTime } from "luxon";
import type { CronJob } from "../../ports.ts";
import { type DocumentLook, inline, quoted, section, stamp } from "./look.ts";
import type { MemoryState } from "./memory.ts";

export interface ContextView {
  hasOwner: boolean;
  memoryState: MemoryState;
  failedCrons: readonly CronJob[];
  /** The whole of PROACTIVE_PREFERENCES.md; undefined when there is none. */
  preferences: string | undefined;
}

/** The moment in both clocks, where reminders go, what could be read, and the person's own preferences in full. */
export function contextDocument(view: ContextView, look: DocumentLook): string {
  const words = look.texts.documents;
  const local = DateTime.fromJSDate(look.now, { zone: look.zone });
  const facts = [
    `- ${words.utc}: ${look.now.toISOString()}`,
    `- ${words.local}: ${local.toFormat("yyyy-MM-dd HH:mm (EEEE) ZZ", { locale: "en" })}`,
    `- ${words.zone}: ${look.zone}`,
    `- ${words.target}: ${view.hasOwner ? words.targetOwner : words.targetNone}`,
    `- ${words.memorySource}: ${words.memoryState[view.memoryState]}`,
  ];
  const failed = view.failedCrons.map(
    (job) =>
      `- ${inline(job.name)}: ${job.lastStatus ?? "error"}${job.lastRunAt ? ` ${stamp(job.lastRunAt, look)}` : ""}`,
  );
  return [
    `${words.context}\n\n${facts.join("\n")}\n`,
    section(`## ${words.failedCrons}`, failed, look),
    section(words.preferences, view.preferences?.trim() ? [quoted(view.preferences, look)] : [], look),
  ].join("\n");
}
