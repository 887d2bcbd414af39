import { randomInt } from "node:crypto";
import { destination, pino } from "pino";
import { maskValue } from "./engine/mask-value.ts";
import type { Log } from "./engine/ports.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type LogOptions = {
  readonly level: LogLevel;
  /** Exact values that must never be written, such as the configured secrets. */
  readonly secrets?: readonly string[];
  /** Takes one finished line with its line feed. Default: standard output. */
  readonly write?: (line: string) => void;
  /** Default: the system's clock. */
  readonly now?: () => Date;
};

/** Without 0/O, 1/I/L, 5/S and 8/B, which look or sound alike when a person reads a reference out. */
const REF_LETTERS = "ACDEFGHJKMNPQRTUVWXY234679";
const REF_CHARS = 4;

/** Fields that would carry what people or models wrote. Only their length is logged. */
const TEXT_NAME =
  /(^|[a-z_])(text|texts|content|contents|body|title|titles|prompt|reply|answer|quote|excerpt|summary|draft|snippet|card)$/i;

/** The log of the process: one JSON object a line, secrets masked, texts of people reduced to their length. */
export function createLog(options: LogOptions): Log {
  const now = options.now ?? (() => new Date());
  const stream = options.write ? { write: options.write } : destination({ fd: 1, sync: true });
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${now().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
  const known = { known: options.secrets ?? [] };
  const write = (level: "debug" | "info" | "warn" | "error", event: string, facts: Record<string, unknown>): void => {
    if (!logger.isLevelEnabled(level)) return;
    logger[level]({ event, ...(maskValue(withoutTexts(facts, 0), known) as object) });
  };
  return {
    debug: (event, facts = {}) => write("debug", event, facts),
    info: (event, facts = {}) => write("info", event, facts),
    warn: (event, facts = {}) => write("warn", event, facts),
    incident: (event, error, facts = {}) => {
      const ref = Array.from({ length: REF_CHARS }, () => REF_LETTERS[randomInt(REF_LETTERS.length)]).join("");
      write("error", event, { ref, ...facts, error });
      return ref;
    },
  };
}

function withoutTexts(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth > 4) return value;
  if (Array.isArray(value)) return value.map((one) => withoutTexts(one, depth + 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      if (!TEXT_NAME.test(name) || one === undefined || typeof one === "number" || typeof one === "boolean") {
        return [name, withoutTexts(one, depth + 1)];
      }
      return [name, typeof one === "string" ? `[${one.length} chars]` : "[left out]"];
    }),
  );
}
