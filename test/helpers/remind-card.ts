import type { PageMessage } from "../../src/playground/page-api.ts";
import type { AppUnderTest } from "./app-under-test.ts";

/**
 * A fresh reminder card about one matter of the owner's: set by /remind for a minute on, which is rounded up to the next
 * full one. Moves the clock on by two minutes.
 */
export async function remindCard(
  world: AppUnderTest,
  title: string,
): Promise<{ card: PageMessage; itemId: string; postId: string }> {
  await world.say("owner", `/remind ${title} 1分钟后`);
  await world.at(new Date(world.platform.clock.now().getTime() + 2 * 60_000));
  const { db } = world.app.scope;
  const item = await db.trackingItem.findFirstOrThrow({ where: { title } });
  const matter = await db.deliveryMatter.findFirstOrThrow({ where: { itemId: item.id } });
  const post = await db.cardPost.findFirstOrThrow({
    where: { subjectKind: "delivery", subjectId: matter.deliveryId },
  });
  const card = world.botMessages().find((message) => message.messageId === post.messageId);
  if (card === undefined) throw new Error(`no card came for ${title}: ${JSON.stringify(post)}`);
  return { card, itemId: item.id, postId: post.id };
}
