import type { HelpCommandView, HelpView } from "../../cards/help-card.ts";
import { may } from "../../engine/people/person.ts";
import type { PersonActor } from "../../engine/scope.ts";
import type { Command } from "../command.ts";
import { commands } from "../commands/index.ts";

/** The commands this person may use, from the one table. */
export function helpView(actor: PersonActor): HelpView {
  const usable = commands.filter((command) => may(actor, command.needs));
  const everyone = usable.filter((command) => may({ ...actor, role: "member" }, command.needs));
  const admin = usable.filter((command) => !everyone.includes(command));
  return { everyone: everyone.map(row), admin: admin.map(row) };
}

function row(command: Command): HelpCommandView {
  return { usage: command.usage, summary: (t) => command.summary(t), example: (_, f) => command.example[f.language] };
}
