import { existsSync } from "node:fs";
import { type App, startApp } from "./app.ts";
import type { Config } from "./config.ts";
import { hasOwner } from "./engine/people/pair-owner.ts";
import { rehearseRules } from "./engine/proactive/rehearse-rules.ts";
import { createLog } from "./log.ts";
import { processClock } from "./process-clock.ts";
import { startAgents } from "./start-agents.ts";
import { StartRefused } from "./start-refused.ts";
import { textsFor } from "./text/pick.ts";

/** The connection is up and the first jobs have begun. */
const REHEARSE_AFTER_MS = 1_000;
/** How long a graceful stop may take before the process ends all the same; nothing is lost then either. */
const STOP_WITHIN_MS = 25_000;

/** `npm start`: build, start, stop on a signal. Never returns while the server runs. */
export async function main(config: Config, options: { fresh?: boolean } = {}): Promise<void> {
  const t = textsFor(config.terminal ?? config.language).cli;
  const clock = config.feishu === undefined && config.agents === undefined ? undefined : processClock();
  const log = createLog({
    level: config.logLevel,
    secrets: config.secrets,
    ...(clock === undefined ? {} : { now: () => clock.now() }),
  });
  const say = (line: string): void => {
    process.stderr.write(`${line}\n`);
  };
  let release: () => Promise<void>;
  try {
    if (config.agents !== undefined) {
      const server = await startAgents(config, config.agents, { clock: clock ?? processClock(), log });
      release = () => server.release();
      say(t.started(server.url));
      for (const { scope } of server.apps.values()) {
        if (!(await hasOwner(scope.db, scope))) say(`${scope.agent.id}: ${t.pairing}`);
      }
    } else if (config.feishu === undefined || clock === undefined) {
      // Only here: a server with a Feishu app has no use for the playground and starts without it.
      const { startPlayground } = await import("./start-playground.ts");
      const playground = await startPlayground(config, { log, say, fresh: options.fresh ?? false });
      release = () => playground.release();
      say(t.started(playground.app.url));
      say(t.playground(playground.platform.url));
    } else {
      const app = await startWithFeishu(config, config.feishu, clock, log, say);
      setTimeout(() => void rehearseRules(clock.now(), config.zone), REHEARSE_AFTER_MS).unref();
      release = () => app.release();
      say(t.started(app.url));
    }
  } catch (error) {
    const refused = error instanceof StartRefused ? error : undefined;
    if (!refused) log.incident("start.failed", error);
    say(t.failed(error instanceof Error ? error.message : String(error)));
    process.exit(refused?.exitCode ?? 1);
  }

  let stopping = false;
  const stop = (): void => {
    // A second signal does not wait any longer.
    if (stopping) process.exit(1);
    stopping = true;
    say(t.stopping);
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    void release().then(() => process.exit(0));
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  process.on("unhandledRejection", (error) => log.incident("unhandled_rejection", error));
}

async function startWithFeishu(
  config: Config,
  feishu: NonNullable<Config["feishu"]>,
  clock: ReturnType<typeof processClock>,
  log: ReturnType<typeof createLog>,
  say: (line: string) => void,
): Promise<App> {
  const t = textsFor(config.terminal ?? config.language).cli;
  const { home } = config.hermes;
  // It may be made later: what is missing now is looked for again at every tick.
  if (!existsSync(home)) say(t.noHermes(home));
  const app = await startApp(config, { clock, log, hermesHome: home, feishu, ownerOpenId: config.ownerOpenId });
  if (!(await hasOwner(app.scope.db, app.scope))) say(t.pairing);
  return app;
}
