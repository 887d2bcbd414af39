import type { Texts } from "../../text/pick.ts";
import type { Scope } from "../scope.ts";
import { readStrategies } from "../strategy/strategy-set.ts";
import { fingerprintOf } from "./causes.ts";
import type { Change } from "./change-kinds.ts";
import { type Day, daysBefore } from "./day-of.ts";
import { type Draft, riskOf } from "./draft.ts";
import type { WeighedCause } from "./weigh-causes.ts";

/** A skill nobody used for so long after it was made is proposed for removal. */
export const UNUSED_DAYS = 30;
/** A lesson whose cause was not seen for so long is tested again: proposed to be taken out. */
export const QUIET_DAYS = 10;

/** What has outlived its reason: lessons whose cause is gone, skills that nobody used. */
export async function draftRemovals(scope: Scope, day: Day, words: Texts["evolution"]["draft"]): Promise<Draft[]> {
  return [...(await goneCauses(scope, day, words)), ...(await unusedSkills(scope, day, words))];
}

async function goneCauses(scope: Scope, day: Day, words: Texts["evolution"]["draft"]): Promise<Draft[]> {
  const agentId = scope.agent.id;
  const { strategies } = await readStrategies(scope);
  const drafts: Draft[] = [];
  for (const strategy of strategies) {
    if (!strategy.negative || !strategy.enabled || strategy.cause === undefined) continue;
    const made = await scope.db.evolutionProposal.findFirst({
      where: { agentId, fingerprint: strategy.cause, status: "executed" },
      orderBy: { executedAt: "desc" },
      select: { executedAt: true },
    });
    const quietSince = new Date(day.from.getTime() - QUIET_DAYS * 86_400_000);
    if (!made?.executedAt || made.executedAt > quietSince) continue;
    const seen = await scope.db.causeDay.count({
      where: { agentId, fingerprint: strategy.cause, date: { gte: daysBefore(day.date, QUIET_DAYS), lte: day.date } },
    });
    if (seen > 0) continue;
    drafts.push(
      draft(day, `gone|${strategy.id}`, strategy.scope, words.gone.wording(strategy.title, QUIET_DAYS), {
        type: "strategy_adjust",
        payload: { add: [], remove: [strategy.id] },
      }),
    );
  }
  return drafts;
}

async function unusedSkills(scope: Scope, day: Day, words: Texts["evolution"]["draft"]): Promise<Draft[]> {
  const before = new Date(day.to.getTime() - UNUSED_DAYS * 86_400_000);
  const made = await scope.db.evolutionProposal.findMany({
    where: { agentId: scope.agent.id, type: "skill_create", status: "executed", executedAt: { lt: before } },
    select: { payload: true },
  });
  if (made.length === 0) return [];
  const use = await scope.files.skillUse();
  return made.flatMap(({ payload }) => {
    const { action, name } = payload as { action?: unknown; name?: unknown };
    if (action !== "create" || typeof name !== "string") return [];
    const known = use.get(name);
    if (known && known.uses > 0 && (known.lastUsedAt === undefined || known.lastUsedAt >= before)) return [];
    return draft(day, `unused|${name}`, name, words.unused.wording(name, UNUSED_DAYS), {
      type: "skill_create",
      payload: { action: "remove", name },
    });
  });
}

function draft(
  day: Day,
  key: string,
  scope: string,
  wording: { title: string; description: string; effect: string },
  change: Change,
): Draft {
  const cause: WeighedCause = {
    kind: "success",
    key,
    scope,
    about: wording.title,
    count: 0,
    sessions: [],
    successes: 0,
    quotes: [],
    from: day.from,
    to: day.to,
    ms: 0,
    fingerprint: fingerprintOf(key),
    dates: [day.date],
    allSessions: [],
    total: 0,
    lasting: true,
  };
  return {
    change,
    title: wording.title,
    description: wording.description,
    expectedEffect: wording.effect,
    risk: riskOf(change),
    cause,
    measure: { metric: "composite", categories: [] },
    draftedBy: "rules",
  };
}
