import type { Look } from "../../cards/look.ts";
import type { Who } from "../../cards/who.ts";
import type { Scope } from "../../engine/scope.ts";

/** For whom and when a view is read: the scope (its `db` may be a transaction), the look, and the reader when there is one. */
export interface ViewContext {
  scope: Scope;
  look: Look;
  /** open_id of the one reader of a direct chat; undefined in groups */
  readerOpenId: string | undefined;
}

/** A person as a card names them: "you" to themselves. */
export function whoIs(context: ViewContext, openId: string, names: ReadonlyMap<string, string>): Who {
  if (openId === context.readerOpenId) return { kind: "you" };
  const name = names.get(openId);
  return { kind: "person", openId, ...(name === undefined ? {} : { name }) };
}
