import type { Scope } from "../engine/scope.ts";
import type { CallRecord } from "./model-chain.ts";

/** Writes what a question to a model cost: the `record` of a model chain. Outside of any transaction, texts are never stored. */
export async function recordModelCall(scope: Pick<Scope, "agent" | "db" | "clock">, call: CallRecord): Promise<void> {
  await scope.db.modelCall.create({
    data: {
      agentId: scope.agent.id,
      at: scope.clock.now(),
      purpose: call.purpose,
      model: call.model,
      endpoint: call.endpoint,
      durationMs: call.durationMs,
      outcome: call.outcome,
      inputTokens: call.inputTokens ?? null,
      outputTokens: call.outputTokens ?? null,
      runId: call.runId ?? null,
    },
    select: { id: true },
  });
}
