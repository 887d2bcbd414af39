import { z } from "zod";
import type { CardPost } from "./card-posts.ts";
import { jsonColumn } from "./json-column.ts";
import type { Scope } from "./scope.ts";

const viewSchema = z.object({ choices: z.array(z.unknown()) });

/**
 * Keeps what the numbers of a card sent as text mean. Written before the text leaves, because a number that was read must
 * mean the same when it is typed, whatever was decided in between.
 */
export async function keepTypedChoices(scope: Scope, post: CardPost, choices: readonly unknown[]): Promise<void> {
  await scope.db.cardPost.updateMany({
    where: { id: post.id, agentId: scope.agent.id },
    data: { view: jsonColumn({ ...post.view, choices }) },
  });
}

/** What number `n` (from 1) of a card sent as text means; undefined when it has no such number. */
export function typedChoice(post: Pick<CardPost, "view" | "sentAs">, n: number): unknown {
  if (post.sentAs !== "text") return undefined;
  return viewSchema.safeParse(post.view).data?.choices[n - 1];
}
