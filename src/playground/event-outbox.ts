import { setTimeout as sleep } from "node:timers/promises";
import type { Faults } from "./faults.ts";

/** The platform waits this long for an acknowledgement of an event. */
const ACK_WITHIN_MS = 3000;
/** Then it tries again after each of these, counted from the failure before. */
const RETRY_AFTER_MS = [15_000, 5 * 60_000, 60 * 60_000, 6 * 60 * 60_000] as const;

export type PushResult = "acknowledged" | "refused" | "nobody";

/** Takes one event to the bot; resolves when the bot has answered or cannot any more. */
export type PushEvent = (body: unknown) => Promise<PushResult>;

/** An event that has not been acknowledged yet, as it outlives a restart. */
export type WaitingEvent = { eventId: string; body: unknown; attempts: number; dueMs: number };

type Waiting = WaitingEvent & {
  /** Rises per attempt, so that an answer to an earlier one does not count. */
  attemptNumber: number;
  /** While in flight, `dueMs` is when to give up waiting; otherwise when to try. */
  inFlight: boolean;
};

/**
 * Delivers events at least once: 3 s for the acknowledgement, then again after 15 s, 5 min, 1 h and 6 h, by the
 * injected clock. What waits for want of a connection is delivered in a burst when one comes up.
 */
export class EventOutbox {
  /** Events given up after the last try, with how often they were tried. */
  readonly lost: { eventId: string; attempts: number }[] = [];
  readonly #waiting = new Map<string, Waiting>();
  readonly #nowMs: () => number;
  readonly #push: PushEvent;
  readonly #faults: Faults;

  constructor(parts: { nowMs: () => number; push: PushEvent; faults: Faults }) {
    this.#nowMs = parts.nowMs;
    this.#push = parts.push;
    this.#faults = parts.faults;
  }

  /** Starts delivering; the promise ends with the first attempt (for tests), not with success. */
  async send(eventId: string, body: unknown): Promise<void> {
    const delay = this.#faults.takeForEvent("delay_events");
    if (delay?.kind === "delay_events") await sleep(delay.ms, undefined, { ref: false });
    const waiting: Waiting = { eventId, body, attempts: 0, attemptNumber: 0, inFlight: false, dueMs: this.#nowMs() };
    this.#waiting.set(eventId, waiting);
    const repeat = this.#faults.takeForEvent("repeat_events");
    const copies = repeat?.kind === "repeat_events" ? (repeat.copies ?? 2) : 1;
    for (let extra = 1; extra < copies; extra += 1) void this.#push(body);
    await this.#attempt(waiting);
  }

  /** Carries out what is due by now. */
  sweep(): void {
    const now = this.#nowMs();
    for (const waiting of [...this.#waiting.values()]) {
      if (waiting.dueMs > now) continue;
      if (waiting.inFlight) this.#failed(waiting, waiting.dueMs);
      if (this.#waiting.has(waiting.eventId) && !waiting.inFlight && waiting.dueMs <= now) void this.#attempt(waiting);
    }
  }

  /** A connection came up: everything that waits goes out now. */
  flush(): void {
    for (const waiting of [...this.#waiting.values()]) {
      if (!waiting.inFlight) void this.#attempt(waiting);
    }
  }

  /** Takes up events an earlier run left; each is tried again when due. */
  restore(events: readonly WaitingEvent[]): void {
    for (const event of events) this.#waiting.set(event.eventId, { ...event, attemptNumber: 0, inFlight: false });
  }

  /** What a restart must not lose. */
  remember(): WaitingEvent[] {
    return [...this.#waiting.values()].map(({ eventId, body, attempts, dueMs }) => ({
      eventId,
      body,
      attempts,
      dueMs,
    }));
  }

  /** Ids of events not yet acknowledged and when each is due next. */
  pending(): { eventId: string; attempts: number; inFlight: boolean; dueAt: Date }[] {
    return [...this.#waiting.values()].map(({ eventId, attempts, inFlight, dueMs }) => ({
      eventId,
      attempts,
      inFlight,
      dueAt: new Date(dueMs),
    }));
  }

  async #attempt(waiting: Waiting): Promise<void> {
    waiting.attempts += 1;
    waiting.attemptNumber += 1;
    waiting.inFlight = true;
    waiting.dueMs = this.#nowMs() + ACK_WITHIN_MS;
    const mine = waiting.attemptNumber;
    const result = await this.#push(waiting.body);
    if (waiting.attemptNumber !== mine || !waiting.inFlight) return;
    if (result === "acknowledged") this.#waiting.delete(waiting.eventId);
    else this.#failed(waiting, this.#nowMs());
  }

  #failed(waiting: Waiting, atMs: number): void {
    waiting.inFlight = false;
    const wait = RETRY_AFTER_MS[waiting.attempts - 1];
    if (wait === undefined) {
      this.#waiting.delete(waiting.eventId);
      this.lost.push({ eventId: waiting.eventId, attempts: waiting.attempts });
    } else waiting.dueMs = atMs + wait;
  }
}
