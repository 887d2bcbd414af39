import { readFileSync } from "node:fs";
import { Command } from "commander";
import { terminalLanguage } from "../config.ts";
import { main } from "../main.ts";
import { loadConfigOrExit } from "../present-config.ts";
import { textsFor } from "../text/pick.ts";
import { VERSION } from "../version.ts";
import { printConfig } from "./print-config.ts";
import { replay } from "./replay.ts";
import { tickOnce } from "./tick-once.ts";
import { tryExtract } from "./try-extract.ts";
import { tryWhen } from "./try-when.ts";

const t = textsFor(terminalLanguage()).cli;
const herald = new Command("herald").description(t.about).version(VERSION);

herald
  .command("start", { isDefault: true })
  .description(t.commands.start)
  .option("--fresh", t.commands.startFresh)
  .action((options: { fresh?: boolean }) => main(loadConfigOrExit().config, options));

herald
  .command("config")
  .description(t.commands.config)
  .action(() => printConfig(loadConfigOrExit()));

herald
  .command("tick")
  .description(t.commands.tick)
  .option("--dry", t.commands.tickDry)
  .action((options: { dry?: boolean }) => tickOnce(loadConfigOrExit().config, options.dry === true));

herald
  .command("replay <file>")
  .description(t.commands.replay)
  .action((file: string) => replay(loadConfigOrExit().config, file));

const tryOut = herald.command("try").description(t.commands.try);

tryOut
  .command("extract")
  .description(t.commands.tryExtract)
  .action(() => {
    const answer = tryExtract(readFileSync(0, "utf8"));
    if ("error" in answer) {
      process.stderr.write(`${answer.error}\n`);
      process.exitCode = 2;
    } else process.stdout.write(`${JSON.stringify(answer)}\n`);
  });

tryOut
  .command("when")
  .description(t.commands.tryWhen)
  .action(() => {
    const { lines, errors } = tryWhen(readFileSync(0, "utf8"));
    for (const line of lines) process.stdout.write(`${line}\n`);
    for (const error of errors) process.stderr.write(`${error}\n`);
    if (errors.length > 0) process.exitCode = 1;
  });

await herald.parseAsync();
