import { z } from "zod";
import { isEngineError } from "../engine/errors.ts";
import { dueOf } from "../engine/proactive/rules/momentum.ts";
import type { Scope } from "../engine/scope.ts";
import { audienceOf } from "../engine/tracking/audience.ts";
import { closeItem } from "../engine/tracking/close-item.ts";
import { findItem } from "../engine/tracking/find-item.ts";
import { momenta, type TrackingItem } from "../engine/tracking/item.ts";
import { listItems } from "../engine/tracking/list-items.ts";
import { openItem } from "../engine/tracking/open-item.ts";
import { snoozeItem } from "../engine/tracking/snooze-item.ts";
import { updateItem } from "../engine/tracking/update-item.ts";
import { personTool, type ToolResult } from "./agent-tool.ts";
import { itemForModel } from "./item-for-model.ts";
import { readWhen } from "./read-when.ts";
import { ToolRefused } from "./tool-refused.ts";
import type { Caller } from "./who-speaks.ts";

const PAGE_SIZE = 20;

const DESCRIPTION = [
  "What the person still has open: list it, add a matter, update, close or put off one.",
  "Call it silently, whenever the conversation makes clear that a matter began, changed or is over; never announce the call and never do this through a terminal, a command line or SQL.",
  'Done or given up ("sent it", "forget about that"): close, with outcome done or dropped. Merely postponed or still waiting: update (summary, momentum, due) or snooze; do not close. Close only what the person said is over.',
  "Name a matter by its number; list first when you do not know it. Several matters: one call each.",
  "Then answer in the person's own language, briefly and about the present topic only: no internal words or field names, no matters that do not belong to the topic.",
].join(" ");

const args = z.object({
  action: z
    .enum(["list", "add", "update", "close", "snooze"], { error: "expected list, add, update, close or snooze" })
    .describe("What to do."),
  item: z.coerce
    .string({ error: "expected a number such as 3" })
    .optional()
    .describe("update, close, snooze: number of the matter as list shows it, such as 3, or words of its title."),
  title: z
    .string({ error: "expected a short line" })
    .max(500, "expected a short line of at most 500 characters")
    .optional()
    .describe("add, update: the matter in a few words, in the person's language."),
  summary: z
    .string({ error: "expected a sentence" })
    .max(5_000, "expected at most 5000 characters")
    .optional()
    .describe("add, update: how it stands, in a sentence."),
  momentum: z
    .enum(momenta, { error: `expected ${momenta.join(", ")}` })
    .optional()
    .describe("add, update: waiting = someone else moves first; stalled = begun and left; else leave it out."),
  due: z
    .string({ error: "expected a time" })
    .optional()
    .describe(
      'add, update: when it is due, in the person\'s words ("周五下午3点", "tomorrow") or as 2026-12-04 or 2026-12-04 15:00; "none" takes the date away.',
    ),
  until: z
    .string({ error: "expected a time" })
    .optional()
    .describe(
      "snooze: not to be brought up before, as for due. add: the person asked to be reminded at exactly this time.",
    ),
  outcome: z
    .enum(["done", "dropped"], { error: "expected done or dropped" })
    .optional()
    .describe("close: done, or dropped when it was given up."),
  show: z
    .enum(["open", "closed", "all"], { error: "expected open, closed or all" })
    .optional()
    .describe("list: open (the default), closed or all."),
  page: z.coerce
    .number({ error: "expected 1, 2, …" })
    .int("expected 1, 2, …")
    .min(1, "expected 1, 2, …")
    .max(10_000, "expected 1, 2, …")
    .optional()
    .describe(`list: ${PAGE_SIZE} matters a page, 1 is the first.`),
});

type Args = z.infer<typeof args>;
type Act = (scope: Scope, caller: Caller, args: Args) => Promise<ToolResult>;

/** How Hermes keeps track of what its person has open, on that person's words. */
export const trackingManage = personTool({
  name: "tracking_manage",
  description: DESCRIPTION,
  args,
  handle: (scope, caller, given) => acts[given.action](scope, caller, given),
});

const acts: Record<Args["action"], Act> = { list, add, update, close, snooze };

async function list(scope: Scope, caller: Caller, { show = "open", page }: Args): Promise<ToolResult> {
  const found = await listItems(scope, caller.who, {
    which: show,
    place: caller.place,
    pageSize: PAGE_SIZE,
    ...(page !== undefined && { page }),
  });
  return {
    items: found.items.map((item) => itemForModel(item, scope.clock.now(), caller.zone)),
    total: found.total,
    ...(found.pages > 1 && { page: found.page, pages: found.pages }),
  };
}

async function add(scope: Scope, caller: Caller, given: Args): Promise<ToolResult> {
  const title = needed("title", given.title, "the matter in a few words, such as 把报价单发给客户");
  const standing = await standingAs(scope, caller, title);
  if (standing) return answer(scope, caller, "already_there", standing);
  const due = readDue(scope, caller, given);
  const remindAt = given.until === undefined ? undefined : readWhen("until", given.until, scope, caller.zone).at;
  const { outcome, item } = await openItem(scope, caller.who, {
    title,
    ...(given.summary !== undefined && { summary: given.summary }),
    kind: remindAt ? "reminder" : given.momentum === "waiting" ? "waiting" : due?.dueAt ? "deadline" : "follow_up",
    ...(given.momentum !== undefined && { momentum: given.momentum }),
    ...due,
    ...(remindAt && {
      dueAt: due?.dueAt ?? remindAt,
      dueGrain: due?.dueAt ? due.dueGrain : "minute",
      snoozedUntil: remindAt,
      exact: true,
    }),
    evidence: caller.said ? [caller.said] : [],
    audience: audienceOf(caller.who, caller.place),
    // The same call again, after an answer that was lost, is the same matter.
    ...(caller.said && { key: `tool ${caller.said.sessionId} ${caller.said.messageId} ${title}` }),
  });
  return answer(scope, caller, outcome === "opened" ? "added" : "already_there", item);
}

async function update(scope: Scope, caller: Caller, given: Args): Promise<ToolResult> {
  const { title, summary, momentum } = given;
  if ([title, summary, momentum, given.due].every((field) => field === undefined)) {
    throw new ToolRefused(422, "update: expected title, summary, momentum or due. Nothing was changed.");
  }
  const { id } = await meant(scope, caller, given);
  const { outcome, item } = await updateItem(scope, caller.who, {
    itemId: id,
    ...(title !== undefined && { title }),
    ...(summary !== undefined && { summary }),
    ...(momentum !== undefined && { momentum }),
    ...readDue(scope, caller, given),
    ...(caller.said && { evidence: [caller.said] }),
  });
  return answer(scope, caller, outcome, item);
}

async function close(scope: Scope, caller: Caller, given: Args): Promise<ToolResult> {
  const why = needed("outcome", given.outcome, "done or dropped");
  const { id } = await meant(scope, caller, given);
  const result = await closeItem(scope, caller.who, {
    itemId: id,
    why,
    ...(caller.said && { evidence: [caller.said] }),
  });
  return answer(scope, caller, result.outcome === "closed" ? "closed" : "was_closed_before", result.item);
}

async function snooze(scope: Scope, caller: Caller, given: Args): Promise<ToolResult> {
  const until = needed("until", given.until, "when to bring it up again, such as 明天上午9点 or 2026-12-04 15:00");
  const { id } = await meant(scope, caller, given);
  const { at } = readWhen("until", until, scope, caller.zone);
  const result = await snoozeItem(scope, caller.who, { itemId: id, at });
  const closed = result.item.status === "closed";
  return answer(scope, caller, closed ? "was_closed_before" : "put_off", result.item);
}

function answer(scope: Scope, caller: Caller, result: string, item: TrackingItem): ToolResult {
  return { result, item: itemForModel(item, scope.clock.now(), caller.zone) };
}

function needed<T>(field: string, value: T | undefined, expected: string): T {
  if (value === undefined) throw new ToolRefused(422, `${field}: expected ${expected}. Nothing was changed.`);
  return value;
}

/** The one matter meant, among those that may be shown where this is said. */
async function meant(scope: Scope, { who, place }: Caller, { item }: Args): Promise<TrackingItem> {
  const ref = needed("item", item, "the number of a matter as list shows it, such as 3");
  const found = await findItem(scope, who, { ref, place });
  if (found.outcome === "found") return found.item;
  const several = found.items.map(({ number, title }) => `#${number} ${title}`).join("; ");
  throw new ToolRefused(409, `item: several fit (${several}): use the number. Nothing was changed.`);
}

/** An open matter of the very same title: adding it again would remind of it twice. */
async function standingAs(scope: Scope, { who, place }: Caller, title: string): Promise<TrackingItem | undefined> {
  try {
    const found = await findItem(scope, who, { ref: title, place });
    const items = found.outcome === "found" ? [found.item] : found.items;
    return items.find((item) => item.status === "active" && item.title === title.trim());
  } catch (error) {
    if (isEngineError(error, "not_found")) return undefined;
    throw error;
  }
}

function readDue(scope: Scope, { zone }: Caller, { due }: Args): ReturnType<typeof dueOf> | undefined {
  if (due === undefined) return undefined;
  if (/^(none|无|没有)$/i.test(due.trim())) return { dueAt: null, dueGrain: null };
  const { at, grain, mention } = readWhen("due", due, scope, zone);
  return mention ? dueOf(mention) : { dueAt: at, dueGrain: grain };
}
