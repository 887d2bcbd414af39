import { z } from "zod";
import { inTransaction } from "../db.ts";
import { maskSecrets } from "../mask-secrets.ts";
import type { Actor, Scope } from "../scope.ts";
import type { EditorTry } from "./edit-by-agent.ts";
import type { EditorView } from "./editor-view.ts";
import { claimDecision, findEditorialTurn } from "./own-turn.ts";
import { readForEditor } from "./read-for-editor.ts";
import { type SelectResult, selectCandidates } from "./select-candidates.ts";
import type { Selection } from "./selection.ts";

/** Who calls: the key its turn was told, or the session it runs in. */
export interface EditorCall {
  key?: string | undefined;
  sessionId?: string | undefined;
}

const EDITOR: Actor = { kind: "job", name: "main-agent-editor" };
const countsSchema = z.record(z.string(), z.number()).catch({});

/**
 * What an editorial turn is shown: its run at this very moment, with the live delta.
 * @throws EngineError not_found · wrong_state · unavailable (history)
 */
export async function readRun(scope: Scope, call: EditorCall): Promise<EditorView> {
  const { runId } = await findEditorialTurn(scope, call);
  return readForEditor(scope, EDITOR, { runId });
}

/**
 * What an editorial turn decides: once, about everything, and only while it is waited for. Refused = nothing was changed, and
 * it may be tried again. Do not call in a transaction: the history is read first.
 * @throws EngineError not_found · invalid_input · wrong_state · unavailable (history)
 */
export async function decideRun(scope: Scope, call: EditorCall, selection: Selection): Promise<SelectResult> {
  const { turnId, runId } = await findEditorialTurn(scope, call);
  const view = await readForEditor(scope, EDITOR, { runId });
  const run = await scope.db.checkpoint.findFirst({
    where: { agentId: scope.agent.id, runId },
    select: { counts: true },
  });
  const masked = selection.text ? { ...selection, text: maskSecrets(selection.text, { personal: true }) } : selection;
  return inTransaction(scope.db, async (tx) => {
    await claimDecision(tx, scope, turnId);
    return selectCandidates({ ...scope, db: tx }, EDITOR, view, masked, {
      editor: "main-agent",
      counts: countsSchema.parse(run?.counts ?? {}),
    });
  });
}

const triesSchema: z.ZodType<readonly EditorTry[]> = z
  .array(
    z.object({
      editor: z.enum(["main-agent", "model"]),
      why: z.enum([
        "unreachable",
        "no_decision",
        "late",
        "failed",
        "stopped",
        "lost",
        "resting",
        "transport",
        "unreadable",
        "budget",
        "none",
      ]),
      detail: z.string().optional(),
    }),
  )
  .catch([]) as z.ZodType<readonly EditorTry[]>;

/** Editors that were asked before the one that decided, as the run's row keeps them. */
export function readTries(column: unknown): readonly EditorTry[] {
  return triesSchema.parse(column ?? []);
}
