import { randomBytes } from "node:crypto";
import { open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "../engine/errors.ts";
import type { Preferences } from "../engine/ports.ts";

export const PREFERENCES_FILE = "PROACTIVE_PREFERENCES.md";
const NEW_FILE_MODE = 0o600;

/** The Preferences port on PROACTIVE_PREFERENCES.md, the only file of Hermes' home this product writes by itself. */
export class PreferencesFile implements Preferences {
  readonly #path: string;

  constructor(hermesHome: string) {
    this.#path = join(hermesHome, PREFERENCES_FILE);
  }

  async read(): Promise<string | undefined> {
    try {
      return await readFile(this.#path, "utf8");
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw new EngineError("unavailable", { what: "hermes", why: "preferences" }, { cause });
    }
  }

  async write(text: string, seen: string | undefined): Promise<void> {
    if ((await this.read()) !== seen) {
      throw new EngineError("changed_since_seen", { what: "preferences", id: PREFERENCES_FILE });
    }
    // A link stays a link: what it points to is replaced.
    const target = await realpath(this.#path).catch(() => this.#path);
    const beside = `${target}.${randomBytes(6).toString("hex")}.tmp`;
    try {
      const mode = await stat(target).then(
        (stats) => stats.mode & 0o777,
        () => NEW_FILE_MODE,
      );
      const file = await open(beside, "wx", mode);
      try {
        // The process' umask may have taken bits away.
        await file.chmod(mode);
        await file.writeFile(text, "utf8");
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(beside, target);
    } catch (cause) {
      await rm(beside, { force: true });
      throw new EngineError("unavailable", { what: "hermes", why: "preferences" }, { cause });
    }
  }
}
