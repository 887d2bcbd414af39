import { z } from "zod";
import { jsonColumn } from "../json-column.ts";
import { LlmError } from "../ports.ts";
import type { Scope } from "../scope.ts";
import { chooseEditors } from "./choose-editor.ts";
import { type EditorTry, editByAgent, handOverRun } from "./edit-by-agent.ts";
import { editByCode } from "./edit-by-code.ts";
import { editByModel } from "./edit-by-model.ts";
import type { EditorView } from "./editor-view.ts";
import { type Documents, lookOf } from "./render-context.ts";
import type { Selection } from "./selection.ts";

export interface EditInput {
  /** Looks at the world as it is now: waiting for an editor takes time. */
  look: () => Promise<EditorView>;
  documents: Documents;
  runId: string;
  /** what the run has counted so far; an editor that writes its decision itself finds them in the run's row */
  counts: Readonly<Record<string, number>>;
  dry: boolean;
  /** Hermes' cron asks: it wakes the main agent itself. */
  handOver: boolean;
}

export type Edited =
  | { view: EditorView; selection: Selection; editor: "model" | "code"; tries: readonly EditorTry[] }
  /** The run waits for the agent that Hermes' cron wakes; this is the key it is told. */
  | { key: string }
  /** The main agent has written its decision itself, by proactivity_select. */
  | { decided: { outcome: "sent" | "skipped_all" | "nothing_to_say"; counts: Readonly<Record<string, number>> } };

const outcomeSchema = z.enum(["sent", "skipped_all", "nothing_to_say"]).catch("skipped_all");

/**
 * The editors in order, until one decides: the main agent, a direct model call, plain code, which always has an answer. Every
 * one that did not decide is kept with why. Not in a transaction: this waits for Hermes and for models.
 */
export async function edit(
  scope: Scope,
  { look, documents, runId, counts, dry, handOver }: EditInput,
): Promise<Edited> {
  let view = await look();
  const { settings } = view.facts;
  const tries: EditorTry[] = [];
  const editors = chooseEditors({
    wish: settings.editor,
    agentReachable: (handOver || scope.turns.way !== "none") && !dry,
    modelConfigured: scope.llm.configured,
    allowed: view.candidates.filter((judged) => judged.verdict.allow).length,
  });
  if (editors[0] === "main-agent") {
    await scope.db.checkpoint.updateMany({
      where: { agentId: scope.agent.id, runId, status: "pending" },
      data: { counts: jsonColumn(counts) },
    });
    if (handOver) return { key: await handOverRun(scope, runId) };
    const answer = await editByAgent(scope, { runId, deadlineMs: settings.editorSeconds * 1000 });
    if (answer === "decided") return { decided: await readDecision(scope, runId) };
    scope.log.warn("proactive.editor_passed", { runId, editor: answer.editor, why: answer.why });
    tries.push(answer);
    view = await look();
  }
  if (editors.includes("model")) {
    try {
      const shown = {
        sources: documents["sources.md"] ?? "",
        prepared: documents["prepared.md"] ?? "",
        context: documents["context.md"] ?? "",
      };
      const selection = await editByModel(scope, view, shown, lookOf(view.facts));
      return { view, selection, editor: "model", tries };
    } catch (error) {
      if (!(error instanceof LlmError)) throw error;
      scope.log.warn("proactive.editor_passed", { runId, editor: "model", why: error.kind });
      tries.push({ editor: "model", why: error.kind });
    }
  }
  return { view, selection: editByCode(view), editor: "code", tries };
}

async function readDecision(scope: Scope, runId: string): Promise<Extract<Edited, { decided: object }>["decided"]> {
  const run = await scope.db.checkpoint.findFirst({
    where: { agentId: scope.agent.id, runId },
    select: { outcome: true, counts: true },
  });
  const counts = z
    .record(z.string(), z.number())
    .catch({})
    .parse(run?.counts ?? {});
  return { outcome: outcomeSchema.parse(run?.outcome), counts };
}
