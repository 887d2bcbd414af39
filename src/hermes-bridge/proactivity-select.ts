import { z } from "zod";
import { decideRun } from "../engine/proactive/decide-run.ts";
import { decisionReasons } from "../engine/proactive/run.ts";
import { editorTool } from "./agent-tool.ts";

const args = z.object({
  key: z.string({ error: "expected the key of this turn" }).max(100).optional().describe("The key this turn was told."),
  decisions: z
    .array(
      z.object({
        item: z.coerce.number({ error: "expected the number of a candidate, such as 1" }).int(),
        decision: z.enum(["send", "skip"], { error: "expected send or skip" }),
        reason: z.enum(decisionReasons, { error: "expected a reason that proactivity_read lists" }),
        note: z.string().max(500, "expected at most 500 characters").optional().describe("Why, in half a sentence."),
      }),
      { error: "expected a list with one decision for each candidate" },
    )
    .max(200, "expected at most 200 decisions")
    .describe("Every candidate exactly once."),
  close_goal_ids: z
    .array(z.string(), { error: "expected a list of goal_ids" })
    .max(200, "expected at most 200 goal_ids")
    .optional()
    .describe("Matters the person's own words have settled."),
  text: z
    .string({ error: "expected the text of the one message" })
    .max(5_000, "expected a short text")
    .optional()
    .describe("The one short message about everything that is sent; leave it out when nothing is."),
});

/** The one decision of an editorial turn: all of it is written, or nothing. */
export const proactivitySelect = editorTool({
  name: "proactivity_select",
  description:
    "Only in an editorial turn that Herald asked for, after proactivity_read: decide about every candidate at once and hand over the text of the one message. All or nothing: when it answers with an error nothing was changed; correct that and call it again. After it succeeded the turn is over: answer [SILENT]. Never call it in a conversation with a person.",
  args,
  async handle(scope, call, { key, decisions, close_goal_ids, text }) {
    const result = await decideRun(
      scope,
      { ...call, key },
      {
        decisions: decisions.map(({ item, decision, reason, note }) => ({
          index: item,
          decision,
          reason,
          ...(note && { note }),
        })),
        closeGoalIds: close_goal_ids ?? [],
        text: text ?? null,
      },
    );
    const { outcome, sent, skipped, closed } = result;
    return {
      result: outcome === "sent" ? "one message is on its way" : "nothing is sent",
      sent,
      skipped,
      closed,
      now: "This turn is over: answer [SILENT].",
    };
  },
});
