import type { Config } from "../config.ts";
import { StartRefused } from "../start-refused.ts";
import { textsFor } from "../text/pick.ts";

/**
 * The configuration a command is about: of the agent named, or of the only one.
 * @throws StartRefused (exit code 2) when there are several and none of them was named
 */
export function chooseAgent(config: Config, id: string | undefined): Config {
  const agents = config.agents ?? [{ ...config, agentId: "main" }];
  const chosen = id === undefined && agents.length === 1 ? agents[0] : agents.find((agent) => agent.agentId === id);
  if (chosen !== undefined) return chosen;
  const ids = agents.map((agent) => agent.agentId ?? "main").join(", ");
  throw new StartRefused(textsFor(config.terminal ?? config.language).cli.whichAgent(ids), 2);
}
