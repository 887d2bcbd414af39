import { z } from "zod";
import { isEngineError } from "../errors.ts";
import { maskSecrets } from "../mask-secrets.ts";
import { LlmError } from "../ports.ts";
import type { Scope } from "../scope.ts";
import type { DocumentLook } from "./documents/look.ts";
import { candidatesDocument, deltaDocument } from "./editor-documents.ts";
import type { EditorView } from "./editor-view.ts";
import { DATA_RULE, fenceDocuments } from "./fence.ts";
import { TEXT_CHARS } from "./reminder-text.ts";
import { decisionReasons } from "./run.ts";
import { checkSelection, type Selection, sendReasons } from "./selection.ts";

const MAX_TOKENS = 3_000;
const TIMEOUT_MS = 90_000;

const replySchema = z.object({
  decisions: z.array(
    z.object({
      item: z.coerce.number().int(),
      decision: z.enum(["send", "skip"]),
      reason: z.enum(decisionReasons),
      note: z.string().nullish(),
    }),
  ),
  close_goal_ids: z.array(z.string()).nullish(),
  text: z.string().nullish(),
});

/**
 * The editor as one question to a model, under the same checks as any editor. A selection that is refused is asked for once
 * more with the reason.
 * @throws LlmError as `Llm.ask` does; unreadable when the second selection is refused too
 */
export async function editByModel(
  scope: Scope,
  view: EditorView,
  documents: { sources: string; prepared: string; context: string },
  look: DocumentLook,
): Promise<Selection> {
  const user = fenceDocuments(
    [
      { name: "candidates.md", content: candidatesDocument(view, look) },
      { name: "live-delta.md", content: deltaDocument(view, look) },
      { name: "prepared.md", content: documents.prepared },
      { name: "sources.md", content: documents.sources },
      { name: "context.md", content: documents.context },
    ],
    scope.ids,
  );
  let complaint = "";
  for (let attempt = 1; ; attempt++) {
    const { value } = await scope.llm.ask({
      purpose: "proactive.edit",
      runId: view.runId,
      system: systemPrompt(view),
      user: `${user}${complaint}\n\nReply with the JSON object now.`,
      reply: replySchema,
      maxTokens: MAX_TOKENS,
      timeoutMs: TIMEOUT_MS,
    });
    const selection: Selection = {
      decisions: value.decisions.map(({ item, decision, reason, note }) => ({
        index: item,
        decision,
        reason,
        ...(note && { note }),
      })),
      closeGoalIds: value.close_goal_ids ?? [],
      text: value.text ? maskSecrets(value.text, { personal: true }) : null,
    };
    try {
      checkSelection(view, selection);
      return selection;
    } catch (error) {
      if (!isEngineError(error, "invalid_input")) throw error;
      const { path, expected, given } = error.facts;
      if (attempt === 2) throw new LlmError("unreadable", `selection refused: ${path} ${expected}`, { cause: error });
      complaint = `\n\nYour last selection was refused and nothing was changed: ${path}: expected ${expected}, got ${given ?? "nothing"}.`;
    }
  }
}

function systemPrompt(view: EditorView): string {
  const { owner, settings } = view.facts;
  const language = (owner?.language ?? settings.language) === "zh" ? "Simplified Chinese" : "English";
  const skip = decisionReasons.filter((reason) => !(sendReasons as readonly string[]).includes(reason));
  return `You are the editor of a person's reminders. Candidates have been prepared; you decide which are worth a message right now and write it. Silence is a good answer: speak only when a thoughtful friend would.

${DATA_RULE}

- Decide about every candidate exactly once: "send" or "skip".
- Reasons for send: ${sendReasons.join(", ")}. Reasons for skip: ${skip.join(", ")}.
- What "may be sent: no" marks cannot be sent: skip it with the reason given there.
- Look at live-delta.md first: what the person has just dealt with or waved away is skipped (already_done). Name its goal_id in close_goal_ids only when the person's own words say that it is done or not wanted.
- Follow the preferences in context.md; they can only make you quieter or change the tone.
- At most ${settings.mattersPerCard} matters. All of them go into one short natural text in ${language} (at most ${Math.min(200, TEXT_CHARS)} characters): no list, no greeting, no internal names or ids, no promises to do anything. A row with buttons for each matter stands below the text.
- Never state as a fact what the assistant only claims to have done: ask.

Reply with one JSON object and nothing else:
{"decisions":[{"item":1,"decision":"send","reason":"worth_saying","note":"…"}],"close_goal_ids":[],"text":"…"}
"text" is null when nothing is sent.`;
}
