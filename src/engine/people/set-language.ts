import { recordAudit } from "../audit.ts";
import { inTransaction } from "../db.ts";
import { EngineError } from "../errors.ts";
import type { Language, PersonActor, Scope } from "../scope.ts";
import { assertMay } from "./person.ts";

/**
 * A person chooses the language they are spoken to in.
 * @throws EngineError forbidden · invalid_input · not_found
 */
export async function setLanguage(
  scope: Scope,
  who: PersonActor,
  language: string,
): Promise<{ outcome: "set" | "already"; language: Language }> {
  assertMay(who, "language.set");
  if (language !== "zh" && language !== "en") {
    throw new EngineError("invalid_input", { path: "language", expected: "language", given: language, example: "zh" });
  }
  return inTransaction(scope.db, async (tx) => {
    const where = { agentId: scope.agent.id, openId: who.openId, revokedAt: null };
    const person = await tx.person.findFirst({ where, select: { language: true } });
    if (!person) throw new EngineError("not_found", { what: "person", given: who.openId });
    if (person.language === language) return { outcome: "already", language };
    await tx.person.updateMany({ where, data: { language } });
    await recordAudit(tx, scope, {
      who,
      what: "people.language",
      subject: { kind: "person", id: who.openId },
      before: { language: person.language },
      after: { language },
    });
    return { outcome: "set", language };
  });
}
