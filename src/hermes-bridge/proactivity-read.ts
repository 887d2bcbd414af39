import { z } from "zod";
import { readRun } from "../engine/proactive/decide-run.ts";
import type { DocumentLook } from "../engine/proactive/documents/look.ts";
import { candidatesDocument, deltaDocument } from "../engine/proactive/editor-documents.ts";
import { DATA_RULE, fenceDocuments } from "../engine/proactive/fence.ts";
import { TEXT_CHARS } from "../engine/proactive/reminder-text.ts";
import { lookOf } from "../engine/proactive/render-context.ts";
import { decisionReasons } from "../engine/proactive/run.ts";
import { sendReasons } from "../engine/proactive/selection.ts";
import { editorTool } from "./agent-tool.ts";

/** Characters of one document; a context window is the agent's, not ours. */
const DOCUMENT_CHARS = 12_000;

const args = z.object({
  key: z.string({ error: "expected the key of this turn" }).max(100).optional().describe("The key this turn was told."),
});

/** What an editorial turn decides on: candidates with their evidence and the rules' verdicts, preferences, the live delta. */
export const proactivityRead = editorTool({
  name: "proactivity_read",
  description:
    "Only in an editorial turn that Herald asked for: the candidates for one short message to the person, with the lines they rest on, the person's preferences, and what was said since. Call it once, then decide with proactivity_select. Never call it in a conversation with a person.",
  args,
  async handle(scope, call, { key }) {
    const view = await readRun(scope, { ...call, key });
    const look: DocumentLook = lookOf(view.facts);
    const { owner, settings } = view.facts;
    const documents = await scope.db.runDocument.findMany({
      where: { agentId: scope.agent.id, runId: view.runId, name: { in: ["context.md", "sources.md"] } },
      select: { name: true, content: true },
    });
    return {
      about_the_material: DATA_RULE,
      material: fenceDocuments(
        [
          { name: "candidates.md", content: candidatesDocument(view, look) },
          { name: "live-delta.md", content: deltaDocument(view, look) },
          ...documents,
        ].map(({ name, content }) => ({ name, content: cut(content) })),
        scope.ids,
      ),
      decide_about: view.candidates.map(({ candidate, verdict }) => ({
        item: candidate.index,
        may_be_sent: verdict.allow,
        ...(!verdict.allow && { skip_with_reason: verdict.reason }),
      })),
      reasons: {
        send: sendReasons,
        skip: decisionReasons.filter((reason) => !(sendReasons as readonly string[]).includes(reason)),
      },
      write: {
        language: (owner?.language ?? settings.language) === "zh" ? "Simplified Chinese" : "English",
        most_characters: Math.min(200, TEXT_CHARS),
        most_matters: settings.mattersPerCard,
      },
    };
  },
});

function cut(content: string): string {
  const characters = [...content];
  return characters.length <= DOCUMENT_CHARS
    ? content
    : `${characters.slice(0, DOCUMENT_CHARS).join("")}\n(cut here, ${characters.length - DOCUMENT_CHARS} characters more)`;
}
