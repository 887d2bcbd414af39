import { ConfigError, setupPlace, terminalLanguage } from "../../config.ts";
import { presentProblems } from "../../present-config.ts";
import { StartRefused } from "../../start-refused.ts";
import { textsFor } from "../../text/pick.ts";
import { type SetupOptions, setup } from "./setup.ts";
import { openTerminal, SetupStopped } from "./terminal.ts";

/**
 * `herald setup [flags]`. Exit code 0: all is well · 1: something is still to be mended, or the person left · 2: an answer
 * that was given ahead is wrong, or is missing where nobody can be asked.
 */
export async function runSetup(options: SetupOptions & { yes?: boolean }): Promise<0 | 1 | 2> {
  const terminal = openTerminal({
    input: process.stdin,
    output: process.stdout,
    interactive: process.stdin.isTTY === true && options.yes !== true,
  });
  try {
    return await setup({ terminal, options, place: setupPlace(), now: () => new Date() });
  } catch (error) {
    const texts = textsFor(terminalLanguage());
    if (error instanceof SetupStopped) {
      terminal.say("", texts.setup.stopped);
      return 1;
    }
    if (error instanceof StartRefused) {
      terminal.say(error.message);
      return error.exitCode;
    }
    if (!(error instanceof ConfigError)) throw error;
    terminal.say(presentProblems(error.problems, textsFor(error.language)));
    return 2;
  } finally {
    terminal.close();
  }
}
