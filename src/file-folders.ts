import { join } from "node:path";

/** Where Hermes keeps what it makes for a chat (its own cache folders, older and newer names). */
const HERMES_FOLDERS = ["cache", "image_cache", "audio_cache", "document_cache", "outbox"] as const;

/**
 * The folders from which files of the agent's may be sent into a chat. Hermes' home itself is none of them: its keys and
 * sessions lie there.
 */
export function fileFolders(dataDir: string, hermesHome: string | undefined): string[] {
  return [
    join(dataDir, "outbox"),
    ...(hermesHome === undefined ? [] : HERMES_FOLDERS.map((name) => join(hermesHome, name))),
  ];
}
