import type { Look } from "../../cards/look.ts";
import type { QuoteView } from "../../cards/quote.ts";
import type { Who } from "../../cards/who.ts";
import type { Evidence } from "../../engine/evidence.ts";
import type { Person } from "../../engine/people/person.ts";
import type { Scope } from "../../engine/scope.ts";
import type { ServerFacts } from "../server-facts.ts";

/** For whom and when a view is read: the scope (its `db` may be a transaction), the look, and the reader when there is one. */
export interface ViewContext {
  scope: Scope;
  look: Look;
  /** open_id of the one reader of a direct chat; undefined in groups */
  readerOpenId: string | undefined;
  /** that reader as they are known now */
  reader: Person | undefined;
  server: ServerFacts;
}

/** A person as a card names them: "you" to themselves. */
export function whoIs(context: ViewContext, openId: string, names: ReadonlyMap<string, string>): Who {
  if (openId === context.readerOpenId) return { kind: "you" };
  const name = names.get(openId);
  return { kind: "person", openId, ...(name === undefined ? {} : { name }) };
}

/** Whose sessions the history holds, as far as a name is needed for them. */
export type Owner = Pick<Person, "openId" | "name">;

/** Asks for the owner only when a line of theirs is quoted to somebody else. */
export async function ownerQuoted(context: ViewContext, lines: readonly Evidence[]): Promise<Owner | undefined> {
  if (context.reader?.role === "owner") return context.reader;
  if (!lines.some((line) => line.role === "user" && line.chatType !== "group")) return undefined;
  const owner = await context.scope.db.person.findFirst({
    where: { agentId: context.scope.agent.id, role: "owner", revokedAt: null },
    orderBy: { createdAt: "asc" },
    select: { openId: true, name: true },
  });
  return owner ?? undefined;
}

/**
 * A line of evidence with the one who said it, as this reader calls them. What was said in a direct chat are the owner's
 * words: "you" to the owner, their name to anybody else. Who of a group spoke is not kept, so nobody is named.
 */
export function quoteView(context: ViewContext, line: Evidence, owner: Owner | undefined): QuoteView {
  return { by: speakerOf(context, line, owner), at: line.at, text: line.quote };
}

function speakerOf(context: ViewContext, line: Evidence, owner: Owner | undefined): Who {
  if (line.role !== "user") return { kind: "agent" };
  if (line.chatType === "group" || owner === undefined) return { kind: "person" };
  if (owner.openId === context.readerOpenId) return { kind: "you" };
  return { kind: "person", openId: owner.openId, ...(owner.name === null ? {} : { name: owner.name }) };
}
