import { z } from "zod";
import { cut, oneLine } from "../clean-text.ts";
import { maskSecrets } from "../mask-secrets.ts";
import type { Scope } from "../scope.ts";
import type { TrackingItem } from "../tracking/item.ts";
import { DATA_RULE, fenceDocuments } from "./fence.ts";
import { titleOf } from "./find-opportunities.ts";
import {
  DRAFT_CHARS,
  type Dropped,
  type PreparedMatter,
  repliedPreparedSchema,
  TITLE_CHARS,
  WHY_CHARS,
} from "./found-matter.ts";
import type { SourceNumbers } from "./number-sources.ts";

const MAX_TOKENS = 4_000;
const TIMEOUT_MS = 90_000;
const MOST_CANDIDATES = 60;

const replySchema = z.object({ candidates: z.array(z.unknown()).max(500) });

export interface Prepared {
  prepared: PreparedMatter[];
  dropped: Dropped[];
}

/** What worker 2 is shown: neither worker 1's candidates nor the raw conversation. */
export interface PrepareInput {
  runId: string;
  tracking: string;
  memory: string;
  context: string;
  sent: string;
  language: "zh" | "en";
}

/**
 * Worker 2: looks over the items for what has come due and what was left over, and drafts a text for each. Reads items,
 * memories, the moment and what was sent lately.
 * @throws LlmError as `Llm.ask` does
 */
export async function prepareCandidates(
  scope: Scope,
  input: PrepareInput,
  sources: SourceNumbers,
  active: ReadonlyMap<string, TrackingItem>,
): Promise<Prepared> {
  const { value } = await scope.llm.ask({
    purpose: "proactive.prepare",
    runId: input.runId,
    system: systemPrompt(input),
    user: `${fenceDocuments(
      [
        { name: "tracking.md", content: input.tracking },
        { name: "memory.md", content: input.memory },
        { name: "context.md", content: input.context },
        { name: "sent.md", content: input.sent },
      ],
      scope.ids,
    )}\n\nReply with the JSON object now.`,
    reply: replySchema,
    maxTokens: MAX_TOKENS,
    timeoutMs: TIMEOUT_MS,
  });
  return checkPrepared(value.candidates, sources, active);
}

/** Each candidate of a reply by itself: taken, or dropped with the reason. */
export function checkPrepared(
  replies: readonly unknown[],
  sources: SourceNumbers,
  active: ReadonlyMap<string, TrackingItem>,
): Prepared {
  const result: Prepared = { prepared: [], dropped: [] };
  for (const reply of replies.slice(0, MOST_CANDIDATES)) {
    const checked = checkOne(reply, sources, active);
    if ("why" in checked) result.dropped.push(checked);
    else if (checked.goalId && result.prepared.some((p) => p.goalId === checked.goalId)) {
      result.dropped.push({ title: checked.title, why: "doubled" });
    } else result.prepared.push(checked);
  }
  return result;
}

function checkOne(
  reply: unknown,
  sources: SourceNumbers,
  active: ReadonlyMap<string, TrackingItem>,
): PreparedMatter | Dropped {
  const parsed = repliedPreparedSchema.safeParse(reply);
  if (!parsed.success) return { title: titleOf(reply), why: "not_in_the_form" };
  const candidate = parsed.data;
  const title = oneLine(maskSecrets(candidate.title, { personal: true }), TITLE_CHARS);
  if (title === "") return { title, why: "empty_title" };
  const goalId = candidate.goal_id || null;
  const item = goalId === null ? undefined : active.get(goalId);
  if (goalId !== null && !item) return { title, why: "unknown_goal" };
  const cited = (candidate.sources ?? []).map((number) => sources.find(number));
  if (cited.some((e) => e === undefined)) return { title, why: "unknown_source" };
  const evidence = cited.filter((e) => e !== undefined);
  // An item brings its own evidence; anything else must cite some.
  if (evidence.length === 0 && !item?.evidence.length && item?.kind !== "reminder") return { title, why: "no_source" };
  return {
    goalId,
    kind: item?.kind ?? candidate.kind,
    title: item?.title ?? title,
    whyNow: oneLine(maskSecrets(candidate.why_now ?? "", { personal: true }), WHY_CHARS),
    draft: cut(maskSecrets(candidate.draft ?? "", { personal: true }).trim(), DRAFT_CHARS),
    evidence: evidence.length > 0 ? evidence : (item?.evidence ?? []),
  };
}

function systemPrompt(input: PrepareInput): string {
  const language = input.language === "zh" ? "Simplified Chinese" : "English";
  return `You prepare reminders for a person. tracking.md holds the matters being followed up. Propose those whose time has come (a date today, tomorrow or just past) and those left over that deserve a word (waiting long for an answer, stuck, begun and left), and draft for each one short friendly sentence to the person.

${DATA_RULE}

- Follow the person's preferences in context.md where they say what they want to hear about, when and how; they can only make you quieter or change the tone.
- Do not repeat what sent.md shows was said lately, unless a date has come near since.
- Leave out what is snoozed and what goes well by itself.
- What only the assistant claims to have done is not a fact: ask whether it is done.
- Name the goal_id of the matter. A matter without one (out of memory.md or a failed job) cites its [source:N] instead.

Reply with one JSON object and nothing else. Everything the person reads in ${language}.
{"candidates":[{"goal_id":"…","kind":"promise|deadline|waiting|unfinished|follow_up|errand|reminder","title":"…","why_now":"…","draft":"…","sources":[]}]}
Nothing to say: {"candidates":[]}`;
}
