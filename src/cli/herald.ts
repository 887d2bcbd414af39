import { readFileSync } from "node:fs";
import { Command } from "commander";
import { terminalLanguage } from "../config.ts";
import { loadConfigOrExit } from "../present-config.ts";
import { StartRefused } from "../start-refused.ts";
import { nearestName } from "../text/nearest-name.ts";
import { textsFor } from "../text/pick.ts";
import { VERSION } from "../version.ts";
import { chooseAgent } from "./choose-agent.ts";
import type { SetupOptions } from "./setup/setup.ts";

// What a command alone needs is loaded by it: the platform's SDK takes longer to load than the small commands to run.
const t = textsFor(terminalLanguage()).cli;
const herald = new Command("herald").description(t.about).version(VERSION);

herald
  .command("start", { isDefault: true })
  .description(t.commands.start)
  .option("--fresh", t.commands.startFresh)
  .action(async (options: { fresh?: boolean }) => {
    const { main } = await import("../main.ts");
    await main(loadConfigOrExit().config, options);
  });

herald
  .command("config")
  .description(t.commands.config)
  .action(async () => {
    const { printConfig } = await import("./print-config.ts");
    printConfig(loadConfigOrExit());
  });

herald
  .command("tick")
  .description(t.commands.tick)
  .option("--dry", t.commands.tickDry)
  .option("--agent <id>", t.commands.agent)
  .action(async (options: { dry?: boolean; agent?: string }) => {
    const { tickOnce } = await import("./tick-once.ts");
    await tickOnce(chooseAgent(loadConfigOrExit().config, options.agent), options.dry === true);
  });

herald
  .command("replay <file>")
  .description(t.commands.replay)
  .action(async (file: string) => {
    const { replay } = await import("./replay.ts");
    await replay(loadConfigOrExit().config, file);
  });

const ofDoctor = textsFor(terminalLanguage()).doctor;

herald
  .command("doctor")
  .description(ofDoctor.about)
  .option("--json", ofDoctor.aboutJson)
  .option("--agent <id>", t.commands.agent)
  .action(async (options: { json?: boolean; agent?: string }) => {
    const { runDoctor } = await import("./doctor/run-doctor.ts");
    const { text, exitCode } = await runDoctor(options);
    process.stdout.write(`${text}\n`);
    process.exitCode = exitCode;
  });

const ofSetup = textsFor(terminalLanguage()).setup;

herald
  .command("setup")
  .description(ofSetup.about)
  .option("--scan", ofSetup.flags.scan)
  .option("--app-id <id>", ofSetup.flags.appId)
  .option("--domain <feishu|lark|url>", ofSetup.flags.domain)
  .option("--owner <open_id>", ofSetup.flags.owner)
  .option("--hermes-home <dir>", ofSetup.flags.hermesHome)
  .option("--no-plugin", ofSetup.flags.noPlugin)
  .option("--zone <name>", ofSetup.flags.zone)
  .option("--language <zh|en>", ofSetup.flags.language)
  .option("--no-test", ofSetup.flags.noTest)
  .option("--yes", ofSetup.flags.yes)
  .action(async (options: SetupOptions & { yes?: boolean }) => {
    const { runSetup } = await import("./setup/run-setup.ts");
    // Both are true unless switched off, and then mean nothing but "ask".
    const { plugin, test, ...rest } = options;
    process.exitCode = await runSetup({
      ...rest,
      ...(plugin === false && { plugin }),
      ...(test === false && { test }),
    });
  });

const { commands: ofBackup } = textsFor(terminalLanguage()).backup;

herald
  .command("backup [file]")
  .description(ofBackup.backup)
  .action(async (file: string | undefined) => {
    const { backup } = await import("./backup.ts");
    tell(await backup(loadConfigOrExit().config, file, new Date()));
  });

herald
  .command("restore <file>")
  .description(ofBackup.restore)
  .option("--yes", ofBackup.yes)
  .action(async (file: string, options: { yes?: boolean }) => {
    const { restore } = await import("./backup.ts");
    tell(await restore(loadConfigOrExit().config, file, options.yes === true, new Date()));
  });

const hermes = herald.command("hermes").description(t.commands.hermes);

hermes
  .command("install")
  .description(t.commands.hermesInstall)
  .option("--home <dir>", t.commands.hermesHome)
  .option("--agent <id>", t.commands.agent)
  .action(async ({ home, agent }: { home?: string; agent?: string }) => {
    const { hermesInstall } = await import("./hermes.ts");
    tell(await hermesInstall(chooseAgent(loadConfigOrExit().config, agent), home));
  });

hermes
  .command("status")
  .description(t.commands.hermesStatus)
  .option("--home <dir>", t.commands.hermesHome)
  .option("--agent <id>", t.commands.agent)
  .action(async ({ home, agent }: { home?: string; agent?: string }) => {
    const { hermesStatus } = await import("./hermes.ts");
    tell(await hermesStatus(chooseAgent(loadConfigOrExit().config, agent), home), process.stdout);
  });

hermes
  .command("uninstall")
  .description(t.commands.hermesUninstall)
  .option("--home <dir>", t.commands.hermesHome)
  .option("--agent <id>", t.commands.agent)
  .action(async ({ home, agent }: { home?: string; agent?: string }) => {
    const { hermesUninstall } = await import("./hermes.ts");
    tell(await hermesUninstall(chooseAgent(loadConfigOrExit().config, agent), home));
  });

hermes
  .command("announce <on|off>")
  .description(t.commands.hermesAnnounce)
  .action(async (word: string) => {
    const { hermesAnnounce } = await import("./hermes-announce.ts");
    tell(await hermesAnnounce(loadConfigOrExit().config, word));
  });

const ofCron = textsFor(terminalLanguage()).hermesCron;

hermes
  .command("cron <what>")
  .description(ofCron.about)
  .option("--home <dir>", t.commands.hermesHome)
  .option("--every <time>", ofCron.every)
  .action(async (what: string, options: { home?: string; every?: string }) => {
    const { hermesCron } = await import("./hermes-cron.ts");
    tell(await hermesCron(loadConfigOrExit().config, what, options), process.stdout);
  });

const tryOut = herald.command("try").description(t.commands.try);

tryOut
  .command("extract")
  .description(t.commands.tryExtract)
  .action(async () => {
    const { tryExtract } = await import("./try-extract.ts");
    try {
      process.stdout.write(`${JSON.stringify(tryExtract(readFileSync(0, "utf8")))}\n`);
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 2;
    }
  });

tryOut
  .command("when")
  .description(t.commands.tryWhen)
  .action(async () => {
    const { tryWhen } = await import("./try-when.ts");
    const { lines, errors } = tryWhen(readFileSync(0, "utf8"));
    for (const line of lines) process.stdout.write(`${line}\n`);
    for (const error of errors) process.stderr.write(`${error}\n`);
    if (errors.length > 0) process.exitCode = 1;
  });

const given = process.argv[2];
const known = herald.commands.map((command) => command.name());
// Without this check an unknown word would count as one word too many for `start`.
if (given !== undefined && !given.startsWith("-") && given !== "help" && !known.includes(given)) {
  process.stderr.write(`${t.unknownCommand(given, nearestName(given, known), known.join(", "))}\n`);
  process.exit(2);
}

try {
  await herald.parseAsync();
} catch (error) {
  if (!(error instanceof StartRefused)) throw error;
  process.stderr.write(`${t.failed(error.message)}\n`);
  process.exitCode = error.exitCode;
}

/** What did not go well is an error to whoever called the command. */
function tell(
  { ok, lines }: { ok: boolean; lines: readonly string[] },
  to: NodeJS.WritableStream = ok ? process.stdout : process.stderr,
): void {
  to.write(`${lines.join("\n")}\n`);
  if (!ok) process.exitCode = 1;
}
