import { setTimeout as wait } from "node:timers/promises";
import { refusal } from "./api-refusal.ts";
import { ApiAway, type HermesApi } from "./hermes-api.ts";

const MOST_TRIES = 3;

/**
 * Begins a run. Where a key makes a second try harmless, a lost answer is asked for again after `retryMs`; without one
 * there is no second try.
 * @throws EngineError unavailable: Hermes refused · ApiAway: no answer
 */
export async function beginRun(
  api: HermesApi,
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>>,
  retryMs: number | undefined,
): Promise<{ runId: string }> {
  for (let tries = 1; ; tries++) {
    try {
      const answer = await api.call("POST", "/v1/runs", { body, headers });
      const { run_id } = (answer.body ?? {}) as { run_id?: unknown };
      if (answer.status >= 300 || typeof run_id !== "string") throw refusal(answer);
      return { runId: run_id };
    } catch (error) {
      if (!(error instanceof ApiAway) || !error.began || retryMs === undefined || tries >= MOST_TRIES) throw error;
      await wait(retryMs);
    }
  }
}
