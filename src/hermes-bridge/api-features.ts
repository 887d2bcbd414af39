import { z } from "zod";
import { ApiAway, type HermesApi } from "./hermes-api.ts";

/** What this API server is able to do: asked for, never concluded from its version. */
export interface ApiFeatures {
  version?: string;
  /** runs can be begun and followed */
  runs: boolean;
  stop: boolean;
  approvals: boolean;
  steer: boolean;
  /**
   * A run with the same key is begun once. Servers that can do this also read a run's history from its session and keep
   * runs they are executing (before that: no history, and every run forgotten 300 s after it was begun).
   */
  idempotent: boolean;
  /** a turn of a session can be streamed */
  sessionStream: boolean;
}

/** Why the API server is not used. */
export type ApiRefusal =
  /** nobody answers there */
  | "unreachable"
  /** something answers that is no Hermes */
  | "not_hermes"
  /** no key is known, or Hermes does not take it */
  | "no_key"
  | "key_refused"
  /** it answers without a key: anyone who reaches it can run commands */
  | "open_without_key"
  /** it has neither sessions nor runs */
  | "too_old";

export type ApiState = { ok: true; features: ApiFeatures } | { ok: false; why: ApiRefusal; detail?: string };

const healthSchema = z.looseObject({
  status: z.string(),
  platform: z.string().optional(),
  version: z.string().optional(),
});

const flag = z.boolean().catch(false);
const capabilitiesSchema = z.looseObject({
  features: z.looseObject({
    run_submission: flag,
    run_events_sse: flag,
    run_status: flag,
    run_stop: flag,
    run_steer: flag,
    run_approval_response: flag,
    approval_events: flag,
    session_resources: flag,
    session_chat_streaming: flag,
    runs_idempotency: z.looseObject({ supported: flag }).optional().catch(undefined),
  }),
});

/**
 * Looks at an API server: alive, asks for its key, takes ours, and what it can do. A server that answers without a key is
 * refused: with some versions of its HTTP library every request passes, and through it commands run on its machine.
 */
export async function lookAtApi(api: HermesApi): Promise<ApiState> {
  try {
    const health = await api.call("GET", "/health", { keyless: true, timeoutMs: 5_000 });
    const alive = healthSchema.safeParse(health.body);
    if (health.status !== 200 || !alive.success)
      return { ok: false, why: "not_hermes", detail: `HTTP ${health.status}` };
    const probe = await api.call("GET", "/v1/models", { keyless: true, timeoutMs: 5_000 });
    if (probe.status !== 401) {
      const why = probe.status < 300 ? "open_without_key" : "not_hermes";
      return { ok: false, why, detail: `HTTP ${probe.status}` };
    }
    if (!api.hasKey) return { ok: false, why: "no_key" };
    const answer = await api.call("GET", "/v1/capabilities", { timeoutMs: 5_000 });
    if (answer.status === 401 || answer.status === 403) return { ok: false, why: "key_refused" };
    const told = capabilitiesSchema.safeParse(answer.body);
    if (!told.success) return { ok: false, why: "too_old", detail: `HTTP ${answer.status}` };
    const { features: f } = told.data;
    const runs = f.run_submission && f.run_events_sse && f.run_status;
    if (!f.session_resources || !(runs || f.session_chat_streaming)) return { ok: false, why: "too_old" };
    return {
      ok: true,
      features: {
        ...(alive.data.version && { version: alive.data.version }),
        runs,
        stop: f.run_stop,
        steer: runs && f.run_steer,
        approvals: runs && f.run_approval_response && f.approval_events,
        idempotent: f.runs_idempotency?.supported === true,
        sessionStream: f.session_chat_streaming,
      },
    };
  } catch (error) {
    if (error instanceof ApiAway) return { ok: false, why: "unreachable", detail: error.message };
    throw error;
  }
}
