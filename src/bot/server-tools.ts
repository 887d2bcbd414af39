import type { Language } from "../engine/scope.ts";

/** What the server does for its owner outside of the database, in a process of its own. */
export interface ServerTools {
  /** What it says, in the asker's language; `ok` false when it did not go well. Never rejects. */
  run(tool: "doctor" | "backup", language: Language): Promise<{ ok: boolean; text: string }>;
}
