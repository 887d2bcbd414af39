import type { Memory } from "../../ports.ts";
import { type DocumentLook, inline, quoted, section } from "./look.ts";

export type MemoryState = "ok" | "missing" | "unreadable";

export interface MemoryView {
  state: MemoryState;
  keywords: readonly string[];
  memories: readonly { memory: Memory; source: number }[];
}

/** Memories that share a keyword with the new messages and the active items, and how the read went. */
export function memoryDocument(view: MemoryView, look: DocumentLook): string {
  const words = look.texts.documents;
  return [
    section(
      words.memory,
      view.memories.map(({ memory, source }) => `- [source:${source}] ${memory.target}\n${quoted(memory.text, look)}`),
      look,
    ),
    `- ${words.memoryState[view.state]}`,
    `- ${words.keywords}: ${view.keywords.map(inline).join(", ") || words.nothing}`,
    "",
  ].join("\n");
}
