import type { Prisma } from "../../generated/sqlite/client.ts";
import { EngineError } from "../errors.ts";
import { assertMay } from "../people/person.ts";
import type { Actor, Scope } from "../scope.ts";
import { type Place, shownTo } from "./audience.ts";
import { type TrackingItem, trackingItemSchema } from "./item.ts";

export type FindResult =
  | { outcome: "found"; item: TrackingItem }
  /** Several fit the words: ask which. At most five. */
  | { outcome: "several"; items: TrackingItem[] };

const MOST_SEARCHED = 500;
const MOST_NAMED = 5;
/** From this likeness on a title is offered as "did you mean". */
const NEAR = 0.25;

/**
 * The item someone means by `/done 3`, `/done #3` or `/done 报价单`: by number, or by words of its title among the open
 * ones. Only what may be shown to this person at this place is found or hinted at.
 * @throws EngineError forbidden · not_found with near matches ("#7 报价单")
 */
export async function findItem(scope: Scope, who: Actor, input: { ref: string; place: Place }): Promise<FindResult> {
  assertMay(who, "item.list");
  const visible = {
    agentId: scope.agent.id,
    ...(shownTo(who, input.place) as Prisma.TrackingItemWhereInput),
  };
  const ref = input.ref.trim();
  const number = /^[#＃]?(\d{1,9})$/.exec(ref.normalize("NFKC"))?.[1];
  if (number !== undefined) {
    const row = await scope.db.trackingItem.findFirst({ where: { ...visible, number: Number(number) } });
    if (row) return { outcome: "found", item: trackingItemSchema.parse(row) };
  }
  const rows = await scope.db.trackingItem.findMany({
    where: { ...visible, status: "active" },
    orderBy: { number: "desc" },
    take: MOST_SEARCHED,
  });
  const open = rows.map((row) => trackingItemSchema.parse(row));
  const fitting =
    number === undefined && ref !== "" ? open.filter(({ title }) => plain(title).includes(plain(ref))) : [];
  const [first, ...others] = fitting;
  if (first && others.length === 0) return { outcome: "found", item: first };
  if (first) return { outcome: "several", items: fitting.slice(0, MOST_NAMED) };
  throw new EngineError("not_found", { what: "item", given: ref, near: nearest(open, ref, number !== undefined) });
}

function nearest(open: readonly TrackingItem[], ref: string, byNumber: boolean): string[] {
  const likeness = (item: TrackingItem): number =>
    byNumber
      ? String(item.number).includes(ref.replace(/\D/g, ""))
        ? 1
        : 0
      : similarity(plain(item.title), plain(ref));
  return open
    .map((item) => ({ item, like: likeness(item) }))
    .filter(({ like }) => like >= NEAR)
    .sort((one, other) => other.like - one.like)
    .slice(0, 3)
    .map(({ item }) => `#${item.number} ${item.title}`);
}

function plain(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/gu, "");
}

/** How alike two texts are by the pairs of neighbouring characters they share: 0 to 1. */
export function similarity(one: string, other: string): number {
  const [a, b] = [pairs(one), pairs(other)];
  const shared = [...a].filter((pair) => b.has(pair)).length;
  return a.size + b.size === 0 ? 0 : (2 * shared) / (a.size + b.size);
}

function pairs(text: string): Set<string> {
  const points = [...text];
  return new Set(points.slice(1).map((point, index) => `${points[index]}${point}`));
}
