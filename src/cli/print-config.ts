import { existsSync } from "node:fs";
import { join } from "node:path";
import { describeConfig, type LoadedConfig } from "../config.ts";
import { textsFor } from "../text/pick.ts";

/** `herald config`: name, value and source of every variable, one a line, secrets masked; in the playground also whose Hermes it reads. */
export function printConfig(loaded: LoadedConfig): void {
  const rows = describeConfig(loaded);
  const width = Math.max(...rows.map((row) => row.name.length));
  for (const { name, value, source } of rows) {
    process.stdout.write(`${name.padEnd(width)}  ${value === "" ? "–" : value}  (${source})\n`);
  }
  const { mode, hermes, terminal, language } = loaded.config;
  if (mode !== "playground") return;
  // The playground takes a sample where no Hermes stands, whatever HERMES_HOME says.
  const { cli } = textsFor(terminal ?? language);
  process.stderr.write(`${existsSync(join(hermes.home, "state.db")) ? cli.ownHome(hermes.home) : cli.sample}\n`);
}
