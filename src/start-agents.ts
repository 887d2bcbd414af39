import { type App, type AppParts, startApp } from "./app.ts";
import { createAgentsServer } from "./bot/agents-server.ts";
import type { ServerParts } from "./bot/server.ts";
import type { Config } from "./config.ts";
import type { Scope } from "./engine/scope.ts";
import { listenAt } from "./listen-at.ts";
import { makeDataFolder } from "./make-data-folder.ts";
import { mountMetrics } from "./metrics.ts";
import { openDatabase, type ScopeParts } from "./open-scope.ts";
import { StartRefused } from "./start-refused.ts";

export interface Agents {
  /** by agent id, in the order of the configuration */
  apps: ReadonlyMap<string, App>;
  /** http://host:port of the one server they share */
  url: string;
  release(): Promise<void>;
}

/**
 * Several agents in one process: one database and one HTTP server for all, everything else once for each (its own Feishu
 * app, connection, Hermes, people, jobs, secret), so that nothing of one is within reach of another but through rows that
 * carry its id.
 * @throws StartRefused naming the agent that cannot start; whatever was started until then is let go
 */
export async function startAgents(
  config: Config,
  agents: readonly Config[],
  parts: Pick<ScopeParts, "clock" | "log"> & { each?: (agent: Config) => Partial<AppParts> },
): Promise<Agents> {
  const { clock, log } = parts;
  const releasers: (() => Promise<unknown>)[] = [];
  const release = async (): Promise<void> => {
    for (const letGo of releasers.splice(0).reverse()) {
      await letGo().catch((error: unknown) => log.incident("release.failed", error));
    }
  };
  try {
    makeDataFolder(config.dataDir, config.terminal ?? config.language);
    const database = await openDatabase(config, parts);
    releasers.push(() => database.close());
    const started = new Map<string, ServerParts>();
    const ids = agents.map(idOf);
    const apps = new Map<string, App>();
    const scopes = (): Scope[] => [...apps.values()].map((app) => app.scope);
    const metrics = mountMetrics({ token: config.metricsToken, scopes, log });
    const http = createAgentsServer({ log, ids, agents: started, metrics });
    const url = await listenAt(config, http, (letGo) => releasers.push(letGo));
    for (const agent of agents) {
      const { feishu } = agent;
      if (feishu === undefined) continue;
      const app = await startApp(agent, {
        clock,
        log,
        hermesHome: agent.hermes.home,
        feishu,
        ownerOpenId: agent.ownerOpenId,
        ...parts.each?.(agent),
        db: database.db,
        serve: (served) => {
          started.set(idOf(agent), served);
          return url;
        },
      }).catch((error: unknown) => {
        throw error instanceof StartRefused
          ? new StartRefused(`${idOf(agent)}: ${error.message}`, error.exitCode)
          : error;
      });
      releasers.push(() => app.release());
      apps.set(idOf(agent), app);
    }
    return { apps, url, release };
  } catch (error) {
    await release();
    throw error;
  }
}

const idOf = (agent: Config): Scope["agent"]["id"] => agent.agentId ?? "main";
