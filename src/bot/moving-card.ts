import type { Card } from "../cards/card.ts";
import { type CardPost, noteEntity, noteStreaming, reserveSequences } from "../engine/card-posts.ts";
import type { Scope } from "../engine/scope.ts";
import { type Lark, LarkError } from "./lark.ts";

/** A console without the scope for card entities refuses every one of them: asked again after this long. */
const REFUSED_PAUSE_MS = 10 * 60_000;

const refusedUntil = new WeakMap<Lark, number>();

/** The message content that shows a card entity. */
export function entityContent(entityId: string): object {
  return { type: "card", data: { card_id: entityId } };
}

/**
 * The entity a post's first message is to show, made when there is none yet, and noted before anything is sent: every try
 * sends the same. Undefined when the platform makes none: then the card goes out as an ordinary one and is patched.
 */
export async function entityFor(scope: Scope, lark: Lark, post: CardPost, card: Card): Promise<string | undefined> {
  if (post.entityId !== null) return post.entityId;
  if ((refusedUntil.get(lark) ?? 0) > scope.clock.now().getTime()) return undefined;
  try {
    const { cardId } = await lark.createCard(card);
    await noteEntity(scope, post, cardId, isStreaming(card));
    return cardId;
  } catch (error) {
    if (!(error instanceof LarkError)) throw error;
    scope.log.warn("card.no_entity", { post: post.id, code: error.code, kind: error.kind, logId: error.logId });
    if (error.kind === "not_allowed" || error.kind === "bug")
      refusedUntil.set(lark, scope.clock.now().getTime() + REFUSED_PAUSE_MS);
    return undefined;
  }
}

/** The same card for an ordinary message: nothing in it streams. */
export function standing(card: Card): Card {
  const { streaming_mode: _streams, ...config } = card.config;
  return { ...card, config };
}

/**
 * The present picture onto a card entity. Streaming is closed by a call of its own before the new picture appears
 * (Feishu: while a card streams, a tap's answer cannot change it). Both calls carry fresh numbers, so that whatever a
 * stream still sends afterwards is refused.
 * @throws LarkError
 */
export async function updateEntity(
  scope: Scope,
  lark: Lark,
  post: CardPost,
  entityId: string,
  card: Card,
): Promise<void> {
  const first = await reserveSequences(scope, post.id, 2);
  if (post.streamingSince !== null && !isStreaming(card)) {
    await lark.cardSettings(entityId, { streaming_mode: false, summary: card.config.summary }, first);
    await noteStreaming(scope, post.id, null);
  }
  await lark.updateCard(entityId, card, first + 1);
  if (isStreaming(card)) await noteStreaming(scope, post.id, scope.clock.now());
}

function isStreaming(card: Card): boolean {
  return card.config.streaming_mode === true;
}
