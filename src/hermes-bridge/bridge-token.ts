import { randomBytes } from "node:crypto";
import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = "bridge-token";
const USABLE = /^\S{16,}$/;

/**
 * The secret that Hermes' plugin and Herald know each other by: the configured one, else one made once and kept in
 * `<dataDir>/bridge-token`, readable by the owner only. Of two that make it at once both get the same.
 * @throws Error when the file cannot be written, or holds something that is no token
 */
export function bridgeToken(dataDir: string, configured: string | undefined): string {
  if (configured !== undefined) return configured;
  return readBridgeToken(dataDir) ?? makeToken(dataDir);
}

/** The token that stands in the data folder; undefined while none was made. Makes nothing. */
export function readBridgeToken(dataDir: string): string | undefined {
  const path = join(dataDir, FILE);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if ((stats.mode & 0o077) !== 0) chmodSync(path, 0o600);
  const token = readFileSync(path, "utf8").trim();
  if (!USABLE.test(token)) {
    throw new Error(`${path}: expected a token of at least 16 characters; remove the file to have a new one made`);
  }
  return token;
}

/** Puts a token that was known before (from a backup) back in its place. */
export function keepBridgeToken(dataDir: string, token: string): void {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, FILE);
  const beside = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileSync(beside, `${token}\n`, { mode: 0o600, flag: "wx" });
  renameSync(beside, path);
}

function makeToken(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, FILE);
  const token = randomBytes(32).toString("base64url");
  const beside = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileSync(beside, `${token}\n`, { mode: 0o600, flag: "wx" });
  try {
    // A link appears whole or not at all, and never over a file that stands there.
    linkSync(beside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(beside, { force: true });
  }
  return readBridgeToken(dataDir) ?? token;
}
