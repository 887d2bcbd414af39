import { lstat, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EngineError } from "../engine/errors.ts";
import type { FileTarget } from "../engine/evolution/target-files.ts";

/** Folder under Hermes' skills that is this product's alone. */
export const SKILLS_FOLDER = ["skills", "herald"] as const;

/** Where a target lies, and what stands in for it while it is being replaced. */
export interface Place {
  path: string;
  /** the new one is made here: on the same file system, for a skill out of the sight of Hermes' own walk */
  fresh: string;
  /** the old one waits here while the new one takes its place */
  old: string;
}

/**
 * The place of a target within Hermes' home. A file that is a link stands for what it points to; a folder of ours that is
 * a link leads out of our bounds and is refused.
 * @throws EngineError unavailable (hermes)
 */
export async function placeOfTarget(home: string, target: FileTarget): Promise<Place> {
  switch (target.kind) {
    case "skill": {
      if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(target.name) || target.name.includes("..")) throw refused("name");
      const folder = join(home, ...SKILLS_FOLDER);
      const stats = await lstat(folder).catch(() => undefined);
      if (stats && !stats.isDirectory()) throw refused("skills_folder_is_no_folder");
      return beside(home, join(folder, target.name), `skill-${target.name}`);
    }
    case "memory": {
      const name = target.file === "memory" ? "MEMORY.md" : "USER.md";
      const path = await resolved(join(home, "memories", name));
      return beside(dirname(path), path, name);
    }
    case "performance": {
      const path = await resolved(join(home, "PERFORMANCE.md"));
      return beside(dirname(path), path, "PERFORMANCE.md");
    }
  }
}

export function refused(why: string, cause?: unknown): EngineError<"unavailable"> {
  return new EngineError("unavailable", { what: "hermes", why }, { cause });
}

function beside(folder: string, path: string, name: string): Place {
  return { path, fresh: join(folder, `.herald-new-${name}`), old: join(folder, `.herald-old-${name}`) };
}

async function resolved(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
