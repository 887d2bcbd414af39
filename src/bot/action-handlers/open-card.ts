import { createHash } from "node:crypto";
import { type SubjectKind, type SubjectRef, wantCard } from "../../engine/card-posts.ts";
import { inTransaction } from "../../engine/db.ts";
import { turnCard } from "../../engine/turn-card.ts";
import type { Answer, Tap } from "../tap.ts";

/**
 * Shows something else: on a card of one of the kinds `inPlace` the card turns to it, from any other card it comes as a
 * card of its own. The same tap again opens nothing a second time.
 */
export async function openCard(
  tap: Tap,
  to: { subject: SubjectRef; view?: Readonly<Record<string, unknown>> },
  inPlace: readonly SubjectKind[],
): Promise<Answer> {
  const { scope, post, reader } = tap;
  if (inPlace.includes(post.subjectKind)) {
    await inTransaction(scope.db, (tx) => turnCard(tx, scope, post.id, to));
    return { toast: { type: "info", content: reader.t.toast.refreshed }, redraw: true, turned: true };
  }
  await inTransaction(scope.db, (tx) =>
    wantCard(tx, scope, {
      ...to,
      to: post.receiveIdType === "open_id" ? { openId: post.receiveId } : { chatId: post.receiveId },
      language: post.language,
      idempotencyKey: `open-${createHash("sha256").update(tap.eventKey).digest("hex").slice(0, 40)}`,
    }),
  );
  return { toast: { type: "info", content: reader.t.toast.sent }, redraw: false };
}
