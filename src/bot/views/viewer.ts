import { asActor, type Person, personSchema } from "../../engine/people/person.ts";
import type { PersonActor, Scope } from "../../engine/scope.ts";

/** The open_id of the person a post was made for, when its view names one. */
export function viewerOf(view: Readonly<Record<string, unknown>> | null): string | undefined {
  return typeof view?.viewer === "string" ? view.viewer : undefined;
}

/** That person with the rights they have now; undefined when they have none any more. */
export async function viewerActor(
  scope: Scope,
  view: Readonly<Record<string, unknown>> | null,
): Promise<{ person: Person; actor: PersonActor } | undefined> {
  const openId = viewerOf(view);
  if (openId === undefined) return undefined;
  const row = await scope.db.person.findUnique({ where: { agentId_openId: { agentId: scope.agent.id, openId } } });
  if (row === null || row.revokedAt !== null) return undefined;
  const person = personSchema.parse(row);
  return { person, actor: asActor(person) };
}
