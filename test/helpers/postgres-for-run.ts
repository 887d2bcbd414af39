import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Vitest's global set-up: gives the run's one PostgreSQL server (see postgres-server.ts) a folder. Nothing is started
 * here, so runs without PostgreSQL tests do not pay for it. What it returns ends the server and removes the folder.
 */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "herald-pg-"));
  process.env.HERALD_TEST_POSTGRES_DIR = folder;
  process.env.HERALD_TEST_RUN_PID = String(process.pid);
  return () => {
    const pidFile = join(folder, "data", "postmaster.pid");
    if (existsSync(pidFile)) process.kill(Number.parseInt(readFileSync(pidFile, "utf8"), 10), "SIGQUIT");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
}
