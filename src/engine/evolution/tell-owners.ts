import { createHash } from "node:crypto";
import { type SubjectRef, wantCard } from "../card-posts.ts";
import type { Tx } from "../db.ts";
import type { Language, Scope } from "../scope.ts";
import { readSettings } from "../settings.ts";

/**
 * A card to each owner's direct chat. `event` names what happened, so that the same happening never makes a second message.
 * @returns how many owners there are
 */
export async function tellOwners(
  tx: Tx,
  scope: Scope,
  subject: SubjectRef,
  event: string,
  view?: Readonly<Record<string, unknown>>,
): Promise<number> {
  const owners = await tx.person.findMany({
    where: { agentId: scope.agent.id, role: "owner", revokedAt: null },
    select: { openId: true, language: true },
  });
  const settings = await readSettings({ ...scope, db: tx });
  for (const { openId, language } of owners) {
    const key = createHash("sha256")
      .update(JSON.stringify([scope.agent.id, subject, event, openId]))
      .digest("hex");
    await wantCard(tx, scope, {
      subject,
      ...(view && { view }),
      to: { openId },
      language: (language as Language | null) ?? settings.language,
      idempotencyKey: `evo-${key.slice(0, 40)}`,
    });
  }
  return owners.length;
}
