import { chmod, lstat, mkdir, open, readdir, readFile, readlink, rename, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EngineError } from "../engine/errors.ts";
import { hashState } from "../engine/evolution/snapshot.ts";
import type {
  FileTarget,
  HermesFiles,
  PendingWrite,
  SkillUse,
  TargetEntry,
  TargetState,
} from "../engine/evolution/target-files.ts";
import { readMemoryLimits, readPendingWrites, readSkillUse } from "./hermes-queues.ts";
import { type Place, placeOfTarget, refused } from "./target-place.ts";

/** A skill larger than this is nothing of ours. */
const MOST_ENTRIES = 500;
const MOST_BYTES = 20 * 1024 * 1024;

/** Named points of a write, in order: tests end the process at each. */
export type WriteStep = "checked" | "made" | "moved_away" | "in_place" | "tidied";

/**
 * The four targets in Hermes' home (three of them files). A write is made beside its target and moved into place: a
 * reader sees the old or the new. Only a folder that replaces a folder is missing for a moment; the next one who looks
 * puts the old one back when the process died right then.
 */
export class HermesHomeFiles implements HermesFiles {
  readonly writable = true;
  readonly #home: string;
  readonly #step: (step: WriteStep) => void;

  constructor(home: string, step: (step: WriteStep) => void = () => {}) {
    this.#home = home;
    this.#step = step;
  }

  async read(target: FileTarget): Promise<TargetState> {
    const place = await placeOfTarget(this.#home, target);
    await recover(place);
    return readState(place.path);
  }

  async write(target: FileTarget, next: TargetState, expectedHash: string): Promise<void> {
    const place = await placeOfTarget(this.#home, target);
    await recover(place);
    try {
      if (next.length > 0) {
        await mkdir(dirname(place.fresh), { recursive: true });
        await make(place, next);
      }
      const standing = await readState(place.path);
      if (hashState(standing) !== expectedHash) {
        throw new EngineError("changed_since_seen", { what: "target", id: target.kind });
      }
      this.#step("checked");
      await this.#swap(place, standing, next);
    } catch (error) {
      // An error is not a crash: what was made is taken away again at once.
      await recover(place).catch(() => undefined);
      if (error instanceof EngineError) throw error;
      throw refused("write_failed", error);
    }
  }

  memoryLimits(): Promise<{ memory: number; user: number }> {
    return readMemoryLimits(this.#home);
  }

  pendingWrites(): Promise<readonly PendingWrite[]> {
    return readPendingWrites(this.#home);
  }

  skillUse(): Promise<ReadonlyMap<string, SkillUse>> {
    return readSkillUse(this.#home);
  }

  async #swap(place: Place, standing: TargetState, next: TargetState): Promise<void> {
    this.#step("made");
    await mkdir(dirname(place.path), { recursive: true });
    const replacesFile = standing.length === 0 || (standing.length === 1 && standing[0]?.type !== "dir");
    if (next.length > 0 && replacesFile && next[0]?.type === "file") {
      await rename(place.fresh, place.path);
      this.#step("in_place");
      return;
    }
    if (standing.length > 0) await rename(place.path, place.old);
    this.#step("moved_away");
    if (next.length > 0) await rename(place.fresh, place.path);
    this.#step("in_place");
    await rm(place.old, { recursive: true, force: true });
    this.#step("tidied");
  }
}

/** Without a home nothing stands anywhere, and nothing can be written. */
export const noHermesFiles: HermesFiles = {
  writable: false,
  read: async () => [],
  write: async () => {
    throw refused("no_home");
  },
  memoryLimits: async () => ({ memory: 2_200, user: 1_375 }),
  pendingWrites: async () => [],
  skillUse: async () => new Map(),
};

/**
 * What a process that died in the middle left behind: an old folder without a new one goes back to its place, everything
 * else of ours that lies about goes away. A target being taken away on purpose is put back, too: it is tried again.
 */
async function recover({ path, fresh, old }: Place): Promise<void> {
  await rm(fresh, { recursive: true, force: true });
  if (!(await exists(old))) return;
  if (await exists(path)) await rm(old, { recursive: true, force: true });
  else await rename(old, path);
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function make({ fresh }: Place, next: TargetState): Promise<void> {
  const links: TargetEntry[] = [];
  for (const entry of next) {
    const at = entry.path === "" ? fresh : join(fresh, entry.path);
    if (entry.type === "dir") await mkdir(at, { recursive: true, mode: 0o700 });
    else if (entry.type === "link") links.push(entry);
    else await writeSynced(at, Buffer.from(entry.bytes ?? "", "base64"));
  }
  for (const { path, to } of links) await symlink(to ?? "", join(fresh, path));
  // From the inside out: a folder without write permission could not be filled any more.
  for (const entry of [...next].reverse()) {
    if (entry.type !== "link") await chmod(entry.path === "" ? fresh : join(fresh, entry.path), entry.mode);
  }
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function readState(path: string): Promise<TargetState> {
  const entries: TargetEntry[] = [];
  let bytes = 0;
  const walk = async (at: string, name: string): Promise<void> => {
    if (entries.length >= MOST_ENTRIES || bytes > MOST_BYTES) throw refused("target_too_large");
    const stats = await lstat(at).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" && name === "") return undefined;
      throw refused("target_unreadable", error);
    });
    if (!stats) return;
    const mode = stats.mode & 0o7777;
    if (stats.isSymbolicLink()) entries.push({ path: name, type: "link", mode: 0o777, to: await readlink(at) });
    else if (stats.isFile()) {
      const content = await readFile(at);
      bytes += content.byteLength;
      entries.push({ path: name, type: "file", mode, bytes: content.toString("base64") });
    } else if (stats.isDirectory()) {
      entries.push({ path: name, type: "dir", mode });
      for (const inner of (await readdir(at)).sort())
        await walk(join(at, inner), name === "" ? inner : `${name}/${inner}`);
    } else throw refused("target_is_no_file");
  };
  try {
    await walk(path, "");
  } catch (error) {
    throw error instanceof EngineError ? error : refused("target_unreadable", error);
  }
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
}
