import { recordAudit } from "../audit.ts";
import { inTransaction } from "../db.ts";
import { EngineError } from "../errors.ts";
import type { Actor, PersonActor, Role, Scope } from "../scope.ts";
import { keepAnOwner } from "./keep-an-owner.ts";
import { assertMay, isAtLeast, personBehind } from "./person.ts";
import { putPerson } from "./put-person.ts";

/**
 * Gives a person a role, or another one. Nobody gives more than they have, and only an owner changes an owner; the last
 * owner stays one.
 * @throws EngineError forbidden · wrong_state (last owner)
 */
export async function grantRole(
  scope: Scope,
  who: Actor,
  to: { openId: string; role: Role; name?: string },
): Promise<{ outcome: "granted" | "already"; person: PersonActor; before?: Role }> {
  assertMay(who, "people.grant");
  return inTransaction(scope.db, async (tx) => {
    const key = { agentId: scope.agent.id, openId: to.openId };
    const known = await tx.person.findUnique({ where: { agentId_openId: key } });
    const before = known && known.revokedAt === null ? (known.role as Role) : undefined;
    const highest = before !== undefined && isAtLeast(before, to.role) ? before : to.role;
    // An admin may make members and take them in again; admins and owners are an owner's business.
    const most = personBehind(who)?.role === "owner" ? "owner" : "member";
    if (!isAtLeast(most, highest)) throw new EngineError("forbidden", { action: "people.grant", need: "owner" });
    if (before === to.role) {
      return { outcome: "already", person: await putPerson(tx, scope, to), before };
    }
    if (before === "owner") await keepAnOwner(tx, scope, to.openId);
    const person = await putPerson(tx, scope, to);
    await recordAudit(tx, scope, {
      who,
      what: "people.grant",
      subject: { kind: "person", id: to.openId },
      before: { role: before ?? null },
      after: { role: to.role },
    });
    return { outcome: "granted", person, ...(before && { before }) };
  });
}
