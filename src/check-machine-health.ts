import { statfsSync } from "node:fs";
import { noteFailure, noteSuccess } from "./engine/heartbeat.ts";
import type { Scope } from "./engine/scope.ts";

const MEGABYTE = 1_048_576;
/** Below this a database soon cannot be written to. */
const LEAST_FREE_MB = 200;
/** Feishu refuses nothing at once, but reminders, leases and signatures go by this clock. */
const MOST_OFF_MS = 60_000;
const CLOCK_EVERY_MS = 60 * 60_000;
const WITHIN_MS = 5_000;

/**
 * The minute's look at the machine itself: room on the disk of the data folder, and, once an hour, its clock against the
 * one in the head of the platform's answers. Where neither can be known nothing is noted.
 */
export function machineHealth(
  place: { dataDir: string; baseUrl: string },
  nowMs = Date.now,
): (scope: Scope) => Promise<void> {
  let askedMs = Number.NEGATIVE_INFINITY;
  return async (scope) => {
    const free = freeMegabytes(place.dataDir);
    if (free !== undefined) {
      if (free < LEAST_FREE_MB) await noteFailure(scope, "disk", `${free} MB`);
      else await noteSuccess(scope, "disk");
    }
    if (nowMs() - askedMs < CLOCK_EVERY_MS) return;
    askedMs = nowMs();
    const off = await clockOff(place.baseUrl, nowMs);
    if (off === undefined) return;
    if (Math.abs(off) >= MOST_OFF_MS) await noteFailure(scope, "clock", `${Math.round(off / 1000)} s`);
    else await noteSuccess(scope, "clock");
  };
}

function freeMegabytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return Math.floor((bavail * bsize) / MEGABYTE);
  } catch {
    return undefined;
  }
}

/** Milliseconds this machine is ahead of the platform; undefined when it did not say. */
async function clockOff(baseUrl: string, nowMs: () => number): Promise<number | undefined> {
  try {
    const response = await fetch(baseUrl, {
      method: "HEAD",
      redirect: "manual",
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    const theirs = Date.parse(response.headers.get("date") ?? "");
    return Number.isNaN(theirs) ? undefined : nowMs() - theirs;
  } catch {
    return undefined;
  }
}
