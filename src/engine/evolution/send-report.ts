import { inTransaction } from "../db.ts";
import type { Scope } from "../scope.ts";
import { readSettings } from "../settings.ts";
import { dateOf, daysBefore } from "./day-of.ts";
import { tellOwners } from "./tell-owners.ts";

export type SendResult =
  | { outcome: "sent"; date: string }
  | { outcome: "no_op"; reason: "no_report" | "empty_day" | "no_owner" };

/**
 * The evening's card about the date before, once for each owner. A day without sessions and without open proposals sends
 * nothing, or a short card when that is wished.
 */
export async function sendReport(scope: Scope): Promise<SendResult> {
  const settings = await readSettings(scope);
  const agentId = scope.agent.id;
  const today = dateOf(scope.clock.now(), settings.zone);
  const date = daysBefore(today, 1);
  const report = await scope.db.reflectionReport.findUnique({ where: { agentId_date: { agentId, date } } });
  if (!report) return { outcome: "no_op", reason: "no_report" };
  const open = await scope.db.evolutionProposal.count({ where: { agentId, status: "pending_approval" } });
  if (report.sessionsAnalyzed === 0 && open === 0 && settings.emptyDayReport === "none") {
    return { outcome: "no_op", reason: "empty_day" };
  }
  // The week closes with its Sunday, whose report comes on Monday evening.
  const owners = await inTransaction(scope.db, async (tx) => {
    if (new Date(`${date}T00:00:00Z`).getUTCDay() === 0) {
      await tellOwners(tx, scope, { kind: "report", id: `week-${date}` }, `week ${date}`);
    }
    return tellOwners(tx, scope, { kind: "report", id: date }, `report ${date}`);
  });
  return owners > 0 ? { outcome: "sent", date } : { outcome: "no_op", reason: "no_owner" };
}
