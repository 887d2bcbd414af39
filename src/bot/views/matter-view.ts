import type { z } from "zod";
import type { MatterState, MatterView } from "../../cards/matter.ts";
import { readRows } from "../../engine/db.ts";
import type { Evidence } from "../../engine/evidence.ts";
import { namesOf } from "../../engine/people/know-person.ts";
import { columns, list, sql } from "../../engine/sql.ts";
import { carryOnKey } from "../../engine/tracking/carry-on.ts";
import { decisionSchema } from "../../engine/tracking/decision.ts";
import { trackingItemSchema } from "../../engine/tracking/item.ts";
import { type Owner, ownerQuoted, quoteView, type ViewContext, whoIs } from "./view-context.ts";

const DAY_MS = 86_400_000;

/** What of an item and of a decision a card shows, and no column more. */
const shownItem = trackingItemSchema.pick({
  id: true,
  number: true,
  title: true,
  kind: true,
  status: true,
  dueAt: true,
  dueGrain: true,
  snoozedUntil: true,
  evidence: true,
  claimedDoneAt: true,
  claimedDoneEvidence: true,
  closedAt: true,
  closedBy: true,
  closedWhy: true,
  createdAt: true,
  updatedAt: true,
  revision: true,
});
type ShownItem = z.infer<typeof shownItem>;
const shownDecision = decisionSchema.omit({ before: true });
type DecisionRow = z.infer<typeof shownDecision>;

/**
 * The matters with these ids in this order, each in its present state. `since` is when the card came to be: a decision
 * made before it belongs to an earlier card.
 */
export async function matterViews(
  context: ViewContext,
  wanted: readonly { itemId: string; whyNow?: string }[],
  since: Date | undefined,
): Promise<MatterView[]> {
  const { scope } = context;
  const ids = wanted.map((each) => each.itemId);
  const agentId = scope.agent.id;
  if (ids.length === 0) return [];
  const rows = await readRows(
    scope.db,
    // Not the plain agentId: SQLite would walk through all items of the agent by an index that begins with it.
    sql`SELECT ${columns(shownItem)} FROM "TrackingItem" WHERE "id" IN (${list(ids)}) AND "agentId" || '' = ${agentId}`,
  );
  const items = new Map(rows.map((row) => shownItem.parse(row)).map((item) => [item.id, item]));
  const decisions = (
    await readRows(
      scope.db,
      sql`SELECT ${columns(shownDecision)} FROM "ItemDecision" WHERE "agentId" = ${agentId}
        AND "itemId" IN (${list(ids)}) ${since === undefined ? sql`` : sql`AND "at" >= ${since}`} ORDER BY "at"`,
    )
  ).map((row) => shownDecision.parse(row));
  const latest = new Map(decisions.map((decision) => [decision.itemId, decision]));
  const others = [
    ...decisions.flatMap((d) => [d.byOpenId, ...(d.undoneBy === null ? [] : [d.undoneBy])]),
    ...[...items.values()].flatMap((item) => item.closedBy ?? []),
  ].filter((openId) => openId !== context.readerOpenId);
  const names = others.length === 0 ? new Map<string, string>() : await namesOf(scope, others);
  const quotes = new Map([...items.values()].map((item) => [item.id, quotedLine(item)]));
  const handed = await handedOver(context, decisions);
  const owner = await ownerQuoted(
    context,
    [...quotes.values()].flatMap((line) => line ?? []),
  );
  return wanted.map(({ itemId, whyNow }) => {
    const item = items.get(itemId);
    if (item === undefined) return { item: itemId, rev: 0, title: "", state: { is: "gone" } };
    return matterView(context, item, latest.get(itemId), names, {
      whyNow,
      quoted: quotes.get(itemId),
      owner,
      handed,
    });
  });
}

function matterView(
  context: ViewContext,
  item: ShownItem,
  decision: DecisionRow | undefined,
  names: ReadonlyMap<string, string>,
  said: {
    whyNow: string | undefined;
    quoted: Evidence | undefined;
    owner: Owner | undefined;
    handed: ReadonlySet<string>;
  },
): MatterView {
  const now = context.scope.clock.now();
  const { whyNow, quoted, owner } = said;
  return {
    item: item.id,
    rev: item.revision,
    number: item.number,
    title: item.title,
    ...(whyNow === undefined || whyNow === "" ? {} : { whyNow }),
    ...(item.evidence[0] === undefined ? { since: item.createdAt } : { since: item.evidence[0].at }),
    ...(item.dueAt === null || isSaidElsewhere(item, now) ? {} : { dueAt: item.dueAt }),
    ...(item.dueGrain === null ? {} : { dueGrain: item.dueGrain }),
    ...(item.kind === "reminder" ? { asked: true } : {}),
    ...(item.snoozedUntil === null || item.snoozedUntil <= now ? {} : { snoozedUntil: item.snoozedUntil }),
    ...(item.claimedDoneAt === null ? {} : { claimedDone: true }),
    ...(quoted === undefined ? {} : { quote: quoteView(context, quoted, owner) }),
    state: stateOf(context, item, decision, names, { now, handed: said.handed }),
  };
}

/** The wishes to carry on that became turns of Hermes. */
async function handedOver({ scope }: ViewContext, decisions: readonly DecisionRow[]): Promise<ReadonlySet<string>> {
  const keys = decisions.filter(({ verb }) => verb === "carry_on").map(({ id }) => carryOnKey(id));
  if (keys.length === 0) return new Set();
  const rows = await scope.db.turn.findMany({
    where: { agentId: scope.agent.id, dedupeKey: { in: keys } },
    select: { dedupeKey: true },
  });
  const made = new Set(rows.map(({ dedupeKey }) => dedupeKey));
  return new Set(decisions.filter(({ id }) => made.has(carryOnKey(id))).map(({ id }) => id));
}

/**
 * A reminder's instant is no deadline: until it comes the card names it as the time of the reminder, and on its day the
 * card is that reminder. Only afterwards is it a date that has passed.
 */
function isSaidElsewhere(item: ShownItem, now: Date): boolean {
  if (item.kind !== "reminder" || item.dueAt === null) return false;
  return item.snoozedUntil !== null && now.getTime() - item.snoozedUntil.getTime() < DAY_MS;
}

function stateOf(
  context: ViewContext,
  item: ShownItem,
  decision: DecisionRow | undefined,
  names: ReadonlyMap<string, string>,
  { now, handed }: { now: Date; handed: ReadonlySet<string> },
): MatterState {
  if (decision !== undefined && decision.undoneAt !== null && item.status === "active") {
    return { is: "undone", by: whoIs(context, decision.undoneBy ?? decision.byOpenId, names), at: decision.undoneAt };
  }
  const stands = decision !== undefined && decision.undoneAt === null;
  const decided = stands && {
    by: whoIs(context, decision.byOpenId, names),
    at: decision.at,
    ...(decision.undoUntil > now && decision.revision === item.revision ? { undo: decision.id } : {}),
  };
  if (item.status === "closed") {
    if (decided && decision.verb === "done") return { is: "done", ...decided };
    if (decided && decision.verb === "drop") return { is: "dropped", ...decided };
    // Decided before this card came to be: a list says what was decided too, without an undo.
    if (item.closedBy !== null) {
      const is = item.closedWhy === "dropped" ? "dropped" : "done";
      return { is, by: whoIs(context, item.closedBy, names), at: item.closedAt ?? item.updatedAt };
    }
    return { is: "closedElsewhere", at: item.closedAt ?? item.updatedAt };
  }
  if (!decided) return { is: "open" };
  if (decision.verb === "snooze" && item.snoozedUntil !== null && item.snoozedUntil > now)
    return { is: "snoozed", until: item.snoozedUntil, ...decided };
  if (decision.verb === "carry_on" && handed.has(decision.id)) {
    // Hermes has it: taking the wish back would not take that back.
    return { is: "handedOver", by: decided.by, at: decided.at };
  }
  if (decision.verb === "carry_on") return { is: "carriedOn", ...decided };
  if (decision.verb === "fewer") return { is: "fewer", ...decided };
  return { is: "open" };
}

/** The line a matter is shown with: a person's first words about it, or where the agent claims that it is done. */
function quotedLine(item: ShownItem): Evidence | undefined {
  const lines = item.claimedDoneAt === null ? item.evidence : (item.claimedDoneEvidence ?? item.evidence);
  const line = lines.find((each) => each.role === "user") ?? lines[0];
  return line === undefined || line.quote === "" ? undefined : line;
}
