import { createHash } from "node:crypto";
import { cut } from "../clean-text.ts";
import type { Evidence } from "../evidence.ts";
import { maskSecrets } from "../mask-secrets.ts";
import type { CronJob, HistoryMessage, Memory } from "../ports.ts";
import type { SpokenLine } from "./settled-by-words.ts";

/** The longest quotation kept as evidence, in code points. */
const QUOTE_CHARS = 300;
/** The longest part of a line that is looked at for words that settle something. */
const LINE_CHARS = 4_000;

/** A line of the history as evidence: where, when, by whom, and its words, cut and without secrets. */
export function quoteMessage(message: HistoryMessage): Evidence {
  const { session } = message;
  return {
    sessionId: session.id,
    messageId: message.id,
    role: message.role,
    at: message.at,
    quote: cut(maskSecrets(message.text.trim(), { personal: true }), QUOTE_CHARS),
    source: session.source,
    ...(session.chatType && { chatType: session.chatType }),
    ...(session.chatId !== undefined && { chatId: session.chatId }),
  };
}

/** The failed run of a cron job as evidence: one per run. */
export function quoteCron(job: CronJob, now: Date): Evidence {
  const at = job.lastRunAt ?? now;
  const error = job.lastError ?? job.lastDeliveryError ?? job.lastStatus ?? "";
  return {
    sessionId: cronSession(job),
    messageId: `${job.id}@${at.toISOString()}`,
    role: "cron",
    at,
    quote: cut(maskSecrets(`${job.name}: ${error}`, { personal: true }), QUOTE_CHARS),
    source: "cron",
  };
}

export function cronSession(job: CronJob): string {
  return `cron:${job.id}`;
}

/** A memory as evidence, known by its words. */
export function quoteMemory(memory: Memory, now: Date): Evidence {
  return {
    sessionId: "memory",
    messageId: createHash("sha256").update(memory.text).digest("hex").slice(0, 16),
    role: "memory",
    at: now,
    quote: cut(maskSecrets(memory.text, { personal: true }), QUOTE_CHARS),
    source: memory.target,
  };
}

/**
 * A line as far as it may settle a matter. In a group only the owner's own lines count as theirs; in any other session the
 * one person speaks. `byPerson` says that the line is a person's at all.
 */
export function spokenLine(message: HistoryMessage, byPerson: boolean, ownerOpenId: string): SpokenLine {
  const own = byPerson && (message.session.chatType !== "group" || message.session.userId === ownerOpenId);
  return { evidence: quoteMessage(message), text: maskSecrets(message.text.slice(0, LINE_CHARS)), own };
}
