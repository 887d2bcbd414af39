import { IANAZone } from "luxon";
import { recordAudit } from "../audit.ts";
import { inTransaction } from "../db.ts";
import { EngineError } from "../errors.ts";
import type { PersonActor, Scope } from "../scope.ts";
import { assertMay } from "./person.ts";

/**
 * A person chooses the zone their times are read and shown in; `undefined` follows the agent's again.
 * @throws EngineError forbidden · invalid_input · not_found
 */
export async function setZone(
  scope: Scope,
  who: PersonActor,
  zone: string | undefined,
): Promise<{ outcome: "set" | "already" }> {
  assertMay(who, "zone.set");
  if (zone !== undefined && !IANAZone.isValidZone(zone)) {
    throw new EngineError("invalid_input", {
      path: "zone",
      expected: "settings.zone",
      given: zone,
      example: "/zone Asia/Shanghai",
    });
  }
  return inTransaction(scope.db, async (tx) => {
    const where = { agentId: scope.agent.id, openId: who.openId, revokedAt: null };
    const person = await tx.person.findFirst({ where, select: { zone: true } });
    if (!person) throw new EngineError("not_found", { what: "person", given: who.openId });
    const after = zone ?? null;
    if (person.zone === after) return { outcome: "already" };
    await tx.person.updateMany({ where, data: { zone: after } });
    await recordAudit(tx, scope, {
      who,
      what: "people.zone",
      subject: { kind: "person", id: who.openId },
      before: { zone: person.zone },
      after: { zone: after },
    });
    return { outcome: "set" };
  });
}
