import type { Texts } from "../../text/pick.ts";
import { oneLine } from "../clean-text.ts";
import { inSlices } from "../in-slices.ts";
import { maskSecrets } from "../mask-secrets.ts";
import type { CronJob, HistoryMessage } from "../ports.ts";
import type { TrackingItem } from "../tracking/item.ts";
import type { SentView } from "./documents/sent.ts";
import { type ExtractInput, extractSteps } from "./extract-by-rules.ts";
import { type FoundMatter, SUMMARY_CHARS, TITLE_CHARS } from "./found-matter.ts";
import { personTakesPart } from "./human-message.ts";
import { quoteCron, quoteMessage } from "./quote-message.ts";

/** What programs talk through, people do as well: their sessions are chats then. */
function chatSource(source: string): string {
  return source === "api" || source === "api_server" ? "chat" : source;
}

/** Puts a window into the form the rules read. Items of members and items without a title are left out by the caller. */
export function rulesInput(facts: {
  now: Date;
  zone: string;
  messages: readonly HistoryMessage[];
  items: readonly TrackingItem[];
  sent: readonly SentView[];
}): ExtractInput {
  const sessions = new Map<string, ExtractInput["sessions"][number]>();
  for (const message of facts.messages) {
    const { session } = message;
    const known = sessions.get(session.id) ?? {
      id: session.id,
      // By itself the rules know a program's session only by its source; here it is known that people speak in it.
      source: personTakesPart(session) ? chatSource(session.source) : session.source,
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
 * evidence is looked up by code. Items that nobody has spoken of are left to worker 2.
 */
export async function findByRules(facts: {
  now: Date;
  zone: string;
  messages: readonly HistoryMessage[];
  items: readonly TrackingItem[];
  sent: readonly SentView[];
  failedCrons: readonly CronJob[];
  texts: Texts["engine"];
}): Promise<FoundMatter[]> {
  const byId = new Map(facts.messages.map((message) => [message.id, message]));
  const active = new Set(facts.items.filter((item) => item.status === "active").map((item) => item.id));
  const found: FoundMatter[] = [];
  for (const item of await inSlices(extractSteps(rulesInput(facts)))) {
    const lines = item.evidence.map((id) => byId.get(id)).filter((message) => message !== undefined);
    const title = oneLine(maskSecrets(item.title, { personal: true }), TITLE_CHARS);
    if (lines.length === 0 || title === "") continue;
    found.push({
      goalId: item.goalId !== undefined && active.has(item.goalId) ? item.goalId : null,
      title,
      summary: oneLine(maskSecrets(item.summary, { personal: true }), SUMMARY_CHARS),
      kind: item.kind,
      momentum: item.momentum,
      dueAt: item.dueAt,
      dueGrain: item.dueGrain,
      evidence: lines.map(quoteMessage),
      mention: true,
      // Worded from the item as it is then, see `whyNowOf`.
      whyNow: "",
      claimedDone: item.claimedDone ?? false,
    });
  }
  return [...found, ...facts.failedCrons.map((job) => failedCron(job, facts))];
}

function failedCron(job: CronJob, { now, texts }: { now: Date; texts: Texts["engine"] }): FoundMatter {
  const name = oneLine(maskSecrets(job.name), 40);
  const evidence = quoteCron(job, now);
  return {
    goalId: null,
    title: texts.cronTitle(name),
    summary: evidence.quote,
    kind: "unfinished",
    momentum: "stalled",
    dueAt: null,
    dueGrain: null,
    evidence: [evidence],
    mention: true,
    whyNow: texts.why.cronFailed(name),
    claimedDone: false,
  };
}
