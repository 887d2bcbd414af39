import type { PrefsView } from "../../cards/prefs-card.ts";
import type { CardPost } from "../../engine/card-posts.ts";
import { may } from "../../engine/people/person.ts";
import type { ViewContext } from "./view-context.ts";
import { whoIs } from "./view-context.ts";
import { viewerActor } from "./viewer.ts";

/**
 * The preferences as they were when the card was asked for (stored in the post, because a card may be redrawn inside a
 * transaction, where no file is read) and who saved them last from it.
 */
export async function prefsView(context: ViewContext, post: CardPost): Promise<PrefsView> {
  const viewer = await viewerActor(context.scope, post.view);
  const text = post.view?.text;
  const savedBy = post.view?.savedBy;
  const savedAt = post.view?.savedAt;
  return {
    text: typeof text === "string" ? text : undefined,
    ...(typeof savedBy === "string" && typeof savedAt === "string"
      ? { saved: { by: whoIs(context, savedBy, new Map()), at: new Date(savedAt) } }
      : {}),
    mayEdit: viewer !== undefined && may(viewer.actor, "prefs.edit"),
  };
}
