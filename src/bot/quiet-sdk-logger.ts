import type { Log } from "../engine/ports.ts";

/**
 * A logger for the SDK that never repeats what it is given: the SDK logs whole requests, with secret, token and texts,
 * when a call fails. Only the first word-like piece is kept, and the failure itself reaches us as an error anyway.
 */
export function quietSdkLogger(log: Log): {
  error: (...parts: unknown[]) => void;
  warn: (...parts: unknown[]) => void;
  info: (...parts: unknown[]) => void;
  debug: (...parts: unknown[]) => void;
  trace: (...parts: unknown[]) => void;
} {
  const say = (...parts: unknown[]): void => log.debug("lark.sdk", { about: firstWords(parts) });
  return { error: say, warn: say, info: () => {}, debug: () => {}, trace: () => {} };
}

function firstWords(parts: unknown[]): string {
  const words = parts.flat().find((part) => typeof part === "string" && !part.startsWith("["));
  return typeof words === "string" ? words.slice(0, 60).replace(/[^\w .,:-]+/g, " ") : "error";
}
