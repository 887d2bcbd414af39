import type { CardPost } from "../engine/card-posts.ts";
import type { Person } from "../engine/people/person.ts";
import type { Place } from "../engine/tracking/audience.ts";

/** Where a tap happened: the person's direct chat as it is known, or else a group, which shows less. */
export function directPlace(person: Person, chatId: string, post: CardPost): Place {
  const direct =
    chatId === person.directChatId || (post.receiveIdType === "open_id" && post.receiveId === person.openId);
  return direct ? { chatType: "p2p" } : { chatType: "group", chatId };
}
