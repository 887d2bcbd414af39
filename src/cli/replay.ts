import { readFileSync } from "node:fs";
import { startApp } from "../app.ts";
import { readEvent } from "../bot/feishu-events.ts";
import type { Config } from "../config.ts";
import { createLog } from "../log.ts";
import { hermesHomeOf } from "../open-scope.ts";
import { processClock } from "../process-clock.ts";
import { textsFor } from "../text/pick.ts";

/** `herald replay <event.json>`: feeds one recorded event to the app and prints what would have been answered. */
export async function replay(config: Config, file: string): Promise<void> {
  const { cli } = textsFor(config.terminal ?? config.language);
  const refuse = (line: string): void => {
    process.stderr.write(`${line}\n`);
    process.exitCode = 2;
  };
  if (config.feishu === undefined) return refuse(cli.needsFeishu);
  let event: unknown;
  try {
    event = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return refuse(cli.noFile(file));
  }
  if (readEvent(event) === undefined) return refuse(cli.noEvent);
  const app = await startApp(
    { ...config, port: 0 },
    {
      clock: processClock(),
      log: createLog({ level: config.logLevel, secrets: config.secrets }),
      hermesHome: hermesHomeOf(config),
      feishu: config.feishu,
      ownerOpenId: config.ownerOpenId,
      // Nothing is received from the platform meanwhile: a second connection would take a share of the real events.
      offline: true,
    },
  );
  try {
    process.stdout.write(`${JSON.stringify(await app.receive(event), null, 2)}\n`);
    await app.scheduler.idle();
  } finally {
    await app.release();
  }
}
