import type { Log } from "../../src/engine/ports.ts";

export type LogLine = { level: "debug" | "info" | "warn" | "incident"; event: string; facts: Record<string, unknown> };

/** A log that says nothing and remembers everything. */
export type TestLog = Log & { readonly lines: LogLine[]; of(event: string): LogLine[] };

export function testLog(): TestLog {
  const lines: LogLine[] = [];
  const note = (level: LogLine["level"], event: string, facts: Record<string, unknown> = {}): void => {
    lines.push({ level, event, facts });
  };
  return {
    lines,
    of: (event) => lines.filter((line) => line.event === event),
    debug: (event, facts) => note("debug", event, facts),
    info: (event, facts) => note("info", event, facts),
    warn: (event, facts) => note("warn", event, facts),
    incident(event, error, facts) {
      note("incident", event, { error, ...facts });
      return `T${String(lines.length).padStart(3, "0")}`;
    },
  };
}
