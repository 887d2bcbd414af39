import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import type { WaitingEvent } from "./event-outbox.ts";
import type { CardEntity, PlatformState, StoredFile, StoredMessage, UpdateTicket } from "./platform-state.ts";

/** The part of the state that outlives a restart; people and chats are always the demo's. */
export type Remembered = Pick<PlatformState, "messages" | "cards" | "files" | "sentByUuid" | "tickets"> & {
  waiting: WaitingEvent[];
};

const VERSION = 1;
const SAVE_AFTER_MS = 200;

const entries = <T>(): z.ZodType<[string, T][]> =>
  z.array(z.tuple([z.string(), z.custom<T>((value) => typeof value === "object")]));
const remembered = z.object({
  version: z.literal(VERSION),
  messages: entries<StoredMessage>(),
  cards: entries<CardEntity>(),
  files: entries<StoredFile>(),
  sentByUuid: entries<{ atMs: number; messageId: string }>(),
  tickets: entries<UpdateTicket>(),
  waiting: z.array(z.custom<WaitingEvent>((value) => typeof value === "object")),
});

/**
 * What an earlier run left in the file.
 * @returns undefined when there is none, or it is of another version or damaged (then the demo begins anew)
 */
export function readMemory(file: string): Remembered | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const read = remembered.parse(JSON.parse(readFileSync(file, "utf8"), revive));
    for (const [, message] of read.messages) message.pendingTaps = 0;
    for (const [, ticket] of read.tickets) ticket.answered = true;
    return {
      messages: new Map(read.messages),
      cards: new Map(read.cards),
      files: new Map(read.files),
      sentByUuid: new Map(read.sentByUuid),
      tickets: new Map(read.tickets),
      waiting: read.waiting,
    };
  } catch {
    return undefined;
  }
}

/** Keeps the file in step: a moment after each change, and at the end. Written aside and moved into place. */
export class MemoryKeeper {
  readonly #file: string;
  readonly #now: () => Remembered;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(file: string, now: () => Remembered) {
    this.#file = file;
    this.#now = now;
    mkdirSync(dirname(file), { recursive: true });
  }

  changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#write();
    }, SAVE_AFTER_MS);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#write();
    await this.#writing;
  }

  #write(): void {
    const text = JSON.stringify({ version: VERSION, ...plain(this.#now()) }, keepKinds);
    this.#writing = this.#writing
      .then(() => writeFile(`${this.#file}.new`, text, { mode: 0o600 }))
      .then(() => rename(`${this.#file}.new`, this.#file))
      // A full or missing disk must not stop the demo; the next change tries again.
      .catch(() => {});
  }
}

function plain(memory: Remembered): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(memory).map(([key, value]) => [key, value instanceof Map ? [...value] : value]),
  );
}

const KINDS = { map: "$map", set: "$set", bytes: "$bytes" } as const;

/** JSON replacer for what JSON has no form of. A function with `this`, because buffers turn into JSON before it is asked. */
function keepKinds(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const original = this[key];
  if (Buffer.isBuffer(original)) return { [KINDS.bytes]: original.toString("base64") };
  if (value instanceof Map) return { [KINDS.map]: [...value] };
  if (value instanceof Set) return { [KINDS.set]: [...value] };
  return value;
}

function revive(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Object.keys(value).length !== 1) return value;
  const held = value as Record<string, unknown>;
  const { [KINDS.bytes]: bytes, [KINDS.map]: map, [KINDS.set]: set } = held;
  if (typeof bytes === "string") return Buffer.from(bytes, "base64");
  if (Array.isArray(map)) return new Map(map as [unknown, unknown][]);
  if (Array.isArray(set)) return new Set(set as unknown[]);
  return value;
}
