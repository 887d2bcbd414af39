import { recordAudit } from "../audit.ts";
import { inTransaction } from "../db.ts";
import { EngineError } from "../errors.ts";
import type { Actor, Role, Scope } from "../scope.ts";
import { keepAnOwner } from "./keep-an-owner.ts";
import { assertMay, isAtLeast, personBehind } from "./person.ts";

/**
 * Takes a person's access back; their row stays for the record. Admins may remove members, owners anybody but the last
 * owner.
 * @throws EngineError forbidden · not_found · wrong_state (last owner)
 */
export async function revokeRole(
  scope: Scope,
  who: Actor,
  from: { openId: string },
): Promise<{ outcome: "revoked"; before: Role } | { outcome: "already" }> {
  assertMay(who, "people.revoke");
  return inTransaction(scope.db, async (tx) => {
    const key = { agentId: scope.agent.id, openId: from.openId };
    const person = await tx.person.findUnique({ where: { agentId_openId: key } });
    if (!person) throw new EngineError("not_found", { what: "person", given: from.openId });
    if (person.revokedAt !== null) return { outcome: "already" };
    const before = person.role as Role;
    const most = personBehind(who)?.role === "owner" ? "owner" : "member";
    if (!isAtLeast(most, before)) throw new EngineError("forbidden", { action: "people.revoke", need: "owner" });
    if (before === "owner") await keepAnOwner(tx, scope, from.openId);
    const { count } = await tx.person.updateMany({
      where: { ...key, revokedAt: null },
      data: { revokedAt: scope.clock.now() },
    });
    if (count === 0) return { outcome: "already" };
    await recordAudit(tx, scope, {
      who,
      what: "people.revoke",
      subject: { kind: "person", id: from.openId },
      before: { role: before },
      after: { role: null },
    });
    return { outcome: "revoked", before };
  });
}
