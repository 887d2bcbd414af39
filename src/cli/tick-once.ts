import type { Config } from "../config.ts";
import { silences } from "../engine/proactive/run.ts";
import { tick } from "../engine/proactive/tick.ts";
import { createLog } from "../log.ts";
import { hermesHomeOf, openScope } from "../open-scope.ts";
import { processClock } from "../process-clock.ts";
import { textsFor } from "../text/pick.ts";

/**
 * `herald tick [--dry]`: one look, from a script or by hand. What is to be said is stored as owed; the running server
 * sends it within a minute.
 */
export async function tickOnce(config: Config, dry: boolean): Promise<void> {
  const { cli, command } = textsFor(config.terminal ?? config.language);
  const log = createLog({ level: "silent", secrets: config.secrets });
  const { scope, close } = await openScope(config, {
    clock: processClock(),
    log,
    hermesHome: hermesHomeOf(config),
  });
  try {
    const result = await tick(scope, { asked: true, dry });
    const silence = silences.find((each) => each === result.reason);
    const why =
      silence !== undefined
        ? command.silence[silence]
        : result.outcome === "nothing_to_say" || result.counts.candidates === 0
          ? command.noCandidates
          : command.allSkipped;
    if (dry) process.stdout.write(`${result.text === undefined ? cli.nothingToSay(why) : cli.wouldSay(result.text)}\n`);
    else
      process.stdout.write(
        `${(result.counts.sent ?? 0) > 0 ? cli.said(result.counts.sent ?? 0) : cli.nothingToSay(why)}\n`,
      );
    if (result.outcome === "failed") process.exitCode = 1;
  } finally {
    await close();
  }
}
