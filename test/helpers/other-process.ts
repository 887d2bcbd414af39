import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { bundle } from "../../bin/run.mjs";

export type OtherProcess = {
  readonly pid: number;
  /** Lines of its standard output so far. */
  readonly lines: readonly string[];
  /** Resolves with the first line that fits, now or later; rejects when the process ends before. */
  line(fits: (line: string) => boolean): Promise<string>;
  /** Ends its input, which asks the commands that wait for it to finish. */
  finish(): void;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when it has ended. */
  readonly ended: Promise<{ code: number | null; output: string }>;
};

let child: Promise<string> | undefined;

/** Runs a command of test/helpers/child/database.ts in a process of its own. */
export async function otherProcess(command: string, ...rest: readonly string[]): Promise<OtherProcess> {
  child ??= bundle("test/helpers/child/database.ts");
  const running: ChildProcessByStdio<Writable, Readable, Readable> = spawn(
    process.execPath,
    [await child, command, ...rest],
    { stdio: ["pipe", "pipe", "pipe"] },
  );
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let output = "";
  let unfinished = "";
  running.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    const parts = (unfinished + text).split("\n");
    unfinished = parts.pop() ?? "";
    lines.push(...parts);
    for (const look of waiting) look();
  });
  running.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    running.on("close", (code) => resolve({ code, output }));
  });
  return {
    pid: running.pid ?? 0,
    lines,
    line: (fits) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = lines.find(fits);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
        void ended.then(({ output: all }) => reject(new Error(`ended without that line:\n${all}`)));
      }),
    finish: () => running.stdin.end(),
    kill: (signal) => void running.kill(signal),
    ended,
  };
}
