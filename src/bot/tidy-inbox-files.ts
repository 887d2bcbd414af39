import { lstat, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Scope } from "../engine/scope.ts";
import { readSettings } from "../engine/settings.ts";

/**
 * Forgets files that people sent once they are older than the setting says, and empty folders. A turn that still waits
 * keeps its files.
 * @returns how many were forgotten
 */
export async function tidyInboxFiles(scope: Scope, inboxFolder: string): Promise<number> {
  const { inboxFileDays } = await readSettings(scope);
  const before = scope.clock.now().getTime() - inboxFileDays * 86_400_000;
  const needed = await filesInLine(scope);
  let forgotten = 0;
  for (const folder of await names(inboxFolder)) {
    const path = join(inboxFolder, folder);
    // A link leads to files that are none of ours.
    if (!(await lstat(path).catch(() => undefined))?.isDirectory()) continue;
    const files = await names(path);
    let left = files.length;
    for (const name of files) {
      const file = join(path, name);
      const about = await lstat(file).catch(() => undefined);
      if (!about?.isFile() || about.mtimeMs >= before || needed.has(file)) continue;
      await rm(file, { force: true });
      left--;
      forgotten++;
    }
    if (left === 0) await rmdir(path).catch(() => {});
  }
  return forgotten;
}

async function filesInLine(scope: Scope): Promise<Set<string>> {
  const rows = await scope.db.turn.findMany({
    where: { agentId: scope.agent.id, status: { in: ["waiting", "running"] } },
    select: { images: true, files: true },
  });
  const lists = rows.flatMap(({ images, files }) => [images, files]);
  return new Set(
    lists.flatMap((list) => (Array.isArray(list) ? list.map((file) => (file as { path: string }).path) : [])),
  );
}

async function names(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
