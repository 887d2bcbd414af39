import { z } from "zod";
import { cut, oneLine } from "../clean-text.ts";
import { maskSecrets } from "../mask-secrets.ts";
import type { Scope } from "../scope.ts";
import { DATA_RULE, fenceDocuments } from "./fence.ts";
import {
  type Dropped,
  type DropReason,
  type FoundMatter,
  repliedMatterSchema,
  SUMMARY_CHARS,
  TITLE_CHARS,
  WHY_CHARS,
} from "./found-matter.ts";
import type { SourceNumbers } from "./number-sources.ts";
import { readInstant } from "./read-instant.ts";

const MAX_TOKENS = 4_000;
const TIMEOUT_MS = 90_000;
const MOST_MATTERS = 60;

/** The reply as a whole must fit; its elements are checked one by one, so that one bad matter costs only itself. */
const replySchema = z.object({ matters: z.array(z.unknown()).max(500) });

export interface Found {
  matters: FoundMatter[];
  dropped: Dropped[];
}

/** What worker 1 is shown. */
export interface OpportunityInput {
  runId: string;
  conversation: string;
  tracking: string;
  crons: string;
  rules: string;
  zone: string;
  language: "zh" | "en";
}

/**
 * Worker 1: reads the conversation for open promises, outside blockers, dates and interrupted work. It can add and update;
 * there is no way for it to close. A matter without a source that exists, or about an item that is not active, is dropped.
 * @throws LlmError as `Llm.ask` does
 */
export async function findOpportunities(
  scope: Scope,
  input: OpportunityInput,
  sources: SourceNumbers,
  activeIds: ReadonlySet<string>,
): Promise<Found> {
  const { value } = await scope.llm.ask({
    purpose: "proactive.opportunities",
    runId: input.runId,
    system: systemPrompt(input),
    user: `${fenceDocuments(
      [
        { name: "conversation.md", content: input.conversation },
        { name: "tracking.md", content: input.tracking },
        { name: "scheduled-crons.md", content: input.crons },
      ],
      scope.ids,
    )}\n\nReply with the JSON object now.`,
    reply: replySchema,
    maxTokens: MAX_TOKENS,
    timeoutMs: TIMEOUT_MS,
  });
  return checkMatters(value.matters, sources, activeIds, input.zone);
}

/** Each matter of a reply by itself: taken, or dropped with the reason. */
export function checkMatters(
  replies: readonly unknown[],
  sources: SourceNumbers,
  activeIds: ReadonlySet<string>,
  zone: string,
): Found {
  const found: Found = { matters: [], dropped: [] };
  for (const reply of replies.slice(0, MOST_MATTERS)) {
    const checked = checkMatter(reply, sources, activeIds, zone);
    if ("why" in checked) found.dropped.push(checked);
    else found.matters.push(checked);
  }
  return found;
}

function checkMatter(
  reply: unknown,
  sources: SourceNumbers,
  activeIds: ReadonlySet<string>,
  zone: string,
): FoundMatter | Dropped {
  const parsed = repliedMatterSchema.safeParse(reply);
  if (!parsed.success) return { title: titleOf(reply), why: "not_in_the_form" };
  const matter = parsed.data;
  const title = wording(matter.title, TITLE_CHARS);
  const drop = (why: DropReason): Dropped => ({ title, why });
  if (title === "") return drop("empty_title");
  const goalId = matter.goal_id || null;
  if (goalId !== null && !activeIds.has(goalId)) return drop("unknown_goal");
  const numbers = matter.sources ?? [];
  if (numbers.length === 0) return drop("no_source");
  const evidence = numbers.map((number) => sources.find(number));
  if (evidence.some((e) => e === undefined)) return drop("unknown_source");
  const dueAt = matter.due_at ? readInstant(matter.due_at, zone) : null;
  if (dueAt === undefined) return drop("due_unreadable");
  return {
    goalId,
    title,
    summary: cut(maskSecrets(matter.summary ?? "", { personal: true }), SUMMARY_CHARS),
    kind: matter.kind,
    momentum: matter.momentum,
    dueAt,
    dueGrain: dueAt ? (matter.due_grain ?? "day") : null,
    evidence: evidence.filter((e) => e !== undefined),
    mention: matter.mention,
    whyNow: wording(matter.why_now ?? "", WHY_CHARS),
    claimedDone: matter.claimed_done,
  };
}

/** A model's words as they may be stored: one line, without secrets. */
function wording(text: string, most: number): string {
  return oneLine(maskSecrets(text, { personal: true }), most);
}

/** What an element that did not fit may have been called, for the list of what was dropped. */
export function titleOf(reply: unknown): string {
  const title = typeof reply === "object" && reply !== null && "title" in reply ? reply.title : undefined;
  return typeof title === "string" ? wording(title, TITLE_CHARS) : "";
}

function systemPrompt(input: OpportunityInput): string {
  const language = input.language === "zh" ? "Simplified Chinese" : "English";
  return `You look through a person's recent conversations with their assistant for matters that are still open and worth following up: promises the person made, deadlines and appointments, things they wait for from others, work that was begun and left or got stuck.

${DATA_RULE}

${input.rules}

How to judge:
- Only what concerns the person this assistant belongs to, and only what is really open at the end of the conversation. Later words win over earlier ones: a corrected date replaces the old one, a cancelled plan is no matter.
- What only the assistant says it has done is not certain: keep it open and set "claimed_done": true.
- What tracking.md already holds is not new: give its goal_id, with what has changed. You may add and update; you cannot close.
- momentum: "waiting" someone else must move first; "stalled" begun and left, or stuck on an error; "time_sensitive" a date within a day and a half; "on_track" anything else.
- due_at: ISO 8601 with the offset of ${input.zone}; due_grain: minute, hour, day, week or month, as exact as it was said. null when no date was given: never invent one.
- "mention": true when saying something about it soon would help the person.
- Every matter cites at least one [source:N] that stands in the documents.

Reply with one JSON object and nothing else. Titles, summaries and why_now in ${language}, short, in plain words; the title names the matter itself (at most ${TITLE_CHARS} characters).
{"matters":[{"goal_id":null,"title":"…","summary":"…","kind":"promise|deadline|waiting|unfinished|follow_up|errand","momentum":"on_track|waiting|stalled|time_sensitive","due_at":null,"due_grain":null,"sources":[1],"mention":true,"why_now":"…","claimed_done":false}]}
Nothing open: {"matters":[]}`;
}
