import { z } from "zod";
import { EngineError } from "../errors.ts";
import { assertMay } from "../people/person.ts";
import type { HistoryCursor } from "../ports.ts";
import type { Actor, Scope } from "../scope.ts";
import { type TrackingItem, trackingItemSchema } from "../tracking/item.ts";
import { type EditorView, viewForEditor } from "./editor-view.ts";
import { readRunFacts } from "./read-run-facts.ts";
import { candidateSchema } from "./run.ts";

/** A cursor as it is read back from its column. */
export const cursorSchema: z.ZodType<HistoryCursor> = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

/**
 * proactivity_read: the candidates of a run that waits for its editor, with their evidence, the preferences, the rules'
 * verdicts at this very moment, and the live delta, so that a matter just dealt with is not brought up again.
 * @throws EngineError forbidden · not_found · wrong_state · unavailable (history)
 */
export async function readForEditor(scope: Scope, who: Actor, input: { runId: string }): Promise<EditorView> {
  assertMay(who, "tick.run");
  const { agent, db } = scope;
  const run = await db.checkpoint.findFirst({ where: { agentId: agent.id, runId: input.runId } });
  if (!run) throw new EngineError("not_found", { what: "run", given: input.runId });
  if (run.status !== "pending") {
    throw new EngineError("wrong_state", { what: "run", state: run.status, possible: ["tick.run"] });
  }
  const rows = await db.candidate.findMany({
    where: { agentId: agent.id, runId: input.runId },
    orderBy: { index: "asc" },
  });
  const candidates = rows.map((row) => candidateSchema.parse(row));
  return viewForEditor(scope, {
    runId: input.runId,
    candidates,
    items: await readItems(
      scope,
      candidates.map((candidate) => candidate.goalId),
    ),
    facts: await readRunFacts(scope, { asked: run.reason === "asked_for" }),
    cursorStart: cursorSchema.parse(run.cursorStart),
    cursorEnd: cursorSchema.parse(run.cursorEnd),
  });
}

/** The items with these ids, in whatever state, by id. */
export async function readItems(
  scope: Scope,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, TrackingItem>> {
  const known = ids.filter((id) => id !== null);
  if (known.length === 0) return new Map();
  const rows = await scope.db.trackingItem.findMany({ where: { agentId: scope.agent.id, id: { in: known } } });
  return new Map(rows.map((row) => [row.id, trackingItemSchema.parse(row)]));
}
