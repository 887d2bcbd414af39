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
  /** What the lines of the event so far hold. */
  #chars = 0;
  /** The last chunk ended in CR: an LF at the start of the next one belongs to it. */
  #afterReturn = false;

  /** Takes a chunk as it came, cut wherever the network cut it; returns the events it completes. Comments are dropped. */
  push(chunk: Uint8Array): StreamEvent[] {
    const events: StreamEvent[] = [];
    let text = this.#decoder.decode(chunk, { stream: true });
    if (this.#afterReturn && text.startsWith("\n")) text = text.slice(1);
    if (text !== "") this.#afterReturn = text.endsWith("\r");
    // Only what is new is looked through: a line may come in a thousand pieces.
    const [first = "", ...lines] = text.split(/\r\n|\r|\n/);
    let line = this.#line + first;
    for (const next of lines) {
      const event = this.#take(line);
      if (event) events.push(event);
      line = next;
    }
    this.#line = line;
    if (this.#line.length + this.#chars > MOST_CHARS) throw new Error("an event that is too long");
    return events;
  }

  /** An event is complete at its empty line; what stands unfinished at the end of the stream is dropped. */
  #take(line: string): StreamEvent | undefined {
    if (line === "") {
      const event = { event: this.#event || "message", data: this.#data.join("\n") };
      const empty = this.#data.length === 0;
      this.#event = "";
      this.#data = [];
      this.#chars = 0;
      return empty ? undefined : event;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#event = value;
    if (field === "data") {
      this.#data.push(value);
      this.#chars += value.length + 1;
    }
    return undefined;
  }
}
