import { statSync } from "node:fs";
import { join } from "node:path";

export interface HermesPlace {
  home: string;
  /** The profile whose rows are read, and whether the home is the profile's own. */
  profile?: string;
  ownHome?: boolean;
}

/**
 * Where Hermes lives: the configured home, else `.hermes` in the user's home when it stands there, else nowhere. A profile
 * with a home of its own under `profiles/` is read there, any other by its name in the common store.
 * @throws Error when a home is configured that does not exist
 */
export function findHermesHome(given: {
  /** HERMES_HOME */
  configured?: string | undefined;
  /** the user's home folder */
  userHome?: string | undefined;
  profile?: string | undefined;
}): HermesPlace | undefined {
  const { configured, userHome, profile } = given;
  if (configured && !isFolder(configured)) {
    throw new Error(
      `HERMES_HOME: expected the folder Hermes keeps its data in, but ${configured} is none. Example: ~/.hermes`,
    );
  }
  const usual = userHome ? join(userHome, ".hermes") : undefined;
  const home = configured ?? (usual && isFolder(usual) ? usual : undefined);
  if (!home || !profile || profile === "default") return home === undefined ? undefined : { home };
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(profile)) {
    throw new Error(`Hermes profile: expected a plain name, got "${profile}". Example: work`);
  }
  const own = join(home, "profiles", profile);
  return isFolder(own) ? { home: own, profile, ownHome: true } : { home, profile };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
