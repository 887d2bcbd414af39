import { wantCard } from "../engine/card-posts.ts";
import { inTransaction } from "../engine/db.ts";
import { EngineError } from "../engine/errors.ts";
import { endFailures, noteFailure, noteSuccess, takeNotice } from "../engine/heartbeat.ts";
import { languageOf, type Person, personSchema } from "../engine/people/person.ts";
import { TICK_JOB } from "../engine/proactive/explain.ts";
import type { Scope } from "../engine/scope.ts";
import type { ConnectionState } from "./connection-state.ts";
import type { Notice } from "./views/notice-view.ts";

/** Heartbeats of single calls are named so: feishu.message.create. Only refusals that a person must mend are kept. */
export const FEISHU_CALLS = "feishu.";

/** A store that is being replaced may look damaged for a moment. */
const MALFORMED_AFTER_MS = 2 * 60_000;
const SILENT_AFTER_MS = 3 * 60 * 60_000;
/** A permission that is being granted right now needs no notice. */
const REFUSED_AFTER_MS = 10 * 60_000;

/** A clock that was just set right is not worth a word. */
const MACHINE_AFTER_MS = 10 * 60_000;

/** After so many looks in a row that failed the owner is told: one may be a hiccup, a day of them is silence. */
const FAILED_TICKS = 4;
/** A look that still runs after this hangs, and no other begins. */
const TICK_HANGS_MS = 60 * 60_000;
const TICKS = "ticks";

/** The minute's look at what is outside: notes how it stands, and tells the owner once of what needs a person. */
export async function checkHealth(scope: Scope, feishu: ConnectionState): Promise<void> {
  if (feishu.ok) await noteSuccess(scope, "feishu");
  else await noteFailure(scope, "feishu", feishu.why ?? "not_connected");
  const trouble = await historyTrouble(scope);
  if (trouble === undefined) await noteSuccess(scope, "history");
  else await noteFailure(scope, "history", trouble);
  const failing = await ticksTrouble(scope);
  if (failing === undefined) await endFailures(scope, [TICKS]);
  else await noteFailure(scope, TICKS, failing);
  await tellOwner(scope);
}

/** Why nothing has been looked at lately; a look that ended in silence was a look. */
async function ticksTrouble(scope: Scope): Promise<string | undefined> {
  const runs = await scope.db.jobRun.findMany({
    where: { agentId: scope.agent.id, job: TICK_JOB },
    orderBy: { slotAt: "desc" },
    take: FAILED_TICKS + 1,
    select: { outcome: true, reason: true, startedAt: true },
  });
  const [newest] = runs;
  const age = newest ? scope.clock.now().getTime() - newest.startedAt.getTime() : 0;
  if (newest && newest.outcome === null && age > TICK_HANGS_MS) return "hangs";
  const ended = runs.filter((run) => run.outcome !== null).slice(0, FAILED_TICKS);
  if (ended.length < FAILED_TICKS || ended.some((run) => run.outcome !== "failed")) return undefined;
  return ended[0]?.reason ?? "failed";
}

/** Why the history cannot be read. The end of a damaged file may be readable, so the last look at all of it counts too. */
async function historyTrouble(scope: Scope): Promise<string | undefined> {
  try {
    await scope.history.head();
  } catch (error) {
    if (error instanceof EngineError && error.code === "unavailable")
      return (error as EngineError<"unavailable">).facts.why;
    throw error;
  }
  const read = await scope.db.heartbeat.findUnique({
    where: { agentId_name: { agentId: scope.agent.id, name: "history.read" } },
    select: { failure: true },
  });
  return read?.failure ?? undefined;
}

/** One notice for each failure, to the owner, as a card. Nothing more until it was well again in between. */
async function tellOwner(scope: Scope): Promise<void> {
  const failing = await scope.db.heartbeat.findMany({
    where: { agentId: scope.agent.id, failure: { not: null }, noticedAt: null },
    orderBy: { name: "asc" },
  });
  for (const { name, failure } of failing) {
    const due = noticeFor(name, failure ?? "");
    if (due === undefined) continue;
    await inTransaction(scope.db, async (tx) => {
      const inside = { ...scope, db: tx };
      const owner = await readOwner(inside);
      if (owner === undefined || !(await takeNotice(inside, name, due.afterMs))) return;
      await wantCard(tx, scope, {
        subject: { kind: "notice", id: name },
        view: { notice: due.notice, detail: `${name}: ${failure}`, about: name },
        to: { openId: owner.openId },
        language: languageOf(owner, scope.agent.language),
        idempotencyKey: `notice-${scope.ids.opaque()}`,
      });
    });
  }
}

function noticeFor(name: string, failure: string): { notice: Notice; afterMs: number } | undefined {
  if (name === "history") {
    return failure === "malformed"
      ? { notice: "history_malformed", afterMs: MALFORMED_AFTER_MS }
      : { notice: "history_silent", afterMs: SILENT_AFTER_MS };
  }
  if (name === "disk") return { notice: "disk_full", afterMs: 0 };
  if (name === "clock") return { notice: "clock_off", afterMs: MACHINE_AFTER_MS };
  if (name === TICKS) return { notice: "ticks_fail", afterMs: 0 };
  return name.startsWith(FEISHU_CALLS) ? { notice: "feishu_refuses", afterMs: REFUSED_AFTER_MS } : undefined;
}

async function readOwner(scope: Scope): Promise<Person | undefined> {
  const row = await scope.db.person.findFirst({
    where: { agentId: scope.agent.id, role: "owner", revokedAt: null },
    orderBy: { createdAt: "asc" },
  });
  return row === null ? undefined : personSchema.parse(row);
}

/** True when what a notice tells of is still so: one that waited to be sent until all was well again is not sent. */
export async function stillFails(scope: Scope, view: Readonly<Record<string, unknown>> | null): Promise<boolean> {
  if (typeof view?.about !== "string") return true;
  const beat = await scope.db.heartbeat.findUnique({
    where: { agentId_name: { agentId: scope.agent.id, name: view.about } },
    select: { failure: true },
  });
  return beat === null || beat.failure !== null;
}
