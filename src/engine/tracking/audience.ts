import { EngineError } from "../errors.ts";
import { isAtLeast, personBehind } from "../people/person.ts";
import type { Actor } from "../scope.ts";
import type { TrackingItem } from "./item.ts";

/** Where something is said or shown. */
export type Place = { chatType: "p2p" } | { chatType: "group"; chatId: string };

/** Said in the owner's direct chats: never shown in a group, and to members nowhere. */
export const PRIVATE = "private";

/**
 * Whose a matter is that was said or set at this place by this person: a group's, a member's own (their open_id), or
 * the owner's.
 */
export function audienceOf(who: Actor, place: Place): string {
  if (place.chatType === "group") return place.chatId;
  const person = personBehind(who);
  return person !== undefined && !isAtLeast(person.role, "admin") ? person.openId : PRIVATE;
}

/** True for the audience of one member: their reminders go to their own direct chat. */
export function isPersonal(audience: string): boolean {
  return audience.startsWith("ou_");
}

/**
 * The where-clause for the items that may be shown to this person at this place. In a group: what was said in that group.
 * In a direct chat: a member sees their own, owner and admins also the private ones and those of all groups.
 */
export function shownTo(who: Actor, place: Place): { audience?: unknown; OR?: { audience: unknown }[] } {
  if (place.chatType === "group") return { audience: place.chatId };
  const person = personBehind(who);
  if (person === undefined) return {};
  if (!isAtLeast(person.role, "admin")) return { audience: person.openId };
  return { OR: [{ audience: { not: { startsWith: "ou_" } } }, { audience: person.openId }] };
}

/** True when a person could see the item at all, in whatever chat: what they cannot see they cannot decide. */
export function maySee(who: Actor, item: Pick<TrackingItem, "audience">): boolean {
  const person = personBehind(who);
  if (person === undefined) return true;
  if (isPersonal(item.audience)) return item.audience === person.openId;
  return item.audience !== PRIVATE || isAtLeast(person.role, "admin");
}

/** True when the item may appear at this place. */
export function mayShow(item: Pick<TrackingItem, "audience">, place: Place): boolean {
  return place.chatType === "p2p" || item.audience === place.chatId;
}

/** @throws EngineError not_found, as if it did not exist, when this person may not see the item */
export function assertMaySee(who: Actor, item: Pick<TrackingItem, "id" | "audience">): void {
  if (!maySee(who, item)) throw new EngineError("not_found", { what: "item", given: item.id });
}
