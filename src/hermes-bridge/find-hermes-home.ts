import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Where and as whom Hermes is read. */
export interface HermesPlace {
  home: string;
  /** The profile whose rows are read; undefined = the default one. */
  profile?: string;
  /** The home is the profile's own: rows without a profile's name are its own. */
  ownHome?: boolean;
}

/**
 * The home of a profile. Hermes keeps each profile in a home of its own under `profiles/`, or several in one store under
 * their names: the former is read there, the latter by its name. A home that is itself a profile's is read as that profile.
 */
export function findHermesHome(home: string, profile?: string): HermesPlace {
  if (basename(dirname(home)) === "profiles" && (profile === undefined || profile === basename(home))) {
    return { home, profile: basename(home), ownHome: true };
  }
  if (profile === undefined || profile === "default") return { home };
  const own = join(home, "profiles", profile);
  return existsSync(join(own, "state.db")) ? { home: own, profile, ownHome: true } : { home, profile };
}
