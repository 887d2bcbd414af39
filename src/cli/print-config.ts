import { describeConfig, type LoadedConfig } from "../config.ts";

/** `herald config`: name, value and source of every variable, one a line, secrets masked. */
export function printConfig(loaded: LoadedConfig): void {
  const rows = describeConfig(loaded);
  const width = Math.max(...rows.map((row) => row.name.length));
  for (const { name, value, source } of rows) {
    process.stdout.write(`${name.padEnd(width)}  ${value === "" ? "–" : value}  (${source})\n`);
  }
}
