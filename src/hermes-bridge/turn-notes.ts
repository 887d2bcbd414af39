import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { writeBeside } from "./write-beside.ts";

const noteSchema = z.object({ sessionId: z.string(), runId: z.string().optional(), at: z.number() });
/** Under which names Hermes knows a turn. */
export type TurnNote = z.infer<typeof noteSchema>;

const MOST_NOTES = 300;

/**
 * Remembers over restarts which run and session a turn became, so that a turn that was running can be asked about. A file
 * of this machine: another replica asks the transcript instead. A note that cannot be kept is no reason to stop a turn.
 */
export class TurnNotes {
  readonly #path: string | undefined;
  #notes: Map<string, TurnNote> | undefined;

  /** @param path undefined keeps them in memory only */
  constructor(path: string | undefined) {
    this.#path = path;
  }

  get(turnId: string): TurnNote | undefined {
    return this.#all().get(turnId);
  }

  put(turnId: string, note: TurnNote): void {
    const notes = this.#all();
    notes.delete(turnId);
    notes.set(turnId, note);
    for (const oldest of notes.keys()) {
      if (notes.size <= MOST_NOTES) break;
      notes.delete(oldest);
    }
    if (this.#path === undefined) return;
    try {
      mkdirSync(dirname(this.#path), { recursive: true });
      writeBeside(this.#path, JSON.stringify(Object.fromEntries(notes)), 0o600);
    } catch {
      // The disk is full or read-only: others say so.
    }
  }

  #all(): Map<string, TurnNote> {
    if (this.#notes) return this.#notes;
    this.#notes = new Map();
    if (this.#path === undefined) return this.#notes;
    try {
      const read = z.record(z.string(), noteSchema).safeParse(JSON.parse(readFileSync(this.#path, "utf8")));
      for (const [turnId, note] of Object.entries(read.data ?? {})) this.#notes.set(turnId, note);
    } catch {
      // None yet.
    }
    return this.#notes;
  }
}
