import type { Prisma } from "../../generated/sqlite/client.ts";
import { assertMay } from "../people/person.ts";
import type { Actor, Scope } from "../scope.ts";
import { type Place, shownTo } from "./audience.ts";
import { type TrackingItem, trackingItemSchema } from "./item.ts";

export type Which = "open" | "closed" | "all";

export interface ItemPage {
  items: TrackingItem[];
  /** 1 = first; a page past the end gives the last one */
  page: number;
  pages: number;
  total: number;
}

export const ITEMS_PER_PAGE = 10;

/**
 * What /items shows this person at this place: open ones by due date, closed ones newest first. What was said in a direct
 * chat is not listed in a group.
 * @throws EngineError forbidden
 */
export async function listItems(
  scope: Scope,
  who: Actor,
  input: { which: Which; place: Place; page?: number; pageSize?: number },
): Promise<ItemPage> {
  assertMay(who, "item.list");
  const pageSize = Math.min(Math.max(Math.trunc(input.pageSize ?? ITEMS_PER_PAGE), 1), 100);
  const where = {
    agentId: scope.agent.id,
    ...(input.which !== "all" && { status: input.which === "open" ? "active" : "closed" }),
    ...(shownTo(who, input.place) as Prisma.TrackingItemWhereInput),
  };
  const total = await scope.db.trackingItem.count({ where });
  const pages = Math.max(Math.ceil(total / pageSize), 1);
  const page = Math.min(Math.max(Math.trunc(input.page ?? 1), 1), pages);
  const rows = await scope.db.trackingItem.findMany({
    where,
    orderBy: ORDER[input.which],
    skip: (page - 1) * pageSize,
    take: pageSize,
  });
  return { items: rows.map((row) => trackingItemSchema.parse(row)), page, pages, total };
}

const ORDER: Record<Which, Prisma.TrackingItemOrderByWithRelationInput[]> = {
  open: [{ dueAt: { sort: "asc", nulls: "last" } }, { number: "asc" }],
  closed: [{ closedAt: "desc" }, { number: "desc" }],
  all: [{ number: "desc" }],
};
