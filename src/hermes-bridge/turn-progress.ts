import { maskSecrets } from "../engine/mask-secrets.ts";
import type { TurnEvent, TurnResult } from "../engine/ports.ts";

/** How a turn ended as far as its stream or status told. */
export type TurnEnd = Pick<TurnResult, "outcome"> & Partial<TurnResult>;

/** More than any reply is kept of: a stream that never ends must not fill the memory. */
const MOST_CHARS = 1_000_000;

/** What a running turn has said so far; tells the listener whole texts, never pieces. */
export class TurnProgress {
  readonly #on: (event: TurnEvent) => void;
  #text = "";
  #toolSince = false;
  #tools = 0;

  constructor(on: (event: TurnEvent) => void) {
    this.#on = on;
  }

  get text(): string {
    return this.#text;
  }

  get toolCalls(): number {
    return this.#tools;
  }

  emit(event: TurnEvent): void {
    this.#on(event);
  }

  /** A piece of the reply. What is said after a tool is a paragraph of its own. */
  say(delta: string): void {
    if (delta === "" || this.#text.length >= MOST_CHARS) return;
    if (this.#toolSince && this.#text !== "" && !/\n\s*$/.test(this.#text)) this.#text += "\n\n";
    this.#toolSince = false;
    this.#text = (this.#text + delta).slice(0, MOST_CHARS);
    this.#on({ kind: "text", text: this.#text });
  }

  tool(
    name: string,
    state: "started" | "completed" | "failed",
    more: { preview?: string; seconds?: number } = {},
  ): void {
    this.#toolSince = true;
    if (state === "started") this.#tools++;
    this.#on({
      kind: "tool",
      name,
      state,
      ...(more.preview && { preview: maskSecrets(more.preview).slice(0, 500) }),
      ...(more.seconds !== undefined && { durationMs: Math.round(more.seconds * 1000) }),
    });
  }
}

/** What Hermes says went wrong, as one line that may be shown. */
export function whyLine(text: unknown, otherwise: string): string {
  if (typeof text !== "string" || text.trim() === "") return otherwise;
  return maskSecrets(text).replace(/\s+/g, " ").trim().slice(0, 300);
}
