import type { Scope } from "../engine/scope.ts";
import { nearestName } from "../text/nearest-name.ts";
import { commands } from "./commands/index.ts";
import type { Reader } from "./reader.ts";

/**
 * What is said to a command that is not ours: a near miss gets a suggestion, and one that Hermes could not be given gets
 * one honest line. Undefined: it goes to Hermes as it is.
 */
export function unknownCommand({ turns }: Scope, { t }: Reader, name: string): string | undefined {
  const given = `/${name}`;
  const near = nearestName(
    name,
    commands.map((each) => each.name),
  );
  const takes = turns.way !== "none" && turns.abilities().commands;
  if (near !== undefined) {
    return takes ? t.chat.nearOwn(given, `/${near}`) : t.command.unknown(given, `/${near}`);
  }
  if (takes) return undefined;
  return turns.way === "none" ? t.command.unknown(given, "") : t.chat.noCommands(given);
}
