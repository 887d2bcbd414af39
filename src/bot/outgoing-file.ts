import { open, realpath } from "node:fs/promises";
import { sep } from "node:path";
import { z } from "zod";
import { fileKind, isProgram } from "./file-kind.ts";

/** A file of the agent's that is owed to a chat. */
export interface FileToSend {
  path: string;
  name: string;
  mime: string;
}

/** Feishu: an uploaded image has at most 10 MB, a file at most 30 MB; neither is empty. */
const IMAGE_BYTES = 10 * 1024 * 1024;
const FILE_BYTES = 30 * 1024 * 1024;
/** Feishu: kinds of pictures that can be uploaded as such. */
const PICTURES = /^image\/(?:png|jpeg|gif|webp|bmp|tiff|heic)$/;

export type FileRefusal = "not_there" | "not_allowed" | "too_large" | "empty";

const fileSchema = z.object({ path: z.string(), name: z.string(), mime: z.string() });

export function fileOf(view: Readonly<Record<string, unknown>> | null): FileToSend | undefined {
  return fileSchema.safeParse(view).data;
}

/**
 * Reads a file that is to be sent: only a plain file inside of one of the folders (links are followed before that is
 * looked at), nothing hidden, no program, within the platform's sizes. The name is the agent's word and only a name.
 */
export async function readOutgoingFile(
  file: FileToSend,
  folders: readonly string[],
): Promise<{ as: "image" | "file"; name: string; bytes: Buffer } | { refused: FileRefusal }> {
  const path = await realpath(file.path).catch(() => undefined);
  if (path === undefined) return { refused: "not_there" };
  if (!(await isInside(path, folders))) return { refused: "not_allowed" };
  const handle = await open(path, "r").catch(() => undefined);
  if (handle === undefined) return { refused: "not_there" };
  try {
    const about = await handle.stat();
    if (!about.isFile()) return { refused: "not_allowed" };
    if (about.size === 0) return { refused: "empty" };
    if (about.size > FILE_BYTES) return { refused: "too_large" };
    const bytes = await handle.readFile();
    const name = file.name.split(/[\\/]/).at(-1) || "file";
    if (isProgram(name, bytes)) return { refused: "not_allowed" };
    const kind = fileKind(name, bytes);
    const picture = PICTURES.test(kind.mime) && bytes.length <= IMAGE_BYTES;
    return { as: picture ? "image" : "file", name: kind.name, bytes };
  } finally {
    await handle.close();
  }
}

async function isInside(path: string, folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) {
    const real = await realpath(folder).catch(() => undefined);
    if (real === undefined || !path.startsWith(real.endsWith(sep) ? real : real + sep)) continue;
    const inside = path.slice(real.length).split(sep);
    if (!inside.some((part) => part.startsWith("."))) return true;
  }
  return false;
}
