import { setImmediate } from "node:timers/promises";
import { readRows } from "../db.ts";
import { type HumanRules, voiceOf } from "../proactive/human-message.ts";
import type { Scope } from "../scope.ts";
import { sql } from "../sql.ts";
import { type Cause, CauseTally } from "./causes.ts";
import { type DayFigures, DayTally } from "./day-figures.ts";
import type { Day } from "./day-of.ts";
import type { DaySession } from "./day-session.ts";
import { type Norms, type Quality, qualityOf } from "./quality.ts";
import { readSessionTelemetry } from "./read-session-telemetry.ts";
import { type SessionFacts, sessionFacts } from "./session-facts.ts";
import { findingsOf } from "./session-findings.ts";
import { type ScoredSession, storeScores } from "./store-scores.ts";

/** Hermes' own helpers: their work belongs to the sessions that called them. */
export const NOT_SCORED = ["subagent", "curator"] as const;
/** Sessions held at once, so that telemetry and scores go by the batch. */
const BATCH = 40;
/** Of long sessions fewer are held: characters of all that was said and answered in them. */
const BATCH_CHARS = 1_000_000;

export interface GatheredDay {
  figures: DayFigures;
  causes: Cause[];
}

/**
 * Reads the sessions of a date one by one, scores them, and adds them up. Scores are written batch by batch under the
 * session's own id, so a second run replaces them. Yields to taps between the short reads of the history and in between.
 * @throws EngineError unavailable (history)
 */
export async function gatherDay(
  scope: Scope,
  day: Day,
  { norms, rules, signal }: { norms: Norms; rules: HumanRules; signal?: AbortSignal },
): Promise<GatheredDay> {
  const figures = new DayTally(norms);
  const causes = new CauseTally();
  const seen = new Set<string>();
  const breathe = breather();
  let batch: DaySession[] = [];
  let held = 0;
  const flush = async (): Promise<void> => {
    const telemetry = await readSessionTelemetry(
      scope,
      batch.flatMap((session) => session.parts),
    );
    const scored: ScoredSession[] = [];
    for (const session of batch) {
      await breathe();
      const facts = sessionFacts(session, mergedOf(session.parts, telemetry), rules);
      const findings = findingsOf(facts);
      const quality = qualityOfFacts(facts, norms);
      figures.add(facts, findings, quality);
      causes.add(facts, findings, quality.composite);
      seen.add(facts.id);
      scored.push({ facts, quality });
    }
    batch = [];
    held = 0;
    await storeScores(scope, day.date, scored);
  };
  for await (const session of scope.history.sessionsBegun(day.from, day.to, { leaveOutSources: NOT_SCORED })) {
    if (signal?.aborted) throw signal.reason instanceof Error ? signal.reason : new Error("stopped");
    if (isKeptOut(session, rules)) continue;
    batch.push(session);
    for (const { text } of session.rows) held += text.length;
    if (batch.length >= BATCH || held >= BATCH_CHARS) await flush();
  }
  if (batch.length > 0) await flush();
  await forgetOthers(scope, day, seen);
  return { figures: figures.figures(), causes: causes.causes() };
}

/** Longest stretch of computing before timers and sockets get a turn: taps are answered in between. */
const TURN_MS = 5;

function breather(): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < TURN_MS) return;
    await setImmediate();
    begun = performance.now();
  };
}

/** The score of a session's facts. */
export function qualityOfFacts(facts: SessionFacts, norms: Norms): Quality {
  const { signals, failedTurns, outcome } = facts;
  return qualityOf(
    {
      ...facts,
      toolCalls: facts.calls.length,
      corrections: signals.corrections.length,
      frustration: signals.frustration.length,
      thanks: signals.thanks.length,
      // The last unanswered turn of a failed session is what made it fail.
      retriedTurns: Math.max(0, failedTurns.length - (outcome === "failed" ? 1 : 0)),
    },
    norms,
  );
}

/** Sessions the owner keeps out, and other people's direct chats. */
function isKeptOut({ session }: DaySession, rules: HumanRules): boolean {
  const voice = voiceOf({ id: "", session, role: "user", text: "x", at: session.startedAt, observed: false }, rules);
  return voice.voice === "left_out" && (voice.why === "excluded" || voice.why === "other_person");
}

function mergedOf(
  parts: readonly string[],
  telemetry: Awaited<ReturnType<typeof readSessionTelemetry>>,
): ReturnType<typeof telemetry.get> {
  const told = parts.flatMap((part) => telemetry.get(part) ?? []);
  const [first] = told;
  if (!first || told.length === 1) return first;
  return {
    calls: new Map(told.flatMap((each) => [...each.calls])),
    apiErrors: told.reduce((sum, each) => sum + each.apiErrors, 0),
    budgetExhausted: told.some((each) => each.budgetExhausted),
    denied: told.reduce((sum, each) => sum + each.denied, 0),
  };
}

/** Ids of scores read by one statement: a tap waits for no more than that. */
const SCORES_AT_ONCE = 2_000;

/** Scores of an earlier run for sessions that are no longer there, or are kept out by now. */
async function forgetOthers(scope: Scope, { date }: Day, seen: ReadonlySet<string>): Promise<void> {
  const agentId = scope.agent.id;
  const gone: string[] = [];
  for (let after = ""; ; ) {
    const page = await readRows<{ sessionId: string }>(
      scope.db,
      sql`SELECT "sessionId" FROM "SessionScore" WHERE "agentId" = ${agentId} AND "date" = ${date}
        AND "sessionId" > ${after} ORDER BY "sessionId" LIMIT ${SCORES_AT_ONCE}`,
    );
    for (const { sessionId } of page) if (!seen.has(sessionId)) gone.push(sessionId);
    after = page.at(-1)?.sessionId ?? "";
    if (page.length < SCORES_AT_ONCE) break;
  }
  for (let start = 0; start < gone.length; start += 500) {
    await scope.db.sessionScore.deleteMany({ where: { agentId, sessionId: { in: gone.slice(start, start + 500) } } });
  }
}
