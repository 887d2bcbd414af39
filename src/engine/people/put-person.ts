import { oneLine } from "../clean-text.ts";
import type { Tx } from "../db.ts";
import type { PersonActor, Role, Scope } from "../scope.ts";
import { asActor, personSchema } from "./person.ts";

const NAME_CHARS = 80;

/** Gives a person this role, whether they are new, known, or had their access taken back. What is not said stays. */
export async function putPerson(
  tx: Tx,
  scope: Scope,
  person: { openId: string; role: Role; name?: string; unionId?: string; directChatId?: string },
): Promise<PersonActor> {
  const said = {
    role: person.role,
    revokedAt: null,
    ...(person.name !== undefined && { name: oneLine(person.name, NAME_CHARS) }),
    ...(person.unionId !== undefined && { unionId: person.unionId }),
    ...(person.directChatId !== undefined && { directChatId: person.directChatId }),
  };
  const row = await tx.person.upsert({
    where: { agentId_openId: { agentId: scope.agent.id, openId: person.openId } },
    update: said,
    create: {
      id: scope.ids.id("person"),
      agentId: scope.agent.id,
      openId: person.openId,
      createdAt: scope.clock.now(),
      ...said,
    },
  });
  return asActor(personSchema.parse(row));
}
