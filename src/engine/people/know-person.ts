import { oneLine } from "../clean-text.ts";
import { readRows } from "../db.ts";
import type { PersonActor, Scope } from "../scope.ts";
import { columns, sql } from "../sql.ts";
import { asActor, type Person, personSchema } from "./person.ts";

export type Known =
  | { known: true; person: Person; actor: PersonActor }
  /** Nobody this bot serves. `tellOnce` is true at their first contact only: then one polite line is due. */
  | { known: false; tellOnce: boolean };

/**
 * Who an open_id is to this agent, by the operator of the event and never by what a card or message says. Remembers the
 * direct chat (the only place reminders go) and the name as they change.
 */
export async function knowPerson(
  scope: Scope,
  from: { openId: string; chatId?: string; chatType?: "p2p" | "group"; name?: string; unionId?: string },
): Promise<Known> {
  // An empty id matches nobody: the platform leaves it out when the app lacks the permission.
  if (from.openId === "") return { known: false, tellOnce: false };
  const key = { agentId: scope.agent.id, openId: from.openId };
  const person = await readPerson(scope, from.openId);
  if (!person || person.revokedAt !== null) return { known: false, tellOnce: await meetStranger(scope, key) };
  const news = {
    ...(from.chatType === "p2p" &&
      from.chatId !== undefined &&
      from.chatId !== person.directChatId && { directChatId: from.chatId }),
    ...(from.name && oneLine(from.name, 80) !== person.name && { name: oneLine(from.name, 80) }),
    ...(from.unionId && from.unionId !== person.unionId && { unionId: from.unionId }),
  };
  if (Object.keys(news).length > 0) await scope.db.person.updateMany({ where: key, data: news });
  const now = { ...person, ...news };
  return { known: true, person: now, actor: asActor(now) };
}

/** The row of a person, whether they may still talk to the bot or not. */
export async function readPerson(scope: Scope, openId: string): Promise<Person | undefined> {
  const [row] = await readRows(
    scope.db,
    sql`SELECT ${columns(personSchema)} FROM "Person" WHERE "agentId" = ${scope.agent.id} AND "openId" = ${openId}`,
  );
  return row === undefined ? undefined : personSchema.parse(row);
}

/** The people who may be reminded: owners who have a direct chat or can be written to by their open_id. */
export async function listPeople(scope: Scope): Promise<Person[]> {
  const rows = await scope.db.person.findMany({
    where: { agentId: scope.agent.id, revokedAt: null },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return rows.map((row) => personSchema.parse(row));
}

/** Names for open_ids, as far as they are known: what cards say instead of an id. */
export async function namesOf(scope: Scope, openIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await scope.db.person.findMany({
    where: { agentId: scope.agent.id, openId: { in: [...new Set(openIds)] } },
    select: { openId: true, name: true },
  });
  return new Map(rows.flatMap(({ openId, name }) => (name === null ? [] : [[openId, name]])));
}

async function meetStranger(scope: Scope, key: { agentId: string; openId: string }): Promise<boolean> {
  const met = await scope.db.stranger.findUnique({ where: { agentId_openId: key } });
  if (met) return false;
  await scope.db.stranger.upsert({
    where: { agentId_openId: key },
    update: {},
    create: { ...key, refusedAt: scope.clock.now() },
  });
  return true;
}
