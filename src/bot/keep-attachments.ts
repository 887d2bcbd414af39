import { createHash } from "node:crypto";
import { lstat, mkdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cleanText } from "../engine/clean-text.ts";
import type { TurnFile } from "../engine/ports.ts";
import type { Scope } from "../engine/scope.ts";
import type { Texts } from "../text/pick.ts";
import type { ChatParts } from "./converse.ts";
import { fileKind, isProgram } from "./file-kind.ts";
import { LarkError } from "./lark.ts";

/** What a person may send to Hermes. Feishu hands out up to 100 MB; this is what a turn can use. */
export const FILE_BYTES = 30 * 1024 * 1024;
export const IMAGE_BYTES = 10 * 1024 * 1024;
const MOST_FILES = 10;

export interface Attachment {
  kind: "image" | "file";
  key: string;
  name?: string | undefined;
  messageId: string;
}

export interface Kept {
  images: TurnFile[];
  files: TurnFile[];
  missing: { name: string; why: string }[];
}

/**
 * Fetches what a message carries and keeps it where Hermes can read it, for this user alone. Names are made safe and
 * belong to the message, so a second try writes the same files. What cannot be had is named with the reason; what may
 * work later throws, and the message is tried again.
 * @throws LarkError try_again and its like
 */
export async function keepAttachments(
  scope: Scope,
  { lark, inboxFolder }: ChatParts,
  t: Texts,
  attachments: readonly Attachment[],
  chatId: string,
): Promise<Kept> {
  const kept: Kept = { images: [], files: [], missing: [] };
  for (const [index, attachment] of attachments.entries()) {
    const name = safeName(attachment.name ?? "") || `${t.chat.prompt.image}-${index + 1}`;
    if (index >= MOST_FILES) {
      kept.missing.push({ name, why: t.chat.notFetched.tooMany });
      continue;
    }
    const most = attachment.kind === "image" ? IMAGE_BYTES : FILE_BYTES;
    try {
      const bytes = await lark.download(attachment.messageId, attachment.key, attachment.kind, most);
      const kind = fileKind(name, bytes);
      if (isProgram(name, bytes) || (attachment.kind === "image" && !kind.mime.startsWith("image/"))) {
        kept.missing.push({ name, why: t.chat.notFetched.kind });
        continue;
      }
      const path = await store(scope, join(inboxFolder, folderOf(chatId)), attachment, kind.name, bytes);
      const file = { path, name: kind.name, mime: kind.mime };
      (attachment.kind === "image" ? kept.images : kept.files).push(file);
    } catch (error) {
      if (!(error instanceof LarkError)) throw error;
      if (error.kind === "try_again" || error.kind === "too_fast" || error.kind === "token") throw error;
      scope.log.warn("chat.file_not_fetched", { code: error.code, kind: error.kind });
      const tooLarge = error.kind === "refused";
      kept.missing.push({
        name,
        why: tooLarge ? t.chat.notFetched.tooLarge(`${most / 1024 / 1024} MB`) : t.chat.notFetched.gone,
      });
    }
  }
  return kept;
}

/** Written beside and moved into place: a half-written file has no name anybody was told. */
async function store(
  scope: Scope,
  folder: string,
  { messageId, key }: Attachment,
  name: string,
  bytes: Buffer,
): Promise<string> {
  // Hermes may write here, too: a link put in the place of the folder must not decide where files go.
  const standing = await lstat(folder).catch(() => undefined);
  if (standing?.isSymbolicLink()) await rm(folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const mark = createHash("sha256").update(`${messageId} ${key}`).digest("hex").slice(0, 12);
  const path = join(folder, `${mark}-${name}`);
  const unfinished = `${path}.part`;
  await rm(unfinished, { force: true });
  await writeFile(unfinished, bytes, { mode: 0o600, flag: "wx" });
  // Aged by the agent's clock, which is what it is tidied by.
  await utimes(unfinished, scope.clock.now(), scope.clock.now());
  await rename(unfinished, path);
  return path;
}

function folderOf(chatId: string): string {
  return chatId.replace(/[^\w-]/g, "_").slice(0, 80);
}

/** A name without folders, dots in front, or signs a shell or a prompt could stumble over; at most 80 characters. */
export function safeName(name: string): string {
  const last = cleanText(name).split(/[\\/]/).at(-1) ?? "";
  const plain = last
    .normalize("NFC")
    .replace(/[\p{C}\p{Z}"'`$&|;<>*?~!#{}()[\]^%\\:]+/gu, "_")
    .replace(/^[._-]+/, "");
  if (plain.length <= 80) return plain;
  const end = /\.[A-Za-z0-9]{1,8}$/.exec(plain)?.[0] ?? "";
  return `${[...plain].slice(0, 70).join("")}${end}`;
}
