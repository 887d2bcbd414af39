import type { Texts } from "../../text/pick.ts";
import { oneLine } from "../clean-text.ts";
import type { Evidence } from "../evidence.ts";
import { maskSecrets } from "../mask-secrets.ts";
import type { CronJob, HistoryMessage } from "../ports.ts";
import type { Grain, MatterKind, Momentum, TrackingItem } from "../tracking/item.ts";
import type { SentView } from "./documents/sent.ts";
import { type FoundMatter, SUMMARY_CHARS, TITLE_CHARS, WHY_CHARS } from "./found-matter.ts";
import { quoteCron, quoteMessage } from "./quote-message.ts";

/** What the rules are shown: conversations, items being followed up, reminders already sent. */
export interface RulesInput {
  now: Date;
  zone: string;
  sessions: {
    id: string;
    source: string;
    title?: string;
    messages: {
      id: string;
      role: string;
      at: Date;
      text: string;
      toolName?: string;
      toolCalls?: { name: string; arguments: string }[];
      observed?: boolean;
    }[];
  }[];
  tracking: {
    goalId: string;
    title: string;
    status: "active" | "closed";
    momentum: Momentum;
    dueAt?: Date;
    evidence: string[];
    snoozedUntil?: Date;
    lastRemindedAt?: Date;
    reminders: number;
    closedWhy?: string;
  }[];
  sent: { at: Date; goalIds: string[]; text: string }[];
}

/** A matter as the rules find it; `evidence` are ids of messages they were shown. */
export interface RulesItem {
  title: string;
  summary: string;
  kind: MatterKind;
  dueAt: Date | null;
  dueGrain: Grain | null;
  momentum: Momentum;
  evidence: readonly string[];
  goalId?: string | undefined;
  whyNow: string;
  claimedDone?: boolean | undefined;
}

export type RulesExtractor = (input: RulesInput) => readonly RulesItem[];

/** Puts a window into the form the rules read. Items of members and items without a title are left out by the caller. */
export function rulesInput(facts: {
  now: Date;
  zone: string;
  messages: readonly HistoryMessage[];
  items: readonly TrackingItem[];
  sent: readonly SentView[];
}): RulesInput {
  const sessions = new Map<string, RulesInput["sessions"][number]>();
  for (const message of facts.messages) {
    const { session } = message;
    const known = sessions.get(session.id) ?? {
      id: session.id,
      source: session.source,
      ...(session.title !== undefined && { title: session.title }),
      messages: [],
    };
    sessions.set(session.id, known);
    known.messages.push({
      id: message.id,
      role: message.role,
      at: message.at,
      text: message.text,
      ...(message.toolName !== undefined && { toolName: message.toolName }),
      ...(message.toolCalls && { toolCalls: [...message.toolCalls] }),
      ...(message.observed && { observed: true }),
    });
  }
  return {
    now: facts.now,
    zone: facts.zone,
    sessions: [...sessions.values()],
    tracking: facts.items.map((item) => ({
      goalId: item.id,
      title: item.title,
      status: item.status,
      momentum: item.momentum,
      evidence: item.evidence.map((e) => e.messageId),
      reminders: item.reminderCount,
      ...(item.dueAt && { dueAt: item.dueAt }),
      ...(item.snoozedUntil && { snoozedUntil: item.snoozedUntil }),
      ...(item.lastRemindedAt && { lastRemindedAt: item.lastRemindedAt }),
      ...(item.closedWhy && { closedWhy: item.closedWhy }),
    })),
    sent: facts.sent.map((message) => ({
      at: message.at,
      goalIds: message.matters.map((matter) => matter.goalId),
      text: message.text,
    })),
  };
}

/**
 * Worker 1 without a model: what the rules find in the conversation, and a matter for each job that has newly failed. The
 * evidence is looked up by code; a matter whose lines are not among those shown is dropped by having none.
 */
export function findByRules(
  extract: RulesExtractor,
  facts: {
    now: Date;
    zone: string;
    messages: readonly HistoryMessage[];
    items: readonly TrackingItem[];
    sent: readonly SentView[];
    failedCrons: readonly CronJob[];
    texts: Texts["engine"];
  },
): FoundMatter[] {
  const byId = new Map(facts.messages.map((message) => [message.id, message]));
  const active = new Map(facts.items.filter((item) => item.status === "active").map((item) => [item.id, item]));
  const found: FoundMatter[] = [];
  for (const item of extract(rulesInput(facts))) {
    const lines = item.evidence.map((id) => byId.get(id)).filter((message) => message !== undefined);
    const known = item.goalId === undefined ? undefined : active.get(item.goalId);
    const evidence: readonly Evidence[] = lines.length > 0 ? lines.map(quoteMessage) : (known?.evidence ?? []);
    const title = oneLine(maskSecrets(item.title, { personal: true }), TITLE_CHARS);
    if (evidence.length === 0 || title === "") continue;
    found.push({
      goalId: known?.id ?? null,
      title,
      summary: oneLine(maskSecrets(item.summary, { personal: true }), SUMMARY_CHARS),
      kind: item.kind,
      momentum: item.momentum,
      dueAt: item.dueAt,
      dueGrain: item.dueGrain,
      evidence,
      mention: true,
      whyNow: oneLine(maskSecrets(item.whyNow, { personal: true }), WHY_CHARS),
      claimedDone: item.claimedDone ?? false,
    });
  }
  for (const job of facts.failedCrons) {
    const name = oneLine(maskSecrets(job.name), 40);
    found.push({
      goalId: null,
      title: facts.texts.cronTitle(name),
      summary: quoteCron(job, facts.now).quote,
      kind: "unfinished",
      momentum: "stalled",
      dueAt: null,
      dueGrain: null,
      evidence: [quoteCron(job, facts.now)],
      mention: true,
      whyNow: facts.texts.why.cronFailed(name),
      claimedDone: false,
    });
  }
  return found;
}
