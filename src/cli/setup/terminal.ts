import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import { StartRefused } from "../../start-refused.ts";

/** The person at the terminal went away: Ctrl-C, or the end of the input. */
export class SetupStopped extends Error {}

export interface Question<Value> {
  text: string;
  /** what an empty answer means, as it would be typed */
  fallback?: string | undefined;
  /** said in the place of the default, for one that must not be shown */
  shown?: string | undefined;
  /** the answer is not shown while it is typed */
  secret?: boolean;
  /** answered ahead, by a flag or a variable: not asked, unless it is wrong */
  given?: string | undefined;
  /** the answer's meaning; undefined when it is not understood */
  read(answer: string): Value | undefined;
  /** what was expected, with an example */
  wrong: string;
}

export interface Terminal {
  /** false: nobody can be asked; answers come from flags, variables and defaults */
  readonly interactive: boolean;
  /** ends when the person at the terminal goes away */
  readonly gone: AbortSignal;
  say(...lines: string[]): void;
  /**
   * Asks until the answer is understood.
   * @throws SetupStopped · StartRefused (exit code 2) when nobody can be asked and neither flag nor default will do
   */
  ask<Value>(question: Question<Value>): Promise<Value>;
  close(): void;
}

/** Questions and answers, line by line. Lines that come before their question wait for it. */
export function openTerminal(streams: {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  interactive: boolean;
}): Terminal {
  const { output, interactive } = streams;
  const lines: string[] = [];
  const leaving = new AbortController();
  let waiting: ((line: string) => void) | undefined;
  let silent = false;
  const shown = new Writable({
    write(chunk: Buffer, _encoding, done): void {
      if (!silent) output.write(chunk);
      done();
    },
  });
  const isTty = "isTTY" in streams.input && streams.input.isTTY === true;
  const reader: Interface | undefined = interactive
    ? createInterface({ input: streams.input, output: shown, terminal: isTty, historySize: 0 })
    : undefined;
  reader?.on("line", (line) => {
    if (waiting === undefined) lines.push(line);
    else waiting(line);
  });
  reader?.on("SIGINT", () => reader.close());
  reader?.on("close", () => leaving.abort(new SetupStopped()));

  const say = (...all: string[]): void => {
    for (const line of all) output.write(`${line}\n`);
  };
  const answer = async (prompt: string, secret: boolean): Promise<string> => {
    output.write(prompt);
    const ready = lines.shift();
    if (ready !== undefined) {
      output.write("\n");
      return ready.trim();
    }
    if (leaving.signal.aborted) throw new SetupStopped();
    silent = secret;
    try {
      return await new Promise<string>((resolve, reject) => {
        const leave = (): void => reject(new SetupStopped());
        leaving.signal.addEventListener("abort", leave, { once: true });
        waiting = (line) => {
          leaving.signal.removeEventListener("abort", leave);
          resolve(line.trim());
        };
      });
    } finally {
      waiting = undefined;
      silent = false;
      if (secret || !isTty) output.write("\n");
    }
  };

  return {
    interactive,
    gone: leaving.signal,
    say,
    async ask<Value>({ text, fallback, shown: masked, secret, given, read, wrong }: Question<Value>): Promise<Value> {
      if (given !== undefined) {
        const value = read(given);
        if (value !== undefined) return value;
        if (!interactive) throw new StartRefused(wrong, 2);
        say(wrong);
      }
      if (!interactive) {
        const value = read(fallback ?? "");
        if (value === undefined) throw new StartRefused(wrong, 2);
        return value;
      }
      const hint = masked ?? fallback;
      for (;;) {
        const typed = await answer(`${text}${hint ? ` [${hint}]` : ""} `, secret === true);
        const value = read(typed === "" ? (fallback ?? "") : typed);
        if (value !== undefined) return value;
        say(wrong);
      }
    },
    close: () => reader?.close(),
  };
}
