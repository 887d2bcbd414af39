import { createHash } from "node:crypto";
import { z } from "zod";
import type { TargetEntry, TargetState } from "./target-files.ts";

/** How a state is kept in the database. */
export const targetStateSchema = z.array(
  z.object({
    path: z.string(),
    type: z.enum(["file", "dir", "link"]),
    mode: z.number().int(),
    bytes: z.string().optional(),
    to: z.string().optional(),
  }),
) as unknown as z.ZodType<TargetEntry[]>;

/** The same bytes, modes and links give the same; anything else another. */
export function hashState(state: TargetState): string {
  const plain = [...state]
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map(({ path, type, mode, bytes = "", to = "" }) => [path, type, type === "link" ? 0 : mode, bytes, to]);
  return createHash("sha256").update(JSON.stringify(plain)).digest("hex");
}

/** A target that is one file. */
export function fileState(text: string, mode = 0o600): TargetState {
  return [{ path: "", type: "file", mode, bytes: Buffer.from(text, "utf8").toString("base64") }];
}

/** The text of the file at `path`; undefined when no file stands there. */
export function textAt(state: TargetState, path = ""): string | undefined {
  const entry = state.find((each) => each.path === path && each.type === "file");
  return entry && Buffer.from(entry.bytes ?? "", "base64").toString("utf8");
}

/** A target that is a folder of files, with the folders between. Modes are 0644, scripts as given. */
export function folderState(files: readonly { path: string; text: string; mode?: number }[]): TargetState {
  const entries = new Map<string, TargetEntry>([["", { path: "", type: "dir", mode: 0o755 }]]);
  for (const { path, text, mode = 0o644 } of files) {
    const parts = path.split("/");
    for (let depth = 1; depth < parts.length; depth++) {
      const folder = parts.slice(0, depth).join("/");
      entries.set(folder, { path: folder, type: "dir", mode: 0o755 });
    }
    entries.set(path, { path, type: "file", mode, bytes: Buffer.from(text, "utf8").toString("base64") });
  }
  return [...entries.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
