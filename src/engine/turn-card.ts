import type { SubjectRef } from "./card-posts.ts";
import type { Tx } from "./db.ts";
import { jsonColumn } from "./json-column.ts";
import type { Scope } from "./scope.ts";

/** A card turns to another page or subject in place: same message, other picture. Posts given up stay as they are. */
export async function turnCard(
  tx: Tx,
  scope: Scope,
  postId: string,
  to: { subject: SubjectRef; view?: Readonly<Record<string, unknown>> },
): Promise<void> {
  await tx.cardPost.updateMany({
    where: { id: postId, agentId: scope.agent.id, gaveUpAt: null },
    data: {
      subjectKind: to.subject.kind,
      subjectId: to.subject.id,
      view: jsonColumn(to.view ?? {}),
      wanted: { increment: 1 },
      stale: true,
    },
  });
}
