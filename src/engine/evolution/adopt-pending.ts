import { textsFor } from "../../text/pick.ts";
import { recordAudit } from "../audit.ts";
import { touchCards } from "../card-posts.ts";
import { oneLine } from "../clean-text.ts";
import { inTransaction } from "../db.ts";
import { EngineError } from "../errors.ts";
import { assertMay } from "../people/person.ts";
import type { Actor, Scope } from "../scope.ts";
import { readSettings } from "../settings.ts";
import { fingerprintOf } from "./causes.ts";
import { type Change, changeProblem } from "./change-kinds.ts";
import { dateOf, dayOf, daysBefore } from "./day-of.ts";
import { riskOf } from "./draft.ts";
import { addProposal } from "./keep-proposals.ts";
import type { PendingWrite } from "./target-files.ts";

/**
 * A memory that Hermes has put aside becomes a proposal of its own, with a diff and a way back. Twice makes one.
 * @throws EngineError forbidden · not_found · wrong_state (text that may not become a memory)
 */
export async function adoptPending(
  scope: Scope,
  who: Actor,
  write: PendingWrite | undefined,
): Promise<{ number: number }> {
  assertMay(who, "proposal.decide");
  if (!write?.memory) throw new EngineError("not_found", { what: "proposal" });
  const { file, text } = write.memory;
  const change: Change = { type: "memory_update", payload: { action: "add", file, text } };
  const problem = changeProblem(change);
  if (problem) throw new EngineError("wrong_state", { what: "proposal", state: problem, possible: [] });
  const settings = await readSettings(scope);
  const words = textsFor(settings.language).evolution.report;
  const key = `pending|${write.id}`;
  return inTransaction(scope.db, async (tx) => {
    const fingerprint = fingerprintOf(key);
    const before = await tx.evolutionProposal.findFirst({
      where: { agentId: scope.agent.id, fingerprint },
      select: { number: true },
    });
    if (before) return before;
    const day = dayOf(daysBefore(dateOf(scope.clock.now(), settings.zone), 1), settings.zone);
    if (!day) throw new Error("a date before today is a date");
    const added = await addProposal(tx, scope, day, {
      draft: {
        change,
        title: oneLine(text, 60),
        description: words.pending(1),
        expectedEffect: words.pendingKinds.memory,
        risk: riskOf(change),
        cause: {
          kind: "statement",
          key,
          scope: write.what,
          about: oneLine(text, 200),
          count: 1,
          sessions: [],
          successes: 0,
          quotes: [],
          from: day.from,
          to: day.to,
          ms: 0,
          fingerprint,
          dates: [day.date],
          allSessions: [],
          total: 1,
          lasting: true,
        },
        measure: { metric: "composite", categories: [] },
        draftedBy: "rules",
      },
    });
    await recordAudit(tx, scope, { who, what: "dream.asked", subject: { kind: "pending", id: write.id } });
    await touchCards(tx, scope, { kind: "report", id: day.date });
    return added;
  });
}
