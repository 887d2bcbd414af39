import type { Command } from "../command.ts";
import { newChat, resume, retry, sessions, stop, title } from "./chat.ts";
import { done, drop } from "./close.ts";
import { goal, goals, subgoal } from "./goal.ts";
import { help } from "./help.ts";
import { items } from "./items.ts";
import { lang } from "./lang.ts";
import { pause, unpause } from "./pause.ts";
import { audit, grant, members, revoke, zone } from "./people.ts";
import { prefs } from "./prefs.ts";
import { approve, dream, proposals, reject, report, revert, strategies } from "./proposals.ts";
import { quiet } from "./quiet.ts";
import { remind } from "./remind.ts";
import { run, runs } from "./runs.ts";
import { backup, doctor } from "./server.ts";
import { set, settings } from "./settings.ts";
import { snooze } from "./snooze.ts";
import { status } from "./status.ts";
import { tick } from "./tick.ts";
import { whoami } from "./whoami.ts";
import { why } from "./why.ts";

/** Every command. Dispatch, /help, near misses and the command page of the docs come from this table. */
export const commands: readonly Command[] = [
  help,
  newChat,
  stop,
  sessions,
  resume,
  title,
  retry,
  goal,
  subgoal,
  goals,
  items,
  done,
  drop,
  snooze,
  remind,
  whoami,
  lang,
  zone,
  why,
  tick,
  runs,
  run,
  dream,
  report,
  proposals,
  approve,
  reject,
  revert,
  strategies,
  quiet,
  prefs,
  pause,
  unpause,
  settings,
  set,
  members,
  grant,
  revoke,
  audit,
  status,
  doctor,
  backup,
];

/**
 * Commands by name and alias.
 * @throws Error naming the first name that stands twice: the server does not start with a table that contradicts itself
 */
export function indexCommands(table: readonly Command[]): ReadonlyMap<string, Command> {
  const byName = new Map<string, Command>();
  for (const command of table) {
    for (const name of [command.name, ...command.aliases]) {
      if (byName.has(name)) throw new Error(`two commands are called /${name}`);
      byName.set(name, command);
    }
  }
  return byName;
}

const byName = indexCommands(commands);

/** The command of this name or alias. */
export function commandNamed(name: string): Command | undefined {
  return byName.get(name);
}
