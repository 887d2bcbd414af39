import { ITEMS_PER_PAGE, type ItemList, type ItemListView } from "../../cards/item-list-card.ts";
import { isTooOld } from "../../engine/card-post.ts";
import type { CardPost } from "../../engine/card-posts.ts";
import type { Place } from "../../engine/tracking/audience.ts";
import { listItems } from "../../engine/tracking/list-items.ts";
import { matterViews } from "./matter-view.ts";
import { pageOf } from "./page-of.ts";
import type { ViewContext } from "./view-context.ts";
import { viewerActor } from "./viewer.ts";

/** One page of the matters its viewer may see at this place; undefined when the viewer has no access any more. */
export async function itemListView(context: ViewContext, post: CardPost): Promise<ItemListView | undefined> {
  const { scope } = context;
  const viewer = await viewerActor(scope, post.view);
  if (viewer === undefined) return undefined;
  const list = listOf(post.view?.list);
  const page = await listItems(scope, viewer.actor, {
    which: list,
    place: placeOf(post),
    page: pageOf(post.view),
    pageSize: ITEMS_PER_PAGE,
  });
  const matters = await matterViews(
    context,
    page.items.map((item) => ({ itemId: item.id })),
    post.createdAt,
  );
  return {
    list,
    page: page.page,
    pages: page.pages,
    total: page.total,
    matters,
    inGroup: placeOf(post).chatType === "group",
    expired: isTooOld(post, scope.clock.now()),
  };
}

function listOf(value: unknown): ItemList {
  return value === "closed" || value === "all" ? value : "open";
}

/** Where the list is shown decides what may be on it. A post without a word about its place counts as a group. */
function placeOf(post: CardPost): Place {
  if (post.view?.chatType === "p2p" || post.receiveIdType === "open_id") return { chatType: "p2p" };
  return { chatType: "group", chatId: post.receiveId };
}
