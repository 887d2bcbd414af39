import type { AskedView } from "../../cards/asked.ts";
import type { ApprovalView } from "../../cards/command-approval-card.ts";
import { questionSchema } from "../../engine/chat/question.ts";
import { namesOf } from "../../engine/people/know-person.ts";
import { readSettings } from "../../engine/settings.ts";
import { type ViewContext, whoIs } from "./view-context.ts";

/** Something Hermes asks, as its card shows it; undefined when there is none of this id. */
export async function questionView(
  context: ViewContext,
  questionId: string,
): Promise<{ kind: "approval"; view: ApprovalView } | { kind: "question"; view: AskedView } | undefined> {
  const { scope } = context;
  const row = await scope.db.agentQuestion.findFirst({ where: { id: questionId, agentId: scope.agent.id } });
  if (row === null) return undefined;
  const question = questionSchema.parse(row);
  const { answeredBy, answeredAt, choice, voidBecause, status, expiresAt } = question;
  // Past its time it is over, also before the sweep has said so: buttons never lie.
  const state = status === "open" && expiresAt <= context.look.now ? "expired" : status;
  const view: AskedView = {
    question: question.id,
    text: question.text,
    choices: question.choices,
    state,
    expiresAt,
    ...(choice !== null && { choice }),
    ...(answeredBy !== null && { answeredBy: whoIs(context, answeredBy, await namesOf(scope, [answeredBy])) }),
    ...(answeredAt !== null && { answeredAt }),
    ...(voidBecause !== null && { voidBecause }),
  };
  if (question.kind === "question") return { kind: "question", view };
  const { approvers } = await readSettings(scope);
  const { description } = question;
  return { kind: "approval", view: { ...view, approvers, ...(description !== null && { description }) } };
}
