/** One event of a server-sent event stream. */
export interface StreamEvent {
  /** "message" when the stream names none */
  event: string;
  /** data lines joined by line feeds */
  data: string;
}

/** One event may be this long; a longer one is cut off by ending the stream. */
const MOST_CHARS = 16 * 1024 * 1024;

/** @throws Error when one event is longer than any sane one */
export class EventStreamParser {
  readonly #decoder = new TextDecoder();
  #line = "";
  #event = "";
  #data: string[] = [];
  /** The last chunk ended in CR: an LF at the start of the next one belongs to it. */
  #afterReturn = false;

  /** Takes a chunk as it came, cut wherever the network cut it; returns the events it completes. Comments are dropped. */
  push(chunk: Uint8Array): StreamEvent[] {
    const events: StreamEvent[] = [];
    let text = this.#decoder.decode(chunk, { stream: true });
    if (this.#afterReturn && text.startsWith("\n")) text = text.slice(1);
    if (text !== "") this.#afterReturn = text.endsWith("\r");
    const lines = (this.#line + text).split(/\r\n|\r|\n/);
    this.#line = lines.pop() ?? "";
    if (this.#line.length > MOST_CHARS) throw new Error("an event that is too long");
    for (const line of lines) {
      const event = this.#take(line);
      if (event) events.push(event);
    }
    return events;
  }

  /** An event is complete at its empty line; what stands unfinished at the end of the stream is dropped. */
  #take(line: string): StreamEvent | undefined {
    if (line === "") {
      const event = { event: this.#event || "message", data: this.#data.join("\n") };
      const empty = this.#data.length === 0;
      this.#event = "";
      this.#data = [];
      return empty ? undefined : event;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#event = value;
    if (field === "data") this.#data.push(value);
    return undefined;
  }
}
