import { z } from "zod";
import { lessonProblem } from "../safe-text.ts";
import { fileState, textAt } from "../snapshot.ts";
import type { TargetState } from "../target-files.ts";
import { type Clash, clash, type Planned } from "./planned.ts";

/** Hermes joins the entries of a memory file by exactly this, and refuses a file that does not read back the same. */
export const MEMORY_DELIMITER = "\n§\n";
const ENTRY_CHARS = 600;

const file = z.enum(["memory", "user"]);
export const memoryPayloadSchema = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("add"), file, text: z.string() }),
  z.strictObject({ action: z.literal("replace"), file, old: z.string().min(1), text: z.string() }),
  z.strictObject({ action: z.literal("remove"), file, old: z.string().min(1) }),
]);
export type MemoryPayload = z.infer<typeof memoryPayloadSchema>;

export function memoryProblem(payload: MemoryPayload): Clash | undefined {
  if (payload.action === "remove") return undefined;
  if (payload.text.includes("§")) return "raw_fragment";
  return lessonProblem(payload.text, ENTRY_CHARS);
}

/** One entry more, another, or less; every other entry stays to the letter. */
export function planMemory(payload: MemoryPayload, standing: TargetState, limit: number): Planned {
  const entries = entriesOf(standing);
  if (!entries) return clash("odd_file");
  const next = change(payload, entries);
  if (typeof next === "string") return clash(next);
  const text = next.join(MEMORY_DELIMITER);
  if ([...text].length > limit) return clash("no_room");
  return { ok: true, next: fileState(text, standing[0]?.mode ?? 0o600) };
}

function change(payload: MemoryPayload, entries: readonly string[]): readonly string[] | Clash {
  const text = payload.action === "remove" ? "" : payload.text.trim();
  if (payload.action === "add") return entries.includes(text) ? "already_there" : [...entries, text];
  const at = entries.indexOf(payload.old.trim());
  if (at < 0) return "not_there";
  if (payload.action === "remove") return entries.toSpliced(at, 1);
  return entries.includes(text) ? "already_there" : entries.with(at, text);
}

/** The opposite of a change, made to whatever else has come to stand there since. */
export function takeBackMemory(payload: MemoryPayload, standing: TargetState, limit: number): Planned {
  switch (payload.action) {
    case "add":
      return planMemory({ action: "remove", file: payload.file, old: payload.text }, standing, limit);
    case "replace":
      return planMemory(
        { action: "replace", file: payload.file, old: payload.text, text: payload.old },
        standing,
        limit,
      );
    case "remove":
      return planMemory({ action: "add", file: payload.file, text: payload.old }, standing, limit);
  }
}

/** Undefined when the file would not read back the same: then it is not as Hermes writes it. */
function entriesOf(standing: TargetState): string[] | undefined {
  const text = textAt(standing);
  if (text === undefined) return standing.length === 0 ? [] : undefined;
  if (text.trim() === "") return [];
  const entries = text.split(MEMORY_DELIMITER);
  const tidy = entries.map((entry) => entry.trim()).filter((entry) => entry !== "");
  return tidy.join(MEMORY_DELIMITER) === text.trim() && text.trim() === text.replace(/\n$/, "") ? tidy : undefined;
}
