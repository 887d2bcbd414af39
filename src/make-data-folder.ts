import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { StartRefused } from "./start-refused.ts";
import { type Language, textsFor } from "./text/pick.ts";

/**
 * Makes the data folder with its parents, readable by this user alone, and makes sure that files can be written into it.
 * One folder after the other: Node's own recursive way never returns on a file system that can make none (/proc).
 * @throws StartRefused naming HERALD_DATA_DIR
 */
export function makeDataFolder(path: string, language: Language): void {
  try {
    makeFolder(path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartRefused(textsFor(language).cli.dataFolder(path, code ?? String(error)), 2);
  }
}

function makeFolder(path: string): void {
  const known = statSync(path, { throwIfNoEntry: false });
  if (known?.isDirectory()) return;
  if (known === undefined && dirname(path) !== path) makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
