import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { writeBeside } from "../../hermes-bridge/write-beside.ts";

/** The text of a `.env`; undefined when there is none. */
export function readEnvFile(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? undefined : readFileSync(path, "utf8");
}

/**
 * Puts a new `.env` in the place of the old one, whole or not at all, readable by this user alone. The old one is kept
 * beside it first, no more open than the new one.
 * @returns path of the copy; undefined when there was nothing to copy, or nothing to change
 */
export function writeEnvFile(path: string, text: string, now: Date): string | undefined {
  const before = readEnvFile(path);
  if (before !== undefined) chmodSync(path, 0o600);
  if (before === text) return undefined;
  const stamp = now.toISOString().replace(/\D/g, "").slice(0, 17);
  const backup = before === undefined ? undefined : `${path}.bak.${stamp}`;
  if (backup !== undefined && before !== undefined) writeFileSync(backup, before, { mode: 0o600 });
  writeBeside(path, text, 0o600);
  return backup;
}
