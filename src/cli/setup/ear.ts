import { setTimeout as sleep } from "node:timers/promises";
import { type Incoming, readEvent } from "../../bot/feishu-events.ts";
import { startLongConnection } from "../../bot/long-connection.ts";
import type { FeishuConfig } from "../../config.ts";
import type { Log } from "../../engine/ports.ts";

const UP_WITHIN_MS = 20_000;
const LOOK_MS = 50;

/** What came in, with the instant the platform gives it (unknown for some kinds). */
export type Heard = { event: Incoming; createdAt: Date | undefined };

/** A long connection of the setup's own, for as long as it waits for somebody. */
export interface Ear {
  /**
   * Waits for an event that `take` makes something of. What `take` answers (a tap's toast and card) goes back to the
   * platform. @returns undefined when nothing fitting came in time
   */
  waitFor<Value>(
    take: (heard: Heard) => { value: Value; answer?: object } | undefined,
    within: { ms: number; signal: AbortSignal },
  ): Promise<Value | undefined>;
  close(): Promise<void>;
}

/** @returns undefined when the connection did not come up */
export async function openEar(feishu: FeishuConfig, log: Log, gone: AbortSignal): Promise<Ear | undefined> {
  let listener: ((heard: Heard) => object | undefined) | undefined;
  const connection = startLongConnection(
    feishu,
    async (raw) => {
      const event = readEvent(raw);
      if (event === undefined || event.appId !== feishu.appId) return {};
      return listener?.({ event, createdAt: createdAt(raw) }) ?? {};
    },
    log,
  );
  for (let waited = 0; connection.health().state !== "connected"; waited += LOOK_MS) {
    if (waited >= UP_WITHIN_MS || gone.aborted || connection.health().state === "failed") {
      await connection.stop();
      return undefined;
    }
    await sleep(LOOK_MS);
  }
  return {
    waitFor: (take, { ms, signal }) =>
      new Promise((resolve) => {
        const end = (value: Parameters<typeof resolve>[0]): void => {
          clearTimeout(timer);
          signal.removeEventListener("abort", leave);
          listener = undefined;
          resolve(value);
        };
        const leave = (): void => end(undefined);
        const timer = setTimeout(leave, ms);
        signal.addEventListener("abort", leave, { once: true });
        if (signal.aborted) leave();
        listener = (heard) => {
          const taken = take(heard);
          if (taken === undefined) return undefined;
          // The answer leaves before whoever waited may close the connection.
          setTimeout(() => end(taken.value), 0);
          return taken.answer;
        };
      }),
    close: () => connection.stop(),
  };
}

/** Feishu: `create_time` of an envelope counts milliseconds for events and microseconds for card callbacks. */
function createdAt(raw: unknown): Date | undefined {
  const envelope = raw as { header?: { create_time?: unknown }; create_time?: unknown } | null;
  const given = Number(envelope?.header?.create_time ?? envelope?.create_time);
  if (!Number.isFinite(given) || given <= 0) return undefined;
  return new Date(given > 1e14 ? given / 1000 : given);
}
