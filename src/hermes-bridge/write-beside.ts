import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";

/** Replaces a file whole or not at all, keeping its mode (`mode` for a new one). A link stays a link. */
export function writeBeside(path: string, text: string, mode: number): void {
  const standing = statSync(path, { throwIfNoEntry: false });
  const target = standing ? realpathSync(path) : path;
  const beside = `${target}.${randomBytes(6).toString("hex")}.tmp`;
  const file = openSync(beside, "wx", 0o600);
  try {
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    // The process' umask has no say.
    chmodSync(beside, standing ? standing.mode & 0o777 : mode);
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}
