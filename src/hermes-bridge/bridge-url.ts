import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = "bridge-url";

/**
 * Where a plugin on this machine reaches a server that listens on `host`: the token leaves the machine for nobody, so an
 * address beyond it has none.
 */
export function bridgeUrl(host: string, port: number): string | undefined {
  if (["0.0.0.0", "::", "[::]"].includes(host)) return `http://127.0.0.1:${port}`;
  const name = host.replace(/^\[|\]$/g, "");
  if (name === "::1") return `http://[::1]:${port}`;
  return name === "localhost" || /^127\.\d+\.\d+\.\d+$/.test(name) ? `http://${name}:${port}` : undefined;
}

/** Leaves word where the server listens that was started last, for commands run beside it. */
export function keepBridgeUrl(dataDir: string, url: string | undefined): void {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, FILE), url === undefined ? "" : `${url}\n`);
}

/** Where the server that was started last listens, or listened. */
export function lastBridgeUrl(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, FILE), "utf8").trim() || undefined;
  } catch {
    return undefined;
  }
}
