import type { Settings } from "../engine/settings.ts";

/** What the status card says of the program itself: things no row holds. */
export interface ServerFacts {
  /** such as 0.1.0 */
  version: string;
  /** When a background job's next turn is; undefined for a name it does not have. */
  nextRunAt(job: string, settings: Settings, now: Date): Date | undefined;
}
