import { currentSession } from "../engine/chat/session.ts";
import { inTransaction } from "../engine/db.ts";
import { goalOf } from "../engine/goal/find-goal.ts";
import type { Goal } from "../engine/goal/goal.ts";
import { readSettings } from "../engine/settings.ts";
import type { CommandContext } from "./command.ts";

/** The goal of the conversation this place is in. */
export async function presentGoal({ scope, chat }: CommandContext): Promise<Goal | undefined> {
  const { groupSessions } = await readSettings(scope);
  const session = await inTransaction(scope.db, (tx) => currentSession(tx, scope, chat, groupSessions));
  return goalOf(scope, session.id);
}
