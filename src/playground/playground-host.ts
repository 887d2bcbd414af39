/** What the surrounding server lends to the playground. Everything is optional; what is missing is not offered. */
export type PlaygroundHost = {
  clock?: {
    now(): Date;
    /** Moves the one clock and resolves when the jobs due by then have run. */
    set(now: Date): Promise<void>;
  };
  /** The stand-in agent: may be switched off, as if Hermes were down. */
  agent?: {
    up(): boolean;
    setUp(up: boolean): Promise<void>;
  };
  /** @returns undefined for a word it does not know */
  inspect?(what: string, query: Record<string, string>): Promise<unknown>;
};

const UNIT_MS: Record<string, number> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/** The instant a clock request asks for, or undefined when it cannot be read (`90s`, `30m`, `8h`, `7d`, `1w`, ISO 8601). */
export function readClockRequest(request: Record<string, unknown>, now: Date): Date | undefined {
  if (typeof request.advance === "string") {
    const [, amount, unit] = /^(\d{1,6})(s|m|h|d|w)$/.exec(request.advance.trim()) ?? [];
    const unitMs = UNIT_MS[unit ?? ""];
    return amount === undefined || unitMs === undefined ? undefined : new Date(now.getTime() + Number(amount) * unitMs);
  }
  if (typeof request.now === "string" && /^\d{4}-\d{2}-\d{2}T/.test(request.now)) {
    const instant = new Date(request.now);
    return Number.isNaN(instant.getTime()) ? undefined : instant;
  }
  return undefined;
}
